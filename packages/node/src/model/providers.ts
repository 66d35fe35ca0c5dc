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

/** A model that can be called: never a mere name, which the AI SDK would look up at a service of its maker. */
export type CallableModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>

/** Where a model is looked for, and how its server is asked. */
export interface ChooseModelOptions {
  /** The address of a server that speaks OpenAI's chat completions and knows the model by its whole name. Default: by the name. */
  readonly url?: string | undefined
  /** Where keys and addresses are looked up. Default: the process's environment. */
  readonly environment?: Environment
  /** The most bytes that one answer may have. Default: 64 MiB, some hundred thousand tokens as they come over the wire. */
  readonly mostBytes?: number
  readonly fetch?: typeof fetch | undefined
  readonly watch?: FindWatch | undefined
}

interface ServerAccess {
  readonly baseURL: string
  readonly apiKey: string | null
  readonly fetch: typeof fetch
}

export interface Provider {
  readonly name: string
  /** Models that are known to be its own when no provider is named. */
  readonly knows?: RegExp
  /** The variables a key may be in; the first that is set counts. */
  readonly keys: readonly string[]
  /** `at-home`: only at its own address, not at another that speaks the same. */
  readonly needsKey: 'always' | 'at-home' | 'never'
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
    isHome(openai, access.baseURL)
      ? lazily('openai.responses', loadOpenai)(access, model)
      : compatibleModel(access, model, 'openai'),
}

export const providers: readonly Provider[] = [
  openai,
  {
    name: 'anthropic',
    knows: /^claude-/,
    keys: ['ANTHROPIC_API_KEY'],
    needsKey: 'always',
    home: 'https://api.anthropic.com/v1',
    elsewhere: { variable: 'ANTHROPIC_BASE_URL', complete: (address) => versioned(address, 'v1') },
    create: lazily('anthropic.messages', async (access, model) =>
      (await import('@ai-sdk/anthropic')).createAnthropic(access)(model),
    ),
  },
  {
    name: 'google',
    knows: /^gemini-/,
    keys: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'],
    needsKey: 'always',
    home: 'https://generativelanguage.googleapis.com/v1beta',
    elsewhere: { variable: 'GOOGLE_GEMINI_BASE_URL', complete: (address) => versioned(address, 'v1beta') },
    create: lazily('google.generative-ai', async (access, model) => (await import('@ai-sdk/google')).createGoogle(access)(model)),
  },
  {
    name: 'deepseek',
    // With a colon it is a name of Ollama's.
    knows: /^deepseek-[^:]+$/,
    keys: ['DEEPSEEK_API_KEY'],
    needsKey: 'always',
    home: 'https://api.deepseek.com',
    elsewhere: { variable: 'DEEPSEEK_BASE_URL' },
    create: lazily('deepseek.chat', async (access, model) => (await import('@ai-sdk/deepseek')).createDeepSeek(access)(model)),
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

export function isHome({ home }: Provider, address: string): boolean {
  return URL.parse(address)?.host === new URL(home).host
}

async function loadOpenai(access: ServerAccess & { readonly apiKey: string }, model: string): Promise<CallableModel> {
  const [{ createOpenAI }, { defaultSettingsMiddleware, wrapLanguageModel }] = await Promise.all([
    import('@ai-sdk/openai'),
    import('ai'),
  ])
  // OpenAI keeps what its newer interface is sent for a month, unless it is told not to.
  const settings = { providerOptions: { openai: { store: false } } }
  const middleware = defaultSettingsMiddleware({ settings })
  return wrapLanguageModel({ model: createOpenAI(access).responses(model), middleware })
}

/** Libraries that are given no key would look for one themselves, in the environment of the process: they are given an empty one. */
function lazily(
  provider: string,
  load: (access: ServerAccess & { readonly apiKey: string }, model: string) => Promise<CallableModel>,
): Provider['create'] {
  return (access, modelId) =>
    createLazyModel({ provider, modelId }, () => load({ ...access, apiKey: access.apiKey ?? '' }, modelId))
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

export const mostBytesByDefault = 64 * 2 ** 20

/**
 * How to reach any server that speaks OpenAI's chat completions. The key comes from the environment alone and may be missing, as with
 * most local servers. Throws, saying what to set, when there is no usable address.
 */
export function localAccess(options: ChooseModelOptions): ServerAccess {
  const { url, environment = process.env, mostBytes = mostBytesByDefault, fetch, watch } = options
  const address = url ?? environment['OPENAI_BASE_URL'] ?? ''
  if (address === '' && url === undefined) {
    const message = 'no model server is known: set OPENAI_BASE_URL to one that speaks OpenAI’s chat completions'
    throw new ModelChoiceError({ kind: 'no-server' }, message)
  }
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
