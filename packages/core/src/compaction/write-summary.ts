import type { FoldEdit } from '../edit.ts'
import { configOf, type Facts, reasonsOf } from '../facts.ts'
import type { Message } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { oneLine } from '../text/labels.ts'
import { countMessage, countMessages, estimator } from '../tokens/count-tokens.ts'
import { factsOfSegment, type SegmentFacts } from './facts-of-segment.ts'
import { codeSpan, quoteInstructions } from './quote-instructions.ts'
import type { Segment } from './rounds.ts'
import { renderSummary, type SummaryContent } from './summary-template.ts'

export interface WriteOptions {
  /** Statements that share a word with this are kept before others. */
  readonly focus?: string
}

/** Fills the template without a model. Deterministic; a small segment gets a shorter text. */
export function writeSummary(segment: Segment, facts: Facts, options: WriteOptions = {}): string {
  const tokenizer = facts.tokens ?? estimator
  const source = countMessages(segment.messages, tokenizer)
  const read = factsOfSegment(segment, facts)
  let text = ''
  for (const detail of details) {
    text = renderSummary(contentOf(read, segment, facts, source, detail, options.focus))
    if (tokenizer.count(text) <= source / 2) break
  }
  return text
}

/** Learnings added to any summary: unresolved errors, and names still in use. */
export function openEnds({ errors, names }: Pick<SegmentFacts, 'errors' | 'names'>): readonly string[] {
  return [
    // Tool output is marked as such.
    ...errors.map(({ about, line }) => `not resolved: ${codeSpan(about)}: ${codeSpan(line)}`),
    ...(names.length === 0 ? [] : [`still in use: ${names.join(', ')}`]),
  ]
}

export function instructionsOf({ instructions, handle }: SegmentFacts, facts: Facts, source: number, share: number): string {
  const budget = Math.min(configOf(facts).compaction.instruction_tokens, Math.floor(source * share))
  return quoteInstructions(instructions, { budget, tokens: facts.tokens ?? estimator, handle })
}

const details = [
  { milestones: 40, statements: 15, errors: 10, names: 30, width: 200, quoted: 0.5 },
  { milestones: 15, statements: 5, errors: 5, names: 15, width: 120, quoted: 0.25 },
  { milestones: 3, statements: 2, errors: 2, names: 5, width: 60, quoted: 0.1 },
] as const

type Detail = (typeof details)[number]

function contentOf(
  read: SegmentFacts,
  segment: Segment,
  facts: Facts,
  source: number,
  detail: Detail,
  focus: string | undefined,
): SummaryContent {
  const wanted = createWanted(focus)
  const statements = (list: readonly string[]) =>
    chosen(list, detail.statements, wanted).map((item) => oneLine(item, detail.width * 2))
  return {
    ...read,
    goal: oneLine(read.goal, detail.width * 2),
    milestones: milestoneLines(read, detail, wanted),
    decisions: statements(read.decisions),
    learnings: [
      ...statements(read.learnings),
      ...openEnds({ errors: read.errors.slice(-detail.errors), names: read.names.slice(0, detail.names) }),
    ],
    // All of these are quoted below as far as there is room; only the latest are repeated here.
    preferences: statements(read.preferences).slice(-5),
    instructions: instructionsOf(read, facts, source, detail.quoted),
    folded: segment.messages.length,
  }
}

function milestoneLines(
  { milestones, handle }: SegmentFacts,
  detail: Detail,
  wanted: (text: string) => boolean,
): readonly string[] {
  // A round without answer or work is not a milestone; its request is still quoted.
  const worked = milestones.filter(({ answered, calls }) => answered !== '' || calls > 0)
  const lines = worked.map(({ asked, answered, calls }) => {
    const result = answered === '' ? `no answer recorded after ${calls} tool calls` : oneLine(answered, detail.width)
    return `${oneLine(asked, detail.width / 2) || 'a message without text'} - ${result}`
  })
  const kept = chosen(lines, detail.milestones, wanted)
  return kept.length === lines.length ? kept : [...kept, `${lines.length - kept.length} more - recall ${handle}`]
}

function chosen(items: readonly string[], max: number, wanted: (text: string) => boolean): readonly string[] {
  if (items.length <= max) return items
  const places = items.map((_, index) => index)
  const rank = (index: number) => (wanted(items[index] as string) ? 0 : 1)
  const best = places.toSorted((a, b) => rank(a) - rank(b) || b - a).slice(0, max)
  return best.toSorted((a, b) => a - b).map((index) => items[index] as string)
}

function createWanted(focus: string | undefined): (text: string) => boolean {
  const wish = (focus ?? '').slice(0, 2000).toLowerCase()
  const words = (wish.match(/[\p{L}\p{N}_]{3,40}|\p{Script=Han}{2,20}/gu) ?? []).slice(0, 50)
  return (text) => {
    const lower = text.toLowerCase()
    return words.some((word) => lower.includes(word))
  }
}

/** The edit that replaces a segment with a summary; null if that saves nothing. */
export function foldSegment(segment: Segment, text: string, facts: Facts): FoldEdit | null {
  const first = segment.messages[0]
  const last = segment.messages.at(-1)
  if (first === undefined || last === undefined) return null
  const { handle } = factsOfSegment(segment, facts)
  // Two stretches of a conversation may have the same text, so the id includes their places.
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
