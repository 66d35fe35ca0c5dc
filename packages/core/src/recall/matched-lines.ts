import type { Tokenizer } from '../tokens.ts'
import type { RecallSource } from './recall.ts'
import { hasRoom, isInside, type Room } from './room.ts'
import type { TextLines } from './text-lines.ts'

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
  const numbers = matched.found.map((index) => first + index)
  const longest = (room.tokens === undefined ? Number.POSITIVE_INFINITY : room.tokens) / 2
  const written = numbers.map(
    (line) => `${line}: ${shortLine(list[line - first] ?? '', Math.min(longest, room.characters ?? longest))}`,
  )
  const all = written.join('\n')
  if (hasRoom(all, room, tokens)) return { text: all, shown: rangesOf(numbers) }
  const note = (count: number) =>
    `[${count} of ${numbers.length} matching lines shown; the next is line ${numbers[count] ?? last}: narrow the pattern, or ask with lines "${numbers[count] ?? last}-${last}" and the same pattern]`
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
  return `${line.slice(0, isInside(line, end) ? end - 1 : end)}… [${line.length} characters in this line; ask for it with lines and characters]`
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
