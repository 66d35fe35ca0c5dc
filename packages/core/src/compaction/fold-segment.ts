import type { FoldEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import type { Message } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { countMessage, countMessages, estimator } from '../tokens/count-tokens.ts'
import { factsOfSegment } from './facts-of-segment.ts'
import type { Segment } from './segment.ts'

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
