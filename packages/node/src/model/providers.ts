import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'
import { createBoundedFetch, type FindWatch } from './bounded-fetch.ts'
import { withCacheMarks } from './prompt-cache.ts'
import { createRepairingFetch } from './repairing-fetch.ts'
import {
  checkAddress,
  type Environment,
  keyIn,
  localProvider,
  ModelChoiceError,
  ollamaAddress,
  versioned,
} from './server-access.ts'

/** A model object, never a name, which the AI SDK would look up at a service of its maker. */
export type CallableModel = Extract<LanguageModel, { readonly specificationVersion: 'v4' }>

export interface ChooseModelOptions {
  /** The address of a server that speaks OpenAI’s chat completions. Default: by the name. */
  readonly url?: string | undefined
  /** Default: the process’s environment. */
  readonly environment?: Environment
  /** Default: 64 MiB. */
  readonly maxBytes?: number
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
  /** Names of models that are its own if no provider is named. */
  readonly knows?: RegExp
  /** The first that is set counts. */
  readonly keys: readonly string[]
  /** `at-home`: only at its own address, not at another with the same API. */
  readonly needsKey: 'always' | 'at-home' | 'never'
  readonly home: string
  /** The variable for another address, and how that is completed. Default: unchanged. */
  readonly elsewhere: { readonly variable: string; readonly complete?: (address: string) => string }
  /** Default: any server that speaks OpenAI's chat completions. */
  readonly create?: (access: ServerAccess, model: string) => CallableModel
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
    // With a colon it is one of Ollama’s.
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
  },
  {
    name: 'ollama',
    keys: ['OLLAMA_API_KEY'],
    needsKey: 'never',
    home: 'http://127.0.0.1:11434/v1',
    elsewhere: { variable: 'OLLAMA_HOST', complete: ollamaAddress },
  },
  {
    name: 'llamacpp',
    keys: ['LLAMA_API_KEY'],
    needsKey: 'never',
    home: 'http://127.0.0.1:8080/v1',
    elsewhere: { variable: 'LLAMACPP_BASE_URL', complete: (address) => versioned(address, 'v1') },
  },
]

export function isHome({ home }: Provider, address: string): boolean {
  return URL.parse(address)?.host === new URL(home).host
}

async function loadOpenai(...[access, model]: Parameters<LoadModel>): Promise<CallableModel> {
  const [{ createOpenAI }, library] = await Promise.all([import('@ai-sdk/openai'), import('ai')])
  const { defaultSettingsMiddleware, wrapLanguageModel } = library
  // OpenAI stores requests for a month unless told otherwise.
  const middleware = defaultSettingsMiddleware({ settings: { providerOptions: { openai: { store: false } } } })
  return wrapLanguageModel({ model: createOpenAI(access).responses(model), middleware })
}

type LoadModel = (access: ServerAccess & { readonly apiKey: string }, model: string) => Promise<CallableModel>

/** Without a key, libraries would look for one in the environment of the process: they get an empty one. */
function lazily(provider: string, load: LoadModel): NonNullable<Provider['create']> {
  return (access, modelId) =>
    createLazyModel({ provider, modelId }, () => load({ ...access, apiKey: access.apiKey ?? '' }, modelId))
}

/** Loads its library at the first call, so that opening a chat does not wait for it. */
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

export const maxBytesByDefault = 64 * 2 ** 20

/** Access to any server that speaks OpenAI's chat completions. Throws without a usable address. */
export function localAccess(options: ChooseModelOptions): ServerAccess {
  const { url, environment = process.env, maxBytes = maxBytesByDefault, fetch, watch } = options
  const address = url ?? environment['OPENAI_BASE_URL'] ?? ''
  if (address === '' && url === undefined) {
    const message = 'no model server is known: set OPENAI_BASE_URL to one that offers the OpenAI chat completions API'
    throw new ModelChoiceError({ kind: 'no-server' }, message)
  }
  const baseURL = checkAddress(address, url === undefined ? 'OPENAI_BASE_URL' : null)
  const apiKey = keyIn(environment, ['OPENAI_API_KEY'])
  return { baseURL, apiKey, fetch: createBoundedFetch({ maxBytes, fetch, watch }) }
}

/** A model on a server with OpenAI's chat completions. Its options for later requests are stored under `name`. */
export function compatibleModel(access: ServerAccess, model: string, name: string = localProvider): CallableModel {
  const { baseURL, apiKey, fetch } = access
  return createOpenAICompatible({
    name,
    baseURL,
    includeUsage: true,
    fetch: createRepairingFetch(fetch),
    transformRequestBody(body: Record<string, unknown>) {
      const { max_tokens: limit, ...rest } = body
      const isRenamed = isReasoner.test(model) && limit !== undefined
      return withCacheMarks(isRenamed ? { ...rest, max_completion_tokens: limit } : body)
    },
    ...(apiKey === null ? {} : { apiKey }),
  }).chatModel(model)
}

/** OpenAI rejects the older name of the limit for its reasoning models. */
const isReasoner = /^(?:openai\/)?(?:o[1-9](?:-|$)|gpt-[5-9])/
