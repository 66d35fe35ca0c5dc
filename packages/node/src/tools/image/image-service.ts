import type { Config } from '@plimsoll/core'
import { type Environment, keyIn } from '../../model/key.ts'
import { isHome, type Provider, providers } from '../../model/providers.ts'
import { checkAddress } from '../../model/server-address.ts'

/** Whoever makes pictures, and how they are asked. */
export interface ImageService {
  /** Without a slash at its end. */
  readonly url: string
  /** Null where none is needed. */
  readonly key: string | null
  /** As the service knows it. */
  readonly model: string
  /** `images`: OpenAI's endpoint for pictures. `chat`: OpenRouter's way, an answer in a chat that holds a picture. */
  readonly style: 'images' | 'chat'
  /** Whether something stands between us and the service, which gives up earlier than the service itself. */
  readonly isProxied: boolean
}

/**
 * The service that the settings name; null where they name no model, or where its key is missing. Throws `ModelChoiceError` for an
 * address or a key that cannot be used.
 */
export function imageServiceOf({ model, url }: Config['images'], environment: Environment): ImageService | null {
  if (model === null) return null
  const { provider, name } = providerOf(model, url)
  const address = checkAddress(url ?? elsewhereOf(provider, environment) ?? provider.home, null)
  const key = keyIn(environment, provider.keys)
  const isOwn = isHome(provider, address)
  if (key === null && isOwn && provider.needsKey !== 'never') return null
  return {
    url: address.replace(/\/{1,100}$/, ''),
    key,
    model: name,
    style: provider.name === 'openrouter' ? 'chat' : 'images',
    isProxied:
      (url !== null && !isOwn) || ['HTTPS_PROXY', 'https_proxy'].some((variable) => (environment[variable] ?? '') !== ''),
  }
}

function providerOf(model: string, url: string | null): { readonly provider: Provider; readonly name: string } {
  const slash = model.indexOf('/')
  const named = providers.find(({ name }) => slash > 0 && name === model.slice(0, slash))
  if (named !== undefined && model.length > slash + 1) return { provider: named, name: model.slice(slash + 1) }
  const byAddress = url?.includes('openrouter') === true ? 'openrouter' : 'openai'
  return { provider: providers.find(({ name }) => name === byAddress) as Provider, name: model }
}

function elsewhereOf({ elsewhere }: Provider, environment: Environment): string | null {
  const address = environment[elsewhere.variable]?.trim() ?? ''
  if (address === '') return null
  return elsewhere.complete === undefined ? address : elsewhere.complete(address)
}
