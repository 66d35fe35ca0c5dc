import { type ConversationOptions, createConversation, type RequestConversation } from './conversation.ts'
import type { ConversationState } from './engine/prepare.ts'
import type { Codec } from './wire/dialect.ts'

/** Many conversations that share one host, such as a model object of a framework that several agents call at once. */
export interface Conversations {
  /** The conversation with this key; a new one if it is not known. */
  readonly of: (key: string) => RequestConversation
  readonly forget: (key: string) => void
  readonly size: () => number
}

/** How several conversations are carried on side by side. */
export interface ConversationsOptions extends Omit<ConversationOptions, 'codec' | 'state'> {
  readonly codec: Codec
  /** How many are kept; the one that was used longest ago goes first. Default: 1000. */
  readonly max?: number
  /** Where a conversation left off, if the host keeps that. Default: it starts anew. */
  readonly load?: (key: string) => ConversationState | undefined
}

/**
 * Keeps a conversation for each key. Requests in flight at once never meet: each prepared request carries what its own `accepted` needs.
 *
 * @example
 * const all = conversations({ codec: codecs['openai-chat'], policies: economyPolicies })
 * const prepared = all.of(threadId).next(body, { now: Date.now() })
 * all.of(threadId).accepted(answer.usage, prepared.sent)
 */
export function conversations({ max = 1000, load, ...options }: ConversationsOptions): Conversations {
  const known = new Map<string, RequestConversation>()
  return {
    of(key) {
      const found = known.get(key)
      if (found !== undefined) known.delete(key)
      const state = found === undefined ? load?.(key) : undefined
      const conversation = found ?? createConversation({ ...options, ...(state === undefined ? {} : { state }) })
      known.set(key, conversation)
      if (known.size > max) for (const oldest of known.keys()) if (known.size > max) known.delete(oldest)
      return conversation
    },
    forget: (key) => void known.delete(key),
    size: () => known.size,
  }
}
