import { createBoundedFetch } from './bounded-fetch.ts'
import { findModel } from './choose-model.ts'
import { createModelClient, type ModelClientOptions } from './create-client.ts'
import type { ModelClient } from './model-client.ts'
import { overrideOf } from './model-knowledge.ts'
import { offlineModelName } from './offline/offline-model.ts'
import { localProvider } from './server-access.ts'

export interface OpenClientOptions extends ModelClientOptions {
  /** Called if the server gives the model little room, or less than it could and truncates longer prompts silently. */
  readonly onSmallWindow?: (told: SmallWindow) => void
  readonly signal?: AbortSignal | undefined
}

export interface SmallWindow {
  readonly window: number
  readonly max: number | null
  readonly clips: boolean
}

/** Asks the user's own server first how much room it gives the model. Rejects with `ModelChoiceError`. */
export async function openModelClient(options: OpenClientOptions): Promise<ModelClient> {
  const told = await askServer(options)
  const window = told?.loaded ?? told?.window ?? null
  if (told !== null && window !== null) {
    const { window: max, clips } = told
    if (window < littleRoom || (clips && max !== null && window < max)) options.onSmallWindow?.({ window, max, clips })
  }
  return createModelClient(window === null ? options : { ...options, serverWindow: window })
}

/** With less, the prompt and tools of an agent take most of the room. */
const littleRoom = 16_384

/** Servers of the user’s own; others have the windows that they publish. */
const ownServers: readonly string[] = [localProvider, 'ollama', 'llamacpp']

async function askServer(options: OpenClientOptions): Promise<ServerFacts | null> {
  const { name, url, config, fetch, signal } = options
  if (name === offlineModelName && url === undefined) return null
  const { provider, model, server } = findModel(name, options)
  const isSet = (overrideOf(name, config) ?? overrideOf(model, config))?.window !== undefined
  if (isSet || server === null || !ownServers.includes(provider)) return null
  return probeServer({ ...server, provider, model, fetch, signal })
}

export interface ProbeOptions {
  readonly url: string
  /** `ollama`, `llamacpp`, or any other name for an unknown kind of server. */
  readonly provider: string
  /** Null to learn only which models there are. */
  readonly model: string | null
  readonly apiKey?: string | null | undefined
  readonly fetch?: typeof fetch | undefined
  readonly signal?: AbortSignal | undefined
}

interface ServerFacts {
  readonly window: number | null
  /** Tokens as it is loaded or would be; null if unknown. */
  readonly loaded: number | null
  /** Whether longer prompts are truncated silently, from the start. */
  readonly clips: boolean
  readonly models: readonly string[]
}

/** Asks `/v1/models`, `/props` (llama.cpp), `/api/tags`, `/api/show` and `/api/ps` (Ollama) for at most two seconds. */
export async function probeServer(options: ProbeOptions): Promise<ServerFacts | null> {
  const ask = createAsk(options)
  const { provider, model } = options
  const [listed, props, tags] = await Promise.all([
    ask('models', null),
    provider === 'ollama' ? null : ask('../props', null),
    provider === 'llamacpp' ? null : ask('../api/tags', null),
  ])
  const rows = rowsIn(listed, 'data')
  const local = rowsIn(tags, 'models')
  const models = namesIn([...rows, ...local])
  if (local.length > 0 || (provider === 'ollama' && models.length > 0)) return ollamaFacts(ask, model, models)
  const told = windowOf(rows, model)
  const running = numberAt(props, 'default_generation_settings', 'n_ctx') ?? numberAt(props, 'n_ctx')
  if (models.length === 0 && running === null) return null
  return { window: told.window ?? running, loaded: running ?? told.loaded, clips: false, models }
}

/** Ollama’s default on most machines. */
const ollamaDefault = 4096
const maxModels = 10_000

type Ask = (path: string, body: unknown) => Promise<unknown>

/** Posts a body, or gets a path next to the address. Returns undefined for any error. */
function createAsk({ url, apiKey, fetch: base, signal }: ProbeOptions): Ask {
  const bounded = createBoundedFetch({ maxBytes: 8 * 2 ** 20, fetch: base })
  const limit = AbortSignal.timeout(2000)
  const stop = signal === undefined ? limit : AbortSignal.any([signal, limit])
  return async (path, body) => {
    try {
      const response = await bounded(new URL(path, url.endsWith('/') ? url : `${url}/`), {
        signal: stop,
        headers: {
          ...(apiKey === undefined || apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === null ? {} : { method: 'POST', body: JSON.stringify(body) }),
      })
      if (response.ok) return JSON.parse(await response.text()) as unknown
      await response.body?.cancel()
    } catch {}
    return undefined
  }
}

async function ollamaFacts(ask: Ask, model: string | null, models: readonly string[]): Promise<ServerFacts> {
  if (model === null) return { window: null, loaded: null, clips: true, models }
  const [shown, running] = await Promise.all([ask('../api/show', { model }), ask('../api/ps', null)])
  const info = fieldOf(shown, 'model_info')
  const architecture = fieldOf(info, 'general.architecture')
  const window = typeof architecture === 'string' ? numberAt(info, `${architecture}.context_length`) : null
  const parameters = fieldOf(shown, 'parameters')
  const text = typeof parameters === 'string' ? parameters.slice(0, 10_000) : ''
  const set = /^[ \t]{0,50}num_ctx[ \t]{1,50}(\d{1,9})[ \t]{0,50}$/m.exec(text)?.[1]
  const row = rowsIn(running, 'models').find((candidate) => isCalled(candidate, model))
  const loaded = numberAt(row, 'context_length') ?? numberIn(Number(set)) ?? ollamaDefault
  return { window, loaded: window === null ? loaded : Math.min(loaded, window), clips: true, models }
}

/** Facts in a list of models about one of them, or about the only one regardless of its name. */
function windowOf(rows: readonly unknown[], model: string | null): Pick<ServerFacts, 'window' | 'loaded'> {
  const row = rows.find((candidate) => model !== null && isCalled(candidate, model)) ?? (rows.length === 1 ? rows[0] : undefined)
  // vLLM and SGLang; LM Studio; the training window, which llama.cpp need not provide.
  const loaded = numberAt(row, 'max_model_len') ?? numberAt(row, 'loaded_context_length')
  const published = numberAt(row, 'context_length') ?? numberAt(row, 'max_context_length') ?? numberAt(row, 'context_window')
  const window = published ?? numberAt(row, 'meta', 'n_ctx_train')
  return { window: window ?? loaded, loaded }
}

/** Ollama adds the tag `latest` to a name without one. */
function isCalled(row: unknown, model: string): boolean {
  return ['id', 'name', 'model'].some((field) => [model, `${model}:latest`].includes(fieldOf(row, field) as string))
}

function namesIn(rows: readonly unknown[]): readonly string[] {
  const names = rows.flatMap((row) => {
    const name = fieldOf(row, 'id') ?? fieldOf(row, 'model') ?? fieldOf(row, 'name')
    return typeof name === 'string' && name !== '' && name.length <= 300 ? [name] : []
  })
  return [...new Set(names)].slice(0, maxModels)
}

function rowsIn(value: unknown, field: string): readonly unknown[] {
  const rows = Array.isArray(value) ? (value as readonly unknown[]) : fieldOf(value, field)
  return Array.isArray(rows) ? (rows as readonly unknown[]).slice(0, maxModels) : []
}

function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Readonly<Record<string, unknown>>)[name]
  }
  return current
}

function numberAt(value: unknown, ...path: readonly string[]): number | null {
  return numberIn(fieldOf(value, ...path))
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= 1_000_000_000 ? value : null
}
