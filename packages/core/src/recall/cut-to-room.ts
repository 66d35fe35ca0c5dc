import { cutText } from '../cut/cut-text.ts'
import type { Tokenizer } from '../facts.ts'
import { countLines, countNewlines, isInside } from '../text/lines.ts'

/** A piece of an original that was asked for, before it is held to its room. */
export interface Piece {
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

type Range = readonly [first: number, last: number]

interface Cut {
  readonly text: string
  readonly shown: readonly Range[]
}

/** A piece as it is where it has room, else its head and its tail with a line between them that says how to read on. */
export function cutToRoom(piece: Piece, room: Room, tokens: Tokenizer): Cut {
  const { text } = piece
  if (hasRoom(text, room, tokens)) return { text, shown: piece.total === 0 ? [] : [shownRange(piece, 0, text.length)] }
  for (let share = 0.48; share > 0.02; share *= 0.75) {
    const cut = cutAt(piece, headEnd(text, room, share, tokens), tailStart(text, room, share, tokens))
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
  const note = whole && piece.offset === 0 ? linesNote(piece, end, start) : charactersNote(piece, end, start)
  return {
    text: cutText(
      text,
      { end, start },
      ({ head, tail }) => `${head === '' || head.endsWith('\n') ? '' : '\n'}${note}${tail === '' ? '' : '\n'}`,
    ),
    shown: [
      ...(end === 0 ? [] : [shownRange(piece, 0, end)]),
      ...(start === text.length ? [] : [shownRange(piece, start, text.length)]),
    ],
  }
}

function linesNote(piece: Piece, end: number, start: number): string {
  const { text, first, last, total, handle } = piece
  const from = first + countNewlines(text.slice(0, end))
  const tailLines = start === text.length ? 0 : last - (first + countNewlines(text.slice(0, start))) + 1
  const to = last - tailLines
  const step = Math.max(1, from - first + tailLines)
  return `[lines ${from}-${to} of ${total} are left out; to read on, recall with handle "${handle}" and lines "${from}-${Math.min(to, from + step - 1)}"]`
}

function charactersNote(piece: Piece, end: number, start: number): string {
  const { text, first, last, handle, byLines, offset, length } = piece
  const [from, to] = [offset + end + 1, offset + start]
  const step = Math.max(1, end + text.length - start)
  const of = byLines ? `, lines "${first}-${last}"` : ''
  return `[characters ${from}-${to} of ${length} are left out; to read on, recall with handle "${handle}"${of} and characters "${from}-${Math.min(to, from + step - 1)}"]`
}

/** The lines of the original that a piece of the text touches. */
function shownRange({ text, first, last }: Piece, start: number, end: number): Range {
  const from = first + countNewlines(text.slice(0, start))
  const to = from + countNewlines(text.slice(start, text.endsWith('\n') || end < text.length ? Math.max(start, end - 1) : end))
  return [Math.min(from, last), Math.min(to, last)]
}

/** How much of the beginning takes up a share of the room. */
function headEnd(text: string, room: Room, share: number, tokens: Tokenizer): number {
  return mostThatFits(text, room, share, tokens, (length) => text.slice(0, length))
}

function tailStart(text: string, room: Room, share: number, tokens: Tokenizer): number {
  return text.length - mostThatFits(text, room, share, tokens, (length) => text.slice(text.length - length))
}

function mostThatFits(text: string, room: Room, share: number, tokens: Tokenizer, take: (length: number) => string): number {
  const part: Room = Object.fromEntries(
    Object.entries(room).flatMap(([key, limit]) =>
      limit === undefined ? [] : [[key, Math.max(0, limit * share - reserve[key as keyof Room])]],
    ),
  )
  let fitting = 0
  let tooLong = Math.min(text.length, part.characters ?? text.length, (part.tokens ?? text.length) * 12) + 1
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2)
    if (hasRoom(take(middle), part, tokens)) fitting = middle
    else tooLong = middle
  }
  return fitting
}

/** Half of what the line between head and tail takes. */
const reserve: Required<Room> = { tokens: 30, characters: 100, lines: 1 }

/** What an answer may take up. What is not given has no limit. */
export interface Room {
  readonly tokens?: number
  readonly characters?: number
  readonly lines?: number
}

/** Whether a text has room. Counting stops where the length alone says no. */
export function hasRoom(text: string, { tokens, characters, lines }: Room, tokenizer: Tokenizer): boolean {
  if (characters !== undefined && text.length > characters) return false
  if (lines !== undefined && countLines(text) > lines) return false
  // No text of tokens is that long, apart from white space without end.
  return tokens === undefined || (text.length <= tokens * 40 && tokenizer.count(text) <= tokens)
}

/** The lines of a text, found without taking it apart. Counted from 1; a newline at the very end begins no further line. */
export interface TextLines {
  readonly total: number
  /** The lines from first to last, without the newline after them. */
  readonly slice: (first: number, last: number) => string
  /** The same as a list. */
  readonly list: (first: number, last: number) => readonly string[]
}

/** Reads a text by its lines. */
export function createLines(text: string): TextLines {
  let starts: readonly number[] | null = null
  const total = countLines(text)
  const startOf = (line: number): number => {
    starts ??= lineStarts(text)
    return line > total ? text.length : (starts[line - 1] ?? text.length)
  }
  function slice(first: number, last: number): string {
    const end = last < total ? startOf(last + 1) - 1 : text.endsWith('\n') ? text.length - 1 : text.length
    return text.slice(startOf(first), end)
  }
  return { total, slice, list: (first, last) => (last < first ? [] : slice(first, last).split('\n')) }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
