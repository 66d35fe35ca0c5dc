import type { Config } from '@plimsoll/core/policies'
import { findModel } from './choose-model.ts'
import { offlineModelName } from './offline/offline-model.ts'
import { probeServer } from './open-client.ts'
import { isHome, type Provider, providers } from './providers.ts'
import type { Environment } from './server-access.ts'

interface ServerOptions {
  readonly environment: Environment
  /** A server that was given without a model. */
  readonly url?: string | undefined
  readonly fetch?: typeof fetch | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * The model to use if none is named: the configured one; else the first of the server whose address is set; else one of the
 * provider whose key is set; else the offline model. Asks only servers that were named, for at most two seconds. `why` is the
 * setting, option or variable that decided; null for the offline model.
 */
export async function defaultModelName(
  options: ServerOptions & { readonly config: Pick<Config, 'model'> },
): Promise<{ readonly name: string; readonly why: string | null }> {
  const { environment, config, url } = options
  if (config.model !== null && config.model !== '') return { name: config.model, why: 'model' }
  if (url !== undefined) return { name: await firstModel(url, options), why: '--base-url' }
  for (const { provider, model } of choices) {
    const row = providers.find(({ name }) => name === provider)
    const address = row === undefined ? null : ownServer(row, environment)
    // A key next to the user's own server belongs to that server.
    if (address !== null) return { name: await firstModel(address, options), why: 'OPENAI_BASE_URL' }
    const key = row?.keys.find((variable) => (environment[variable]?.trim() ?? '') !== '')
    if (key !== undefined) return { name: `${provider}/${model}`, why: key }
  }
  return { name: offlineModelName, why: null }
}

/** For each provider, in this order, a model that writes code well at a medium price. */
const choices = [
  { provider: 'anthropic', model: 'claude-sonnet-5-5' },
  { provider: 'openai', model: 'gpt-6-sol' },
  { provider: 'google', model: 'gemini-4-argon' },
  { provider: 'deepseek', model: 'deepseek-v4-pro' },
  { provider: 'openrouter', model: 'anthropic/claude-sonnet-5.5' },
]

function ownServer(provider: Provider, environment: Environment): string | null {
  const address = environment['OPENAI_BASE_URL']?.trim() ?? ''
  return provider.name !== 'openai' || address === '' || isHome(provider, address) ? null : address
}

/** Most servers with one model accept any name. */
const anyModel = 'default'

/** Models that cannot chat. */
const isOther = /embed|rerank|whisper|(?:^|[-_/])(?:tts|bge|clip)(?:[-_:]|$)/i

async function firstModel(url: string, options: ServerOptions): Promise<string> {
  const models = await serverModels(url, options)
  return models.find((name) => !isOther.test(name)) ?? models[0] ?? anyModel
}

async function serverModels(url: string, { environment, fetch, signal }: ServerOptions): Promise<readonly string[]> {
  const key = environment['OPENAI_API_KEY']?.trim() ?? ''
  const apiKey = /^[\x21-\x7e]+$/.test(key) ? key : null
  return (await probeServer({ url, provider: 'local', model: null, apiKey, fetch, signal }))?.models ?? []
}

type AvailableModelsOptions = ServerOptions & { readonly config: Pick<Config, 'models'>; readonly first: string }

/** The configured models, those of a server that was named, one for each key, and the offline one. */
export async function availableModels(options: AvailableModelsOptions): Promise<readonly string[]> {
  const { first, config, environment, url } = options
  const openai = providers.find(({ name }) => name === 'openai')
  const address = url ?? (openai === undefined ? null : ownServer(openai, environment))
  const served = address === null ? [] : (await serverModels(address, options)).filter((name) => !isOther.test(name))
  // A server given as an option counts for every name.
  const known = url === undefined ? choices.map(({ provider, model }) => `${provider}/${model}`) : []
  const named = [...Object.keys(config.models), ...known].filter((name) => canBeHad(name, options))
  return [...new Set([first, ...named, ...served, offlineModelName])].slice(0, 100)
}

function canBeHad(name: string, { environment, url }: AvailableModelsOptions): boolean {
  try {
    return findModel(name, { environment, url }).model !== ''
  } catch {
    return false
  }
}
