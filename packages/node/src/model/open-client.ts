import { createBoundedFetch } from './bounded-fetch.ts'
import { findModel } from './choose-model.ts'
import { createModelClient, type ModelClientOptions } from './create-client.ts'
import type { ModelClient } from './model-client.ts'
import { overrideOf } from './model-knowledge.ts'
import { offlineModelName } from './offline/offline-model.ts'
import { localProvider } from './server-access.ts'

export interface OpenClientOptions extends ModelClientOptions {
  /** Told where the server gives the model little room, or less than it could have and cuts what is longer in silence. */
  readonly onSmallWindow?: (told: SmallWindow) => void
  readonly signal?: AbortSignal | undefined
}

export interface SmallWindow {
  readonly window: number
  readonly most: number | null
  /** Whether a longer prompt is cut without a word. */
  readonly clips: boolean
}

/**
 * A client for the model of that name. A server of one's own is asked first how much room it gives the model, for two seconds at
 * most, unless the configuration says it. Rejects with `ModelChoiceError` when something is missing to call the model.
 */
export async function openModelClient(options: OpenClientOptions): Promise<ModelClient> {
  const told = await askServer(options)
  const window = told?.loaded ?? told?.window ?? null
  if (told !== null && window !== null && isSmall(window, told))
    options.onSmallWindow?.({ window, most: told.window, clips: told.clips })
  return createModelClient(window === null ? options : { ...options, serverWindow: window })
}

/** With less than this an agent's own prompt and tools take most of the room. */
const littleRoom = 16_384

function isSmall(window: number, { window: most, clips }: ServerFacts): boolean {
  return window < littleRoom || (clips && most !== null && window < most)
}

/** What runs on machines of one's own; others have the windows that they publish. */
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
  /** `ollama`, `llamacpp`, or anything else for a server of which nothing but its address is known. */
  readonly provider: string
  /** The model that is asked about; null to learn only which there are. */
  readonly model: string | null
  readonly apiKey?: string | null | undefined
  readonly fetch?: typeof fetch | undefined
  readonly signal?: AbortSignal | undefined
}

interface ServerFacts {
  /** Tokens the model can have at most; null where the server does not say. */
  readonly window: number | null
  /** Tokens it has room for as it is loaded or would be; null where the server does not say. */
  readonly loaded: number | null
  /** Whether a prompt over that is cut without a word, from its beginning. */
  readonly clips: boolean
  readonly models: readonly string[]
}

/**
 * Asks a server what its models are and how much they can read: `/v1/models` (vLLM, LM Studio, llama.cpp and others), `/props`
 * (llama.cpp), `/api/tags`, `/api/show` and `/api/ps` (Ollama). Takes two seconds at most and never throws; null where nobody
 * answers in any of these ways.
 */
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
  const running = numberIn(fieldOf(props, 'default_generation_settings', 'n_ctx')) ?? numberIn(fieldOf(props, 'n_ctx'))
  if (models.length === 0 && running === null) return null
  return { window: told.window ?? running, loaded: running ?? told.loaded, clips: false, models }
}

/** What Ollama gives a model that nobody told otherwise, on most machines. */
const ollamaDefault = 4096
const mostBytes = 8 * 2 ** 20
const limitMs = 2000
const mostModels = 10_000

type Ask = (path: string, body: unknown) => Promise<unknown>

/** Asks for a path beside the address: with a body to be told something, without one to look. Undefined for whatever goes wrong. */
function createAsk({ url, apiKey, fetch: base, signal }: ProbeOptions): Ask {
  const bounded = createBoundedFetch({ mostBytes, fetch: base })
  const limit = AbortSignal.timeout(limitMs)
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
    } catch {
      // A server that is not there, or is another than was thought, is what this is to find out.
    }
    return undefined
  }
}

async function ollamaFacts(ask: Ask, model: string | null, models: readonly string[]): Promise<ServerFacts> {
  if (model === null) return { window: null, loaded: null, clips: true, models }
  const [shown, running] = await Promise.all([ask('../api/show', { model }), ask('../api/ps', null)])
  const info = fieldOf(shown, 'model_info')
  const architecture = fieldOf(info, 'general.architecture')
  const window = typeof architecture === 'string' ? numberIn(fieldOf(info, `${architecture}.context_length`)) : null
  const parameters = fieldOf(shown, 'parameters')
  const set =
    typeof parameters === 'string'
      ? /^[ \t]{0,50}num_ctx[ \t]{1,50}(\d{1,9})[ \t]{0,50}$/m.exec(parameters.slice(0, 10_000))?.[1]
      : undefined
  const row = rowsIn(running, 'models').find((candidate) => isCalled(candidate, model))
  const loaded = numberIn(fieldOf(row, 'context_length')) ?? numberIn(Number(set)) ?? ollamaDefault
  return { window, loaded: window === null ? loaded : Math.min(loaded, window), clips: true, models }
}

/** What a list of models says of one of them; of the only one, whatever it is called. */
function windowOf(
  rows: readonly unknown[],
  model: string | null,
): { readonly window: number | null; readonly loaded: number | null } {
  const row = rows.find((candidate) => model !== null && isCalled(candidate, model)) ?? (rows.length === 1 ? rows[0] : undefined)
  // vLLM and SGLang; LM Studio; what the model was trained with, which llama.cpp need not give it.
  const loaded = numberIn(fieldOf(row, 'max_model_len')) ?? numberIn(fieldOf(row, 'loaded_context_length'))
  const window =
    numberIn(fieldOf(row, 'context_length')) ??
    numberIn(fieldOf(row, 'max_context_length')) ??
    numberIn(fieldOf(row, 'context_window')) ??
    numberIn(fieldOf(row, 'meta', 'n_ctx_train'))
  return { window: window ?? loaded, loaded }
}

/** Ollama takes a name without a tag for its latest. */
function isCalled(row: unknown, model: string): boolean {
  return [fieldOf(row, 'id'), fieldOf(row, 'name'), fieldOf(row, 'model')].some(
    (name) => name === model || name === `${model}:latest`,
  )
}

function namesIn(rows: readonly unknown[]): readonly string[] {
  const names = rows.flatMap((row) => {
    const name = fieldOf(row, 'id') ?? fieldOf(row, 'model') ?? fieldOf(row, 'name')
    return typeof name === 'string' && name !== '' && name.length <= 300 ? [name] : []
  })
  return [...new Set(names)].slice(0, mostModels)
}

function rowsIn(value: unknown, field: string): readonly unknown[] {
  const rows = Array.isArray(value) ? (value as readonly unknown[]) : fieldOf(value, field)
  return Array.isArray(rows) ? (rows as readonly unknown[]).slice(0, mostModels) : []
}

function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let current = value
  for (const name of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined
    current = (current as Readonly<Record<string, unknown>>)[name]
  }
  return current
}

function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= 1_000_000_000 ? value : null
}
