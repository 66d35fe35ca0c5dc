import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { createBoundedFetch, type FindWatch } from './bounded-fetch.ts'
import { withCacheMarks } from './cache-marks.ts'
import { type Environment, keyIn } from './key.ts'
import { createMendingFetch } from './mending-fetch.ts'
import { ModelChoiceError } from './model-choice-error.ts'
import { checkAddress } from './server-address.ts'

/** A model that can be called: never a mere name, which the AI SDK would look up at a service of its maker. */
export type CallableModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>

/** Which model to talk to, and where. */
export interface LocalModelOptions {
  /** The model's name, as the server knows it. */
  readonly model: string
  /** Such as `http://127.0.0.1:8000/v1`. Default: OPENAI_BASE_URL. */
  readonly url?: string | undefined
  /** Where OPENAI_BASE_URL and OPENAI_API_KEY are looked up. Default: the process's environment. */
  readonly environment?: Environment
  /** The most bytes that one answer may have. Default: 64 MiB, some hundred thousand tokens as they come over the wire. */
  readonly mostBytes?: number
  /** How servers are asked. Default: the built-in function. */
  readonly fetch?: typeof fetch | undefined
  /** Sees what goes over the wire. Default: nobody does. */
  readonly watch?: FindWatch | undefined
}

/** How a server is reached. */
export interface ServerAccess {
  readonly baseURL: string
  /** Null where there is none, and none is sent. */
  readonly apiKey: string | null
  readonly fetch: typeof fetch
}

/** The most bytes that one answer may have where nothing else is said. */
export const mostBytesByDefault = 64 * 2 ** 20

/**
 * A model behind any server that speaks OpenAI's chat completions. The key comes from the environment alone and may be missing,
 * as with most local servers. Throws, saying what to set, when there is no usable address.
 */
export function createLocalModel(options: LocalModelOptions): CallableModel {
  return compatibleModel(localAccess(options), options.model)
}

/** How that server is reached. Throws as `createLocalModel` does. */
export function localAccess(options: LocalModelOptions): ServerAccess {
  const { url, environment = process.env, mostBytes = mostBytesByDefault, fetch, watch } = options
  const address = url ?? environment['OPENAI_BASE_URL'] ?? ''
  if (address === '' && url === undefined)
    throw new ModelChoiceError(
      { kind: 'no-server' },
      'no model server is known: set OPENAI_BASE_URL to one that speaks OpenAI’s chat completions',
    )
  const baseURL = checkAddress(address, url === undefined ? 'OPENAI_BASE_URL' : null)
  const apiKey = keyIn(environment, ['OPENAI_API_KEY'])
  return { baseURL, apiKey, fetch: createBoundedFetch({ mostBytes, fetch, watch }) }
}

/** The name of whoever runs a model behind an address that was given. */
export const localProvider = 'local'

/** A model behind a server that speaks OpenAI's chat completions. What the server wants back with an answer is kept under `name`. */
export function compatibleModel(
  { baseURL, apiKey, fetch }: ServerAccess,
  model: string,
  name: string = localProvider,
): CallableModel {
  return createOpenAICompatible({
    name,
    baseURL,
    includeUsage: true,
    fetch: createMendingFetch(fetch),
    transformRequestBody: (body) => withCacheMarks(isReasoner.test(model) ? withCompletionLimit(body) : body),
    ...(apiKey === null ? {} : { apiKey }),
  }).chatModel(model)
}

/** OpenAI's models that think, which it refuses to call with the older name of the limit. */
const isReasoner = /^(?:openai\/)?(?:o[1-9](?:-|$)|gpt-[5-9])/

function withCompletionLimit(body: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens: limit, ...rest } = body
  return limit === undefined ? body : { ...rest, max_completion_tokens: limit }
}
