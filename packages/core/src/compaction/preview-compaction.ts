import type { FoldEdit } from '../edit.ts'
import { configOf, type Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { countMessage, countMessages, estimator } from '../tokens/count-tokens.ts'
import { foldSegment } from './fold-segment.ts'
import { planCompaction } from './plan-compaction.ts'
import type { Segment } from './segment.ts'
import { writeSummary } from './write-summary.ts'

/** What a compaction would do, before it is done. */
export interface CompactionPreview {
  readonly segment: Segment
  /** The summary as code alone would write it. */
  readonly text: string
  /** Null when the conversation would not get smaller, so that nothing would be done. */
  readonly fold: FoldEdit | null
  /** Tokens of the messages that would be folded, and of what would stand for them. */
  readonly foldedTokens: number
  readonly summaryTokens: number
  /** Tokens of the whole conversation, as it is and as it would be. */
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/** What may differ from the settings. */
export interface PreviewOptions {
  readonly focus?: string
  /** Default: the setting. */
  readonly keepRounds?: number
}

/** What compacting this conversation would do; null when there is nothing to fold. */
export function previewCompaction(
  messages: readonly Message[],
  facts: Facts,
  { focus, keepRounds }: PreviewOptions = {},
): CompactionPreview | null {
  const { keep_rounds, min_messages } = configOf(facts).compaction
  const pins = facts.pins ?? []
  const segment = planCompaction(messages, { keepRounds: keepRounds ?? keep_rounds, minMessages: min_messages, pins })
  if (segment === null) return null
  const text = writeSummary(segment, facts, focus === undefined ? {} : { focus })
  const fold = foldSegment(segment, text, facts)
  const tokenizer = facts.tokens ?? estimator
  const tokensBefore = countMessages(messages, tokenizer)
  const foldedTokens = countMessages(segment.messages, tokenizer)
  const summaryTokens = fold === null || fold.into === null ? tokenizer.count(text) : countMessage(fold.into, tokenizer)
  const tokensAfter = fold === null ? tokensBefore : tokensBefore - foldedTokens + summaryTokens
  return { segment, text, fold, foldedTokens, summaryTokens, tokensBefore, tokensAfter }
}
