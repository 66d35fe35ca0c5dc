import { type ConversationOptions, createConversation, type RequestConversation } from './conversation.ts'
import type { ConversationState } from './engine/prepare.ts'
import { isUnknownHandle } from './recall/find-original.ts'
import type { Codec } from './wire/dialect.ts'

/** Conversations that share one host, such as a framework's model object that several agents call at once. */
export interface Conversations {
  /** Returns the conversation with this key, or a new one. */
  readonly of: (key: string) => RequestConversation
  /** Answers a model's call of `recallTool` from the conversation that has the handle, the latest first. For hosts whose tools do not know theirs. */
  readonly recall: (input: unknown) => string
  readonly forget: (key: string) => void
  readonly size: () => number
}

export interface ConversationsOptions extends Omit<ConversationOptions, 'codec' | 'state'> {
  readonly codec: Codec
  /** Maximum number kept; the least recently used goes first. Default: 1000. */
  readonly max?: number
  /** Loads the state of a conversation. Default: it starts from scratch. */
  readonly load?: (key: string) => ConversationState | undefined
}

/**
 * Keeps a conversation for each key. Open requests do not interfere: each prepared one has what its own `accepted` needs.
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
    recall(input) {
      let first: string | null = null
      for (const conversation of [...known.values()].reverse()) {
        const answer = conversation.recall(input)
        first ??= answer
        if (!isUnknownHandle(answer)) return answer
      }
      return first ?? createConversation(options).recall(input)
    },
    forget: (key) => void known.delete(key),
    size: () => known.size,
  }
}
