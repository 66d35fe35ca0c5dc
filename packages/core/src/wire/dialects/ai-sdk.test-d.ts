import type { ModelMessage } from 'ai'
import { expectTypeOf, it } from 'vitest'
import { aiSdkMessages } from '../../testing/ai-sdk-messages.ts'
import { codecs, detectCodec } from '../codecs.ts'
import type { Codec } from '../dialect.ts'

it("takes the AI SDK's own messages", () => {
  expectTypeOf(aiSdkMessages).toEqualTypeOf<ModelMessage[]>()
  expectTypeOf(codecs['ai-sdk'].read).toBeCallableWith(aiSdkMessages)
})

it('names every codec', () => {
  expectTypeOf<keyof typeof codecs>().toEqualTypeOf<'openai-chat' | 'anthropic' | 'ai-sdk' | 'openai-responses' | 'gemini'>()
  expectTypeOf(detectCodec).returns.toEqualTypeOf<Codec | null>()
})
