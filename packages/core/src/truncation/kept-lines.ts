import type { Candidate } from './candidates.ts'
import { countCodePoints } from './code-points.ts'
import { type Notice, writeNotice } from './notice.ts'

/** What may go between the two ends of a cut, and the room there is. */
export interface Room {
  /** Most missed first. */
  readonly candidates: readonly Candidate[]
  readonly notice: Notice
  readonly maxChars: number
  readonly maxLines: number
}

/** The most missed lines that find room, in the order of the original, each with its number, and the notice below them. */
export function keptLines({
  candidates,
  notice,
  maxChars,
  maxLines,
}: Room): { readonly text: string; readonly lines: number } | null {
  const last = `${writeNotice(notice)}\n`
  let left = maxChars - countCodePoints(last)
  const kept: { readonly start: number; readonly text: string }[] = []
  for (const candidate of candidates) {
    // Nothing shorter than "1: x" and its newline can follow.
    if (left < 5 || kept.length + 2 > maxLines) break
    const text = `${candidate.line}: ${candidate.text}${candidate.count > 1 ? ` (x${candidate.count})` : ''}\n`
    const size = countCodePoints(text)
    if (size > left) continue
    left -= size
    kept.push({ start: candidate.start, text })
  }
  if (kept.length === 0) return null
  kept.sort((a, b) => a.start - b.start)
  return { text: kept.map(({ text }) => text).join('') + last, lines: kept.length }
}
