import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { createBoundedFetch } from './bounded-fetch.ts'

/** A model that can be called: never a mere name, which the AI SDK would look up at a service of its maker. */
export type CallableModel = Exclude<LanguageModel, string>

/** Which model to talk to, and where. */
export interface LocalModelOptions {
  /** The model's name, as the server knows it. */
  readonly model: string
  /** Such as `http://127.0.0.1:8000/v1`. Default: OPENAI_BASE_URL. */
  readonly url?: string | undefined
  /** Where OPENAI_BASE_URL and OPENAI_API_KEY are looked up. Default: the process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The most bytes that one answer may have. Default: 64 MiB, some hundred thousand tokens as they come over the wire. */
  readonly mostBytes?: number
}

const mostBytesByDefault = 64 * 2 ** 20

/**
 * A model behind any server that speaks OpenAI's chat completions. The key comes from the environment alone and may be missing,
 * as with most local servers. Throws, saying what to set, when there is no usable address.
 */
export function createLocalModel(options: LocalModelOptions): CallableModel {
  const { model, url, environment = process.env, mostBytes = mostBytesByDefault } = options
  const source = url === undefined ? 'OPENAI_BASE_URL' : 'the model’s URL'
  const baseURL = checkUrl(url ?? environment['OPENAI_BASE_URL'], source)
  const apiKey = environment['OPENAI_API_KEY']
  const key = apiKey === undefined || apiKey === '' ? {} : { apiKey }
  const fetch = createBoundedFetch(mostBytes)
  return createOpenAICompatible({ name: 'local', baseURL, includeUsage: true, fetch, ...key }).chatModel(model)
}

/** The address is never repeated in an error: somebody may have put a password into it. */
function checkUrl(url: string | undefined, source: string): string {
  if (url === undefined || url === '')
    throw new Error('no model server is known: set OPENAI_BASE_URL to one that speaks OpenAI’s chat completions')
  const parsed = URL.parse(url)
  if (parsed === null || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:'))
    throw new Error(`${source}: expected an address such as http://127.0.0.1:8000/v1`)
  if (parsed.username !== '' || parsed.password !== '')
    throw new Error(`${source}: expected an address without a user name or password; a key belongs into OPENAI_API_KEY`)
  return url
}
