import { countCodePoints } from '../text/code-points.ts'
import type { Candidate } from './candidates.ts'
import { type Notice, writeNotice } from './notice.ts'
import type { Kind } from './removed-kinds.ts'
import { ranks } from './salient.ts'

/** What may go between the two ends of a cut, and the room there is. */
export interface Room {
  readonly kinds: readonly Kind[]
  readonly notice: Notice
  readonly maxChars: number
  readonly maxLines: number
}

/**
 * The most missed of the removed lines that find room, in the order of the text, each with its number, and the notice below them.
 * A count `(x3)` says how many removed lines a line stands for: those equal to it and, on one line of a kind, those for which
 * there was no room.
 */
export function keptLines({ kinds, notice, maxChars, maxLines }: Room): { readonly text: string; readonly lines: number } | null {
  const last = `${writeNotice(notice)}\n`
  const left = { chars: maxChars - countCodePoints(last), lines: maxLines - 1 }
  const kept = new Map<Kind, Candidate[]>()

  /** Takes what fits, the first things first, and leaves `share` of the room. */
  function take(wanted: readonly Wanted[], share = 0): void {
    const spare = { chars: Math.floor(left.chars * share), lines: Math.floor(left.lines * share) }
    for (const { kind, line } of wanted) {
      // Nothing shorter than "1: x" and its newline can follow.
      if (left.chars - spare.chars < 5 || left.lines - spare.lines < 1) break
      const others = kept.get(kind)
      if (others?.includes(line)) continue
      // The first line of a kind that finds room speaks for those that will not.
      const size = countCodePoints(numbered(line, others === undefined ? kind.total : line.count))
      if (size > left.chars - spare.chars) continue
      left.chars -= size
      left.lines -= 1
      if (others === undefined) kept.set(kind, [line])
      else others.push(line)
    }
  }

  const failures = kinds.filter((kind) => rankOf(kind) === ranks.failure)
  take(firstAndLast(failures))
  // Many failures of one kind must not take the room of their frames and totals, nor these the room of the failures.
  take(between(failures), 0.5)
  for (const rank of [ranks.detail, ranks.total, ranks.mention, ranks.warning]) {
    const ofRank = kinds.filter((kind) => rankOf(kind) === rank)
    take([...firstAndLast(ofRank), ...between(ofRank)])
  }
  take(between(failures))

  const shown = [...kept].flatMap(([kind, lines]) => {
    const unsaid = kind.total - lines.reduce((sum, line) => sum + line.count, 0)
    return lines.map((line, index) => ({
      start: line.start,
      text: numbered(line, index === 0 ? line.count + unsaid : line.count),
    }))
  })
  if (shown.length === 0) return null
  shown.sort((a, b) => a.start - b.start)
  return { text: shown.map(({ text }) => text).join('') + last, lines: shown.length }
}

interface Wanted {
  readonly kind: Kind
  readonly line: Candidate
}

function firstAndLast(kinds: readonly Kind[]): readonly Wanted[] {
  return [
    ...kinds.flatMap((kind) => kind.lines.slice(0, 1).map((line) => ({ kind, line }))),
    ...kinds.flatMap((kind) => kind.lines.slice(1).slice(-1).map((line) => ({ kind, line }))), // biome-ignore format: as above
  ]
}

function between(kinds: readonly Kind[]): readonly Wanted[] {
  return kinds.flatMap((kind) => kind.lines.slice(1, -1).map((line) => ({ kind, line })))
}

function rankOf({ lines }: Kind): number | undefined {
  return lines[0]?.rank
}

function numbered({ line, text }: Candidate, count: number): string {
  return `${line}: ${text}${count > 1 ? ` (x${count})` : ''}\n`
}
