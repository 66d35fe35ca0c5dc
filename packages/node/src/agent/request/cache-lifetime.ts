import { dirname } from 'node:path'
import { type CacheTerms, cacheTermsOf, chooseCacheLifetime, type Price, type SentPrompt, type Usage } from '@plimsoll/core/bill'
import type { CacheLifetime } from '@plimsoll/core/policies'
import type { ModelClient } from '../../model/model-client.ts'
import { earlierPrompts } from '../../session/earlier-prompts.ts'
import type { StoredSession } from '../../session/session.ts'
import type { AgentOptions } from '../agent.ts'

type LifetimeModel = Pick<ModelClient, 'name' | 'provider' | 'price' | 'facts' | 'usesText'>

/**
 * Chooses how long the provider should keep the prompts of a session; null where that cannot be chosen. Once a request was stored, it never changes: what is cached
 * would have to be written again.
 */
export function createLifetimeChoice({ session, root, config }: Pick<AgentOptions, 'session' | 'root' | 'config'>) {
  let earlier: Promise<readonly (readonly SentPrompt[])[]> | null = null
  return async (model: LifetimeModel): Promise<CacheLifetime | null> => {
    const { price } = model
    if (price === null || !isOffered(model)) return null
    const stored = lifetimeIn(session, model)
    if (stored !== null) return stored
    if (config.cache_lifetime !== 'auto') return config.cache_lifetime
    earlier ??= earlierPrompts(dirname(session.folder), { root, except: session.id })
    return chooseCacheLifetime(await earlier, price) === 'hour' ? '1h' : '5m'
  }
}

/** How long the provider keeps the prompts of a session, as its log says; null if nothing was chosen for this model. */
export function lifetimeIn(session: StoredSession, model: LifetimeModel): CacheLifetime | null {
  if (!isOffered(model)) return null
  const heads = session.heads()
  const known = remembered.get(session) ?? { entries: 0, lifetime: null, models: new Set<string>() }
  let { lifetime } = known
  for (let index = known.entries; index < heads.length && lifetime === null; index += 1) {
    const head = heads[index]
    const entry = head?.type === 'request' ? session.entry(head.id) : null
    if (entry?.type !== 'request') continue
    const told = entry.parameters?.['cacheLifetime']
    if (told === '5m' || told === '1h') lifetime = told
    else known.models.add(entry.model)
  }
  remembered.set(session, { entries: heads.length, lifetime, models: known.models })
  // Requests of older versions were kept for five minutes.
  return lifetime ?? (known.models.has(model.name) ? '5m' : null)
}

interface KnownLifetime {
  readonly entries: number
  readonly lifetime: CacheLifetime | null
  /** Models that were asked before anything was chosen. */
  readonly models: Set<string>
}

// Entries never change, so only new ones are read.
const remembered = new WeakMap<StoredSession, KnownLifetime>()

/** Anthropic's own format, and a price that knows the hour. */
function isOffered({ provider, price, facts, usesText }: LifetimeModel): boolean {
  return provider === 'anthropic' && !usesText && facts.hasPromptCache !== false && (price?.cacheWriteHour ?? null) !== null
}

/** The cache terms of a model whose prompts are kept for so long. */
export function termsFor(
  { price, cacheTerms }: Pick<ModelClient, 'price' | 'cacheTerms'>,
  lifetime: CacheLifetime | null | undefined,
): CacheTerms | undefined {
  return lifetime === '1h' && price !== null ? cacheTermsOf(price, 'hour') : cacheTerms
}

/** Dollars for a million tokens of a prompt that is not cached. */
export function newTokensPrice({ input, cacheWrite, cacheWriteHour }: Price, lifetime: CacheLifetime | null | undefined): number {
  return Math.max(input, lifetime === '1h' ? (cacheWriteHour ?? cacheWrite) : cacheWrite)
}

/** Usage that does not say for how long it was written. */
export function writtenFor(lifetime: CacheLifetime | null | undefined, usage: Usage | null): Usage | null {
  const isTold = usage?.cacheWriteHour !== undefined || (usage?.cacheWrite ?? 0) === 0
  return lifetime !== '1h' || usage === null || isTold ? usage : { ...usage, cacheWriteHour: usage.cacheWrite }
}
