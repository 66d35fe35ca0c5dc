import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'

/** Models of the AI SDK's own providers at one address, by the provider's name. */
export function aiSdkModels(url: string, apiKey: string) {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey })
  return {
    openai: openai.chat('gpt-4.1'),
    'openai-responses': openai.responses('gpt-4.1'),
    'openai-compatible': createOpenAICompatible({ name: 'local', baseURL: `${url}/v1`, apiKey, includeUsage: true })('gpt-4.1'),
    anthropic: createAnthropic({ baseURL: `${url}/v1`, apiKey })('claude-sonnet-5'),
    google: createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })('gemini-2.5-pro'),
  } satisfies Record<string, LanguageModel>
}
