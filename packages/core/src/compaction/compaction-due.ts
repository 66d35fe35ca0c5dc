import type { Config } from '../config.ts'
import type { Message } from '../message.ts'
import { countCodePoints } from '../text/code-points.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'

/** What the decision to compact is made of. */
export interface CompactionDueInput {
  /** The conversation, with or without what the user has just typed. */
  readonly messages: readonly Message[]
  /** All tokens of the last request and its answer, as the provider counted them. Null where it did not. Default: null. */
  readonly lastUsage?: number | null
  /** Tokens of the request as known here. Default: the estimate of the messages. */
  readonly load?: number
  /** What the user has just typed, where it is in neither number yet. Default: nothing. */
  readonly userInput?: string
  readonly config: Pick<Config, 'context_window' | 'compaction'>
}

/**
 * Whether it is time to compact: the provider's count, or the local one where that is larger, plus a third of the characters of
 * the new input has reached the threshold, and there is a conversation at all. The same before every model call.
 */
export function compactionDue({ messages, lastUsage, load, userInput = '', config }: CompactionDueInput): boolean {
  const { threshold, min_messages } = config.compaction
  if (messages.length < min_messages) return false
  const local = counted(load) ?? countMessages(messages, estimator)
  const total = Math.max(counted(lastUsage) ?? 0, local) + Math.floor(countCodePoints(userInput) / 3)
  return total >= threshold * config.context_window
}

/** Relays report nothing, zero or nonsense; none of it may stop the local count from being used. */
function counted(tokens: number | null | undefined): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0 ? tokens : null
}
