import { cutText } from '../cut/cut-text.ts'
import type { Tokenizer } from '../facts.ts'
import { countLines, countNewlines, isInside, runsOf } from '../text/lines.ts'

/** What an answer may take up. What is not given has no limit. */
export interface Room {
  readonly tokens?: number
  readonly characters?: number
  readonly lines?: number
}

/** First and last line or character, counted from 1. */
export type Range = readonly [first: number, last: number]

interface Piece {
  readonly text: string
  readonly handle: string
  /** The lines it takes from the original, and how many that one has. */
  readonly first: number
  readonly last: number
  readonly total: number
  /** Whether it is less than all lines, so that asking for more has to name them. */
  readonly byLines: boolean
  /** Where its text begins in those lines, counted from 0, and how many characters they have. */
  readonly offset: number
  readonly length: number
}

/** A text that has room, and the lines of the original it shows. */
export interface Cut {
  readonly text: string
  readonly shown: readonly Range[]
}

/** Whether a text has room. Counting stops where the length alone says no. */
export function hasRoom(text: string, { tokens, characters, lines }: Room, tokenizer: Tokenizer): boolean {
  if (characters !== undefined && text.length > characters) return false
  if (lines !== undefined && countLines(text) > lines) return false
  // No text of tokens is that long, apart from white space without end.
  return tokens === undefined || (text.length <= tokens * 40 && tokenizer.count(text) <= tokens)
}

/** A piece as it is where it has room, else its head and its tail with a line between them that says how to read on. */
export function cutToRoom(piece: Piece, room: Room, tokens: Tokenizer): Cut {
  const { text } = piece
  if (hasRoom(text, room, tokens)) return { text, shown: piece.total === 0 ? [] : [shownRange(piece, 0, text.length)] }
  for (let share = 0.48; share > 0.02; share *= 0.75) {
    const longest = (take: (length: number) => string) => longestWithin(text.length, room, share, tokens, take)
    const head = longest((length) => text.slice(0, length))
    const cut = cutAt(piece, head, text.length - longest((length) => text.slice(text.length - length)))
    if (hasRoom(cut.text, room, tokens)) return cut
  }
  // No room for more than the way to it.
  return cutAt(piece, 0, text.length)
}

function cutAt(piece: Piece, headEndsAt: number, tailStartsAt: number): Cut {
  const { text } = piece
  const lineEnd = headEndsAt === 0 ? 0 : text.lastIndexOf('\n', headEndsAt - 1) + 1
  const lineStart = tailStartsAt === text.length ? text.length : text.indexOf('\n', tailStartsAt - 1) + 1
  // Whole lines where that costs little; inside one long line there is only counting characters.
  const whole = (headEndsAt === 0 || lineEnd * 2 > headEndsAt) && lineStart > 0 && lineEnd < lineStart
  const end = whole ? lineEnd : headEndsAt - (isInside(text, headEndsAt) ? 1 : 0)
  const start = whole ? lineStart : tailStartsAt + (isInside(text, tailStartsAt) ? 1 : 0)
  const note = noteOn(piece, end, start, whole && piece.offset === 0)
  const gap = ({ head, tail }: { readonly head: string; readonly tail: string }) =>
    `${head === '' || head.endsWith('\n') ? '' : '\n'}${note}${tail === '' ? '' : '\n'}`
  return {
    text: cutText(text, { end, start }, gap),
    shown: [
      ...(end === 0 ? [] : [shownRange(piece, 0, end)]),
      ...(start === text.length ? [] : [shownRange(piece, start, text.length)]),
    ],
  }
}

function noteOn(piece: Piece, end: number, start: number, countsLines: boolean): string {
  const { text, first, last, total, handle, byLines, offset, length } = piece
  const afterHead = first + countNewlines(text.slice(0, end))
  const tailLines = start === text.length ? 0 : last - (first + countNewlines(text.slice(0, start))) + 1
  const [what, of, from, to, shown] = countsLines
    ? (['lines', total, afterHead, last - tailLines, afterHead - first + tailLines] as const)
    : (['characters', length, offset + end + 1, offset + start, end + text.length - start] as const)
  const next = `${from}-${Math.min(to, from + Math.max(1, shown) - 1)}`
  const within = byLines && !countsLines ? `, lines "${first}-${last}"` : ''
  return `[${what} ${from}-${to} of ${of} are left out; to read on, recall with handle "${handle}"${within} and ${what} "${next}"]`
}

function shownRange({ text, first, last }: Piece, start: number, end: number): Range {
  const from = first + countNewlines(text.slice(0, start))
  const to = from + countNewlines(text.slice(start, text.endsWith('\n') || end < text.length ? Math.max(start, end - 1) : end))
  return [Math.min(from, last), Math.min(to, last)]
}

function longestWithin(
  length: number,
  { tokens, characters, lines }: Room,
  share: number,
  tokenizer: Tokenizer,
  take: (length: number) => string,
): number {
  const part = (limit: number | undefined, reserve: number) =>
    limit === undefined ? undefined : Math.max(0, limit * share - reserve)
  const room = { tokens: part(tokens, 30), characters: part(characters, 100), lines: part(lines, 1) } as Room
  const most = Math.min(length, room.characters ?? length, (room.tokens ?? length) * 12)
  return lastThat(0, most + 1, (middle) => hasRoom(take(middle), room, tokenizer))
}

/** The greatest number that passes a test which every smaller one passes, too: from one that does, and below one that does not. */
function lastThat(passing: number, failing: number, test: (number: number) => boolean): number {
  let [low, high] = [passing, failing]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (test(middle)) low = middle
    else high = middle
  }
  return low
}

/** Lines that matched. */
export interface Matches {
  /** The first of them, in order. */
  readonly matches: readonly { readonly line: number; readonly text: string }[]
  /** Whether the search ended here because these were enough. */
  readonly isCutShort: boolean
  readonly last: number
}

/** Matching lines, each with its number, as many as there is room for; the text says when not all. */
export function writeMatches({ matches, isCutShort, last }: Matches, room: Room, tokens: Tokenizer): Cut {
  const numbers = matches.map(({ line }) => line)
  const longest = (room.tokens ?? Number.POSITIVE_INFINITY) / 2
  const written = matches.map(({ line, text }) => `${line}: ${shortLine(text, Math.min(longest, room.characters ?? longest))}`)
  const all = written.join('\n')
  if (!isCutShort && hasRoom(all, room, tokens)) return { text: all, shown: runsOf(numbers) }
  const of = isCutShort ? `at least ${matches.length}` : `${matches.length}`
  const first = (shown: number) => {
    const next = numbers[shown] ?? last
    const note = `[${shown} of ${of} matching lines shown; the next is line ${next}: narrow the pattern, or ask with lines "${next}-${last}" and the same pattern]`
    return [...written.slice(0, shown), note].join('\n')
  }
  const fitting = lastThat(0, written.length, (count) => hasRoom(first(count), room, tokens))
  return { text: first(fitting), shown: runsOf(numbers.slice(0, Math.max(1, fitting))) }
}

function shortLine(line: string, longest: number): string {
  if (line.length <= longest) return line
  const end = Math.floor(longest)
  const gap = () => `… [${line.length} characters in this line; ask for it with lines and characters]`
  return cutText(line, { end: isInside(line, end) ? end - 1 : end, start: line.length }, gap)
}
