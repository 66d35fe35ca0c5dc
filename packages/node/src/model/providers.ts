import { createLazyModel } from './lazy-model.ts'
import { type CallableModel, compatibleModel, type ServerAccess } from './local-model.ts'
import { ollamaAddress, versioned } from './server-address.ts'

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
