import { believedLifetime, type CacheTerms, cacheTermsOf, hasNoCache, type Ledger, type Price, usualTerms } from '@plimsoll/core'
import type { FoundModel } from './choose-model.ts'
import { localProvider } from './local-model.ts'
import type { ModelClient } from './model-client.ts'
import { isOwnMachine } from './server-address.ts'

/** What caching costs with a model: by its price, the usual where nobody knows that, and nothing gained where it has no cache. */
export function knownTerms(
  { provider, server }: Pick<FoundModel, 'provider' | 'server'>,
  hasPromptCache: boolean | null,
  price: Price | null,
): CacheTerms {
  if (hasPromptCache === false || price?.input === 0) return noCache
  if (price !== null) return cacheTermsOf(price)
  return isPlainServer(provider, server) ? noCache : usualTerms
}

/** What caching costs with a model of which reports have taught something: how long it really keeps a prompt, or that it keeps none. */
export function termsInForce({ cacheTerms = usualTerms }: Pick<ModelClient, 'cacheTerms'>, { learned }: Ledger): CacheTerms {
  if (learned === undefined) return cacheTerms
  return hasNoCache(learned) ? noCache : { ...cacheTerms, lifetimeSeconds: believedLifetime(cacheTerms, learned) }
}

/** Where the same tokens cost the same however often they are sent, there is nothing to spare. */
export const noCache: CacheTerms = { read: 1, write: 1, lifetimeSeconds: null }

/** Whether nobody is paid by the token: a server that somebody runs for themselves. */
function isPlainServer(provider: string, server: FoundModel['server']): boolean {
  if (provider === 'ollama' || provider === 'llamacpp') return true
  return provider === localProvider && server !== null && isOwnMachine(server.url)
}
