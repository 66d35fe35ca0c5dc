import { cutText } from '../cut/cut-text.ts'
import type { Tokenizer } from '../facts.ts'
import { countLines, countNewlines, isInside, runsOf } from '../text/lines.ts'

export interface Room {
  readonly tokens?: number
  readonly characters?: number
  readonly lines?: number
}

export type Range = readonly [first: number, last: number]

interface Piece {
  readonly text: string
  readonly handle: string
  /** The lines taken from the original, and its total. */
  readonly first: number
  readonly last: number
  readonly total: number
  /** Whether lines were selected, so that asking for more has to name them. */
  readonly byLines: boolean
  /** Where the text starts in those lines, from 0, and their length in characters. */
  readonly offset: number
  readonly length: number
}

export interface Cut {
  readonly text: string
  readonly shown: readonly Range[]
}

/** Skips counting if the length alone decides. */
export function hasRoom(text: string, { tokens, characters, lines }: Room, tokenizer: Tokenizer): boolean {
  if (characters !== undefined && text.length > characters) return false
  if (lines !== undefined && countLines(text) > lines) return false
  // No text has this many characters per token, except endless white space.
  return tokens === undefined || (text.length <= tokens * 40 && tokenizer.count(text) <= tokens)
}

/** The piece if it fits, else head and tail with a line between them that explains how to read on. */
export function cutToRoom(piece: Piece, room: Room, tokens: Tokenizer): Cut {
  const { text } = piece
  if (hasRoom(text, room, tokens)) return { text, shown: piece.total === 0 ? [] : [shownRange(piece, 0, text.length)] }
  for (let share = 0.48; share > 0.02; share *= 0.75) {
    const fitting = (take: (length: number) => string) => fittingLength(text.length, room, share, tokens, take)
    const head = fitting((length) => text.slice(0, length))
    const cut = cutAt(piece, head, text.length - fitting((length) => text.slice(text.length - length)))
    if (hasRoom(cut.text, room, tokens)) return cut
  }
  return cutAt(piece, 0, text.length)
}

function cutAt(piece: Piece, headEndsAt: number, tailStartsAt: number): Cut {
  const { text } = piece
  const lineEnd = headEndsAt === 0 ? 0 : text.lastIndexOf('\n', headEndsAt - 1) + 1
  const lineStart = tailStartsAt === text.length ? text.length : text.indexOf('\n', tailStartsAt - 1) + 1
  // Complete lines if that costs little; inside one long line only characters can be counted.
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

function fittingLength(
  length: number,
  { tokens, characters, lines }: Room,
  share: number,
  tokenizer: Tokenizer,
  take: (length: number) => string,
): number {
  const part = (limit: number | undefined, reserve: number) =>
    limit === undefined ? undefined : Math.max(0, limit * share - reserve)
  const room = { tokens: part(tokens, 30), characters: part(characters, 100), lines: part(lines, 1) } as Room
  const max = Math.min(length, room.characters ?? length, (room.tokens ?? length) * 12)
  return lastThat(0, max + 1, (middle) => hasRoom(take(middle), room, tokenizer))
}

function lastThat(passing: number, failing: number, test: (number: number) => boolean): number {
  let [low, high] = [passing, failing]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (test(middle)) low = middle
    else high = middle
  }
  return low
}

export interface Matches {
  readonly matches: readonly { readonly line: number; readonly text: string }[]
  /** Whether the search stopped because these were enough. */
  readonly isCutShort: boolean
  readonly last: number
}

/** Matching lines with their numbers, as many as fit; the text reports omissions. */
export function writeMatches({ matches, isCutShort, last }: Matches, room: Room, tokens: Tokenizer): Cut {
  const numbers = matches.map(({ line }) => line)
  const maxLength = (room.tokens ?? Number.POSITIVE_INFINITY) / 2
  const written = matches.map(
    ({ line, text }) => `${line}: ${shortLine(text, Math.min(maxLength, room.characters ?? maxLength))}`,
  )
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

function shortLine(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line
  const end = Math.floor(maxLength)
  const gap = () => `… [${line.length} characters in this line; ask for it with lines and characters]`
  return cutText(line, { end: isInside(line, end) ? end - 1 : end, start: line.length }, gap)
}
