import { type Message, resultText, type ToolResultPart } from '@plimsoll/core'
import { getOrMake } from '../../shared/get-or-make.ts'
import { isOwnText, type Need, type Supplier } from '../needs/need.ts'
import { holds } from '../needs/need-match.ts'
import type { RecordedSession } from '../record-session.ts'

/**
 * The maximum that trimming results by lines can save with all needs in view: from first sight, each result shows only the
 * lines with later needs, and a need in several results is shown in one of them. Calls and reasoning stay, and
 * pauses are billed, so a set that shortens those too, or keeps the cache alive, may save more.
 */
export function oracle(session: RecordedSession, needs: readonly Need[]): (message: Message) => Message {
  const kept = keptLines(session, needs)
  return showResults((part) => {
    const all = linesOf(part)
    const some = kept.get(part)
    if (some?.size === all.length) return null
    const shown = all.filter((_, index) => some?.has(index) === true)
    return shown.length === 0 ? noOutputLine : shown.join('\n')
  })
}

type KeptLines = Map<ToolResultPart, Set<number>>

function keptLines(session: RecordedSession, needs: readonly Need[]): KeptLines {
  const results = resultsOf(session)
  const kept: KeptLines = new Map()
  for (const need of needs.toSorted((a, b) => a.step - b.step)) {
    // Calls and reasoning are shown unchanged, so their needs are in view.
    if (need.suppliers.some(isOwnText)) continue
    const parts = need.suppliers.flatMap((supplier) => results.get(placeOf(supplier)) ?? []).map(({ part }) => part)
    if (!parts.some((part) => isKept(part, kept.get(part), need))) keepNewest(parts, need, kept)
  }
  return kept
}

/** Results by their places. A message in several segments may be written differently in each. */
function resultsOf({ segments }: RecordedSession) {
  const placed = [...new Set(segments.flat())].flatMap((message) =>
    message.parts.flatMap((part, index) =>
      part.type === 'tool-result' ? [{ part, place: placeOf({ message: message.id, part: index }) }] : [],
    ),
  )
  return Map.groupBy(placed, ({ place }) => place)
}

function placeOf({ message, part }: Pick<Supplier, 'message' | 'part'>): string {
  return `${message}.${part}`
}

function isKept(part: ToolResultPart, kept: ReadonlySet<number> | undefined, need: Need): boolean {
  if (kept === undefined) return false
  const all = linesOf(part)
  for (const index of kept) if (holds(need.class, all[index] as string, need.text)) return true
  return false
}

/** The newest result with the need is sent least often. */
function keepNewest(parts: readonly ToolResultPart[], need: Need, kept: KeptLines): void {
  for (const part of parts) {
    const all = linesOf(part)
    const exact = all.findIndex((line) => holds(need.class, line, need.text))
    const found = exact >= 0 ? exact : all.findIndex((line) => line.includes(need.text))
    if (found < 0) continue
    kept.set(part, (kept.get(part) ?? new Set<number>()).add(found))
    return
  }
}

const splitLines = new WeakMap<ToolResultPart, readonly string[]>()

function linesOf(part: ToolResultPart): readonly string[] {
  return getOrMake(splitLines, part, () => resultText(part).split('\n'))
}

/** Replaces the text of each result; null keeps it. The same message always gives the same object. */
function showResults(textFor: (part: ToolResultPart) => string | null): (message: Message) => Message {
  const shown = new WeakMap<Message, Message>()
  return (message) => {
    if (message.role !== 'tool') return message
    return getOrMake(shown, message, () => {
      const parts = message.parts.map((part) => {
        const text = part.type === 'tool-result' ? textFor(part) : null
        return part.type === 'tool-result' && text !== null ? { ...part, content: { type: 'text' as const, text } } : part
      })
      return { ...message, parts }
    })
  }
}

/** The lower bound for trimming results: none of them is ever shown. */
export function noToolOutput(): (message: Message) => Message {
  return showResults(() => noOutputLine)
}

export const noOutputLine = '[cut]'
