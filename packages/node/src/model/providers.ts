import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { createBoundedFetch, type FindWatch } from './bounded-fetch.ts'
import { createMendingFetch } from './mending-fetch.ts'
import { withCacheMarks } from './prompt-cache.ts'
import {
  checkAddress,
  type Environment,
  keyIn,
  localProvider,
  ModelChoiceError,
  ollamaAddress,
  versioned,
} from './server-access.ts'

/** Whoever runs models, and how they are reached. */
export interface Provider {
  /** What stands before the slash in `provider/model`. */
  readonly name: string
  /** Models that are known to be its own when no provider is named. */
  readonly knows?: RegExp
  /** The variables a key may be in; the first that is set counts. */
  readonly keys: readonly string[]
  /** `at-home`: only at its own address, not at another that speaks the same. */
  readonly needsKey: 'always' | 'at-home' | 'never'
  /** Its own address. */
  readonly home: string
  /** The variable for another one, and how that is completed. Default: it is taken as it is. */
  readonly elsewhere: { readonly variable: string; readonly complete?: (address: string) => string }
  readonly create: (access: ServerAccess, model: string) => CallableModel
}

const openai: Provider = {
  name: 'openai',
  knows: /^(?:gpt-(?!oss)|chatgpt-|o[1-9](?:-|$))/,
  keys: ['OPENAI_API_KEY'],
  needsKey: 'at-home',
  home: 'https://api.openai.com/v1',
  elsewhere: { variable: 'OPENAI_BASE_URL' },
  create: (access, model) =>
    isHome(openai, access.baseURL) ? openaiModel(access, model) : compatibleModel(access, model, 'openai'),
}

/** All providers, one row each. */
export const providers: readonly Provider[] = [
  openai,
  {
    name: 'anthropic',
    knows: /^claude-/,
    keys: ['ANTHROPIC_API_KEY'],
    needsKey: 'always',
    home: 'https://api.anthropic.com/v1',
    elsewhere: { variable: 'ANTHROPIC_BASE_URL', complete: (address) => versioned(address, 'v1') },
    create: (access, modelId) =>
      createLazyModel({ provider: 'anthropic.messages', modelId }, async () => {
        const { createAnthropic } = await import('@ai-sdk/anthropic')
        return createAnthropic(withKey(access))(modelId)
      }),
  },
  {
    name: 'google',
    knows: /^gemini-/,
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    needsKey: 'always',
    home: 'https://generativelanguage.googleapis.com/v1beta',
    elsewhere: { variable: 'GOOGLE_GEMINI_BASE_URL', complete: (address) => versioned(address, 'v1beta') },
    create: (access, modelId) =>
      createLazyModel({ provider: 'google.generative-ai', modelId }, async () => {
        const { createGoogle } = await import('@ai-sdk/google')
        return createGoogle(withKey(access))(modelId)
      }),
  },
  {
    name: 'deepseek',
    // With a colon it is a name of Ollama's.
    knows: /^deepseek-[^:]+$/,
    keys: ['DEEPSEEK_API_KEY'],
    needsKey: 'always',
    home: 'https://api.deepseek.com',
    elsewhere: { variable: 'DEEPSEEK_BASE_URL' },
    create: (access, modelId) =>
      createLazyModel({ provider: 'deepseek.chat', modelId }, async () => {
        const { createDeepSeek } = await import('@ai-sdk/deepseek')
        return createDeepSeek(withKey(access))(modelId)
      }),
  },
  {
    name: 'openrouter',
    keys: ['OPENROUTER_API_KEY'],
    needsKey: 'always',
    home: 'https://openrouter.ai/api/v1',
    elsewhere: { variable: 'OPENROUTER_BASE_URL' },
    create: (access, model) => compatibleModel(access, model, 'openrouter'),
  },
  {
    name: 'ollama',
    keys: ['OLLAMA_API_KEY'],
    needsKey: 'never',
    home: 'http://127.0.0.1:11434/v1',
    elsewhere: { variable: 'OLLAMA_HOST', complete: ollamaAddress },
    create: (access, model) => compatibleModel(access, model, 'ollama'),
  },
  {
    name: 'llamacpp',
    keys: ['LLAMA_API_KEY'],
    needsKey: 'never',
    home: 'http://127.0.0.1:8080/v1',
    elsewhere: { variable: 'LLAMACPP_BASE_URL', complete: (address) => versioned(address, 'v1') },
    create: (access, model) => compatibleModel(access, model, 'llamacpp'),
  },
]

/** Whether an address is the provider's own. */
export function isHome({ home }: Provider, address: string): boolean {
  return URL.parse(address)?.host === new URL(home).host
}

/** OpenAI keeps what its newer interface is sent for a month, unless it is told not to. */
function openaiModel(access: ServerAccess, modelId: string): CallableModel {
  const settings = { providerOptions: { openai: { store: false } } }
  return createLazyModel({ provider: 'openai.responses', modelId }, async () => {
    const [{ createOpenAI }, { defaultSettingsMiddleware, wrapLanguageModel }] = await Promise.all([
      import('@ai-sdk/openai'),
      import('ai'),
    ])
    const model = createOpenAI(withKey(access)).responses(modelId)
    return wrapLanguageModel({ model, middleware: defaultSettingsMiddleware({ settings }) })
  })
}

/** Without a key of ours these would look for one themselves, in the environment of the process. */
function withKey({ baseURL, apiKey, fetch }: ServerAccess) {
  return { baseURL, fetch, apiKey: apiKey ?? '' }
}

/** A model whose library is loaded when it is first called: somebody who opens a chat waits for none of them. */
export function createLazyModel(
  { provider, modelId }: Pick<CallableModel, 'provider' | 'modelId'>,
  load: () => Promise<CallableModel>,
): CallableModel {
  let loading: Promise<CallableModel> | null = null
  const loaded = () => {
    loading ??= load()
    return loading
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    get supportedUrls() {
      return loaded().then((model) => model.supportedUrls)
    },
    doGenerate: async (options) => (await loaded()).doGenerate(options),
    doStream: async (options) => (await loaded()).doStream(options),
  }
}

/** A model that can be called: never a mere name, which the AI SDK would look up at a service of its maker. */
export type CallableModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>

/** Which model to talk to, and where. */
interface LocalModelOptions {
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
interface ServerAccess {
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
