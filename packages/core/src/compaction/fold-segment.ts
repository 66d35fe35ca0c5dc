import type { FoldEdit } from '../edit.ts'
import { configOf, type Facts, reasonsOf } from '../facts.ts'
import type { Message } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { countMessage, countMessages, estimator } from '../tokens/count-tokens.ts'
import { factsOfSegment } from './facts-of-segment.ts'
import { planCompaction } from './plan-compaction.ts'
import type { Segment } from './rounds.ts'
import { writeSummary } from './write-summary.ts'

/**
 * The edit that shows a summary in place of a segment's messages; null when that would not make the conversation smaller. Its
 * ids come from the messages, so that the same segment always gives the same edit.
 */
export function foldSegment(segment: Segment, text: string, facts: Facts): FoldEdit | null {
  const first = segment.messages[0]
  const last = segment.messages.at(-1)
  if (first === undefined || last === undefined) return null
  const { handle } = factsOfSegment(segment, facts)
  // Two stretches of one conversation may read the same; their places tell them apart.
  const id = handleOf(`${handle}\n${first.id}\n${last.id}`)
  const at = segment.messages.findLast((message) => typeof message.at === 'number')?.at
  const into: Message = {
    id: `summary:${id}`,
    role: 'system',
    parts: [{ type: 'text', text }],
    ...(at === undefined ? {} : { at }),
    summary: true,
  }
  const tokenizer = facts.tokens ?? estimator
  if (countMessage(into, tokenizer) >= countMessages(segment.messages, tokenizer)) return null
  const { folded, kept } = segment.rounds
  return {
    id: `compaction:${id}`,
    policy: 'compaction',
    why: reasonsOf(facts).roundsFolded(segment.messages.length, folded, kept),
    kind: 'fold',
    first: first.id,
    last: last.id,
    into,
  }
}

/** What a compaction would do, before it is done. */
export interface CompactionPreview {
  readonly segment: Segment
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

interface PreviewOptions {
  readonly focus?: string
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
