import { cutText } from '../cut/cut-text.ts'
import type { Tokenizer } from '../facts.ts'
import { isInside } from '../text/lines.ts'
import { hasRoom, type Room, type TextLines } from './cut-to-room.ts'
import type { RecallSource } from './recall.ts'

type Range = readonly [first: number, last: number]

/** The lines of a range that match a pattern, each with its number, as many as there is room for; the text says when not all. */
export function matchedLines(
  pattern: string,
  lines: TextLines,
  [first, last]: Range,
  source: RecallSource,
  { room, tokens }: { readonly room: Room; readonly tokens: Tokenizer },
): { readonly text: string; readonly shown: readonly Range[] } | { readonly trouble: string } {
  const list = lines.list(first, last)
  const matched = source.findLines(pattern, list)
  if ('trouble' in matched) return matched
  const matches = matched.found.map((index) => ({ line: first + index, text: list[index] ?? '' }))
  return writeMatches({ matches, isCutShort: false, last }, { room, tokens })
}

/** Lines that matched. */
export interface Matches {
  /** The first of them, in order. */
  readonly matches: readonly { readonly line: number; readonly text: string }[]
  /** Whether the search ended here because these were enough. */
  readonly isCutShort: boolean
  /** The last line that was asked for. */
  readonly last: number
}

/** Matching lines, each with its number, as many as there is room for; the text says when not all. */
export function writeMatches(
  { matches, isCutShort, last }: Matches,
  { room, tokens }: { readonly room: Room; readonly tokens: Tokenizer },
): { readonly text: string; readonly shown: readonly Range[] } {
  const numbers = matches.map(({ line }) => line)
  const longest = (room.tokens === undefined ? Number.POSITIVE_INFINITY : room.tokens) / 2
  const written = matches.map(({ line, text }) => `${line}: ${shortLine(text, Math.min(longest, room.characters ?? longest))}`)
  const all = written.join('\n')
  if (!isCutShort && hasRoom(all, room, tokens)) return { text: all, shown: rangesOf(numbers) }
  const of = isCutShort ? `at least ${matches.length}` : `${matches.length}`
  const note = (shown: number) =>
    `[${shown} of ${of} matching lines shown; the next is line ${numbers[shown] ?? last}: narrow the pattern, or ask with lines "${numbers[shown] ?? last}-${last}" and the same pattern]`
  // The most that has room, by halves: room only shrinks as lines are added.
  let [fitting, tooMany] = [0, written.length]
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1
    if (hasRoom([...written.slice(0, middle), note(middle)].join('\n'), room, tokens)) fitting = middle
    else tooMany = middle
  }
  return {
    text: [...written.slice(0, fitting), note(fitting)].join('\n'),
    shown: rangesOf(numbers.slice(0, Math.max(1, fitting))),
  }
}

/** A line that would take all the room alone is shown by its beginning, and says so. */
function shortLine(line: string, longest: number): string {
  if (line.length <= longest) return line
  const end = Math.floor(longest)
  const gap = () => `… [${line.length} characters in this line; ask for it with lines and characters]`
  return cutText(line, { end: isInside(line, end) ? end - 1 : end, start: line.length }, gap)
}

/** Neighbours as one range. */
function rangesOf(numbers: readonly number[]): readonly Range[] {
  const ranges: [number, number][] = []
  for (const line of numbers) {
    const last = ranges.at(-1)
    if (last !== undefined && last[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return ranges
}
