import { factsOfSegment } from '../compaction/facts-of-segment.ts'
import { foldSegment } from '../compaction/fold-segment.ts'
import { quoteInstructions } from '../compaction/quote-instructions.ts'
import type { Segment } from '../compaction/segment.ts'
import { foldLine } from '../compaction/summary-template.ts'
import { writeSummary } from '../compaction/write-summary.ts'
import type { FoldEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { fitWindowName } from '../policy.ts'
import { handleOf } from '../text/hash.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { type Fitting } from './fitting.ts'

/**
 * Folds a run of messages into a summary of their originals; false where that would save nothing. The fold is told in messages of
 * the log, so that it can stand at the next request; messages that were put in for the view alone and stick out go with it.
 */
export function foldRun(fitting: Fitting, run: Segment, why: string): boolean {
  const { draft, facts, sources } = fitting
  const stored = run.messages.filter(({ id }) => sources.has(id))
  const [first, last] = [stored[0], stored.at(-1)]
  if (first === undefined || last === undefined) return false
  const segment = { ...run, messages: sources.between(first.id, last.id) ?? run.messages }
  const over = [...run.messages.slice(0, run.messages.indexOf(first)), ...run.messages.slice(run.messages.indexOf(last) + 1)].map(
    (message): FoldEdit => removal(message, why),
  )
  const shown = countMessages(run.messages, facts.tokens ?? estimator)
  for (const text of texts(segment, fitting, shown)) {
    const fold = foldSegment(segment, text, facts)
    if (fold === null) continue
    const edit: FoldEdit = { ...fold, id: `${fitWindowName}:${handleOf(fold.id)}`, policy: fitWindowName, why }
    if (draft.fold([edit, ...over])) return true
  }
  return false
}

/**
 * The whole template where that is much shorter than what it stands for and takes a small part of the window; else the user's
 * words, or their handles, and the way back; else the way back alone.
 */
function* texts(segment: Segment, { facts, draft, summaries }: Fitting, shown: number): Generator<string> {
  const tokens = facts.tokens ?? estimator
  const most = Math.floor(Math.min(shown / 2, draft.limit('target') / (summaries === 'full' ? 8 : 40)))
  if (summaries === 'full') {
    const summary = writeSummary(segment, facts)
    if (tokens.count(summary) <= most) yield summary
  }
  const { instructions, handle } = factsOfSegment(segment, facts)
  const line = foldLine(segment.messages.length, handle)
  for (const budget of instructions.length === 0 ? [] : [most, 0]) {
    const said = `${quoteInstructions(instructions, { budget, tokens, handle })}\n${line}`
    if (tokens.count(said) <= most * 1.5) yield said
  }
  yield line
}

function removal(message: Message, why: string): FoldEdit {
  return {
    id: `${fitWindowName}:${message.id}`,
    policy: fitWindowName,
    kind: 'fold',
    first: message.id,
    last: message.id,
    into: null,
    why,
  }
}
