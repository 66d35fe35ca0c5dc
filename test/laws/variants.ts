import { asLists, type SentRequest } from './check-laws.ts'
import type { RecordedConversation } from './recordings.ts'

/** A change to a conversation that clients make. */
export type Variant = (conversation: RecordedConversation) => VariedConversation

/** A conversation whose requests may fail, or go to other models. */
export type VariedConversation = Omit<RecordedConversation, 'requests'> & { readonly requests: readonly SentRequest[] }

/** Changes that clients make to a conversation, by name. */
export const variants = {
  'as recorded': (conversation) => conversation,
  'a model switch in the middle': (conversation) => ({
    ...conversation,
    requests: conversation.requests.map((request, index) => ({
      ...request,
      model: index * 2 < conversation.requests.length ? 'claude-opus-4-5' : 'gpt-5.4',
    })),
  }),
  'every third request fails': (conversation) => ({
    ...conversation,
    requests: conversation.requests.map((request, index) => ({ ...request, isAccepted: index % 3 !== 2 })),
  }),
  'list contents': (conversation) => ({
    ...conversation,
    requests: conversation.requests.map((request) => ({ ...request, messages: asLists(request.messages) })),
  }),
  'a first request with a long history': (conversation) => ({
    ...conversation,
    requests: conversation.requests.slice(Math.floor(conversation.requests.length / 2)),
  }),
  rewinds: (conversation) => ({ ...conversation, requests: conversation.requests.flatMap(rewound) }),
} as const satisfies Readonly<Record<string, Variant>>

/** After every eighth request the last messages are dropped, and another question is asked before the client comes back. */
function rewound(request: SentRequest, index: number): readonly SentRequest[] {
  if (index % 8 !== 7) return [request]
  const start = request.messages.findLastIndex(({ role }, at) => role === 'assistant' && at < request.messages.length - 4)
  if (start < 1) return [request]
  const asked = {
    id: `asked after ${request.messages[start - 1]?.id}`,
    role: 'user',
    parts: [{ type: 'text', text: 'Try something else.' }],
  } as const
  return [request, { ...request, messages: [...request.messages.slice(0, start), asked], at: request.at + 1000, usage: null }]
}
