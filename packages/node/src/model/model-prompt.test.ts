import { createConversation, createEconomyPolicies, type Message } from '@plimsoll/core'
import { expect, it } from 'vitest'
import { user } from '../../../core/src/testing/messages.ts'
import { modelPrompt } from './model-prompt.ts'
import { ownParts } from './tool-request.ts'

const signed: Message = {
  id: 'a',
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: 'hm', providerOptions: { own: { signature: 'x' } } },
    { type: 'text', text: 'done' },
  ],
}

it.each(['anthropic', 'openai-chat', 'ai-sdk'] as const)(
  'signed thoughts of a round that is over leave nothing behind in a prompt for %s, those of the running one stand',
  (behind) => {
    const running: Message = { ...signed, id: 'b' }
    const session = [user('u', 'go'), signed, user('v', 'on'), running]
    const { messages } = createConversation({ policies: createEconomyPolicies() }).next(session, {})
    const prompt = modelPrompt(ownParts(messages, 'own', true), { behind, marks: new Map(), systemMark: null })
    const types = prompt.map(({ content }) => (typeof content === 'string' ? [] : content.map(({ type }) => type)))
    expect(types).toEqual([['text'], ['text'], ['text'], ['reasoning', 'text']])
  },
)
