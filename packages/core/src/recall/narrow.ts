import type { Facts } from '../facts.ts'
import { detached, isInside } from '../text/lines.ts'
import { estimator } from '../tokens/count-tokens.ts'
import { createLines, cutToRoom, type Piece, type Room } from './cut-to-room.ts'
import { matchedLines } from './matched-lines.ts'
import { quoted } from './placed-parts.ts'
import type { FoundOriginal, RecallAnswer, RecallRequest, RecallSource } from './recall.ts'

/** An original that can be held, with the others it could have been. */
export type Found = Omit<FoundOriginal, 'large'>

/** First and last line or character, counted from 1. */
export type Range = readonly [first: number, last: number]

/** The answer for an original: all of it, or the lines, characters and matches that were asked for, within the room there is. */
export function narrow(
  found: Found,
  request: RecallRequest,
  source: RecallSource,
  { facts, room = {} }: { readonly facts: Facts; readonly room?: Room | undefined },
): RecallAnswer {
  const { handle, text } = found.original
  const lines = createLines(text)
  const { total } = lines
  const asked = askedLines(request, total)
  if ('kind' in asked) return asked
  const { range, first, last } = asked
  const tokens = facts.tokens ?? estimator
  const answer = (shownText: string, shown: readonly Range[]) => answerOf(found, shownText, total, shown)
  if (request.pattern !== undefined) {
    // An empty text has no line that could match.
    if (total === 0) return noMatch(request.pattern, handle, null, total)
    const matched = matchedLines(request.pattern, lines, [first, last], source, { room, tokens })
    if ('trouble' in matched) return { kind: 'missing', reason: 'bad-pattern', text: matched.trouble }
    if (matched.shown.length > 0) return answer(matched.text, matched.shown)
    return noMatch(request.pattern, handle, range === null ? null : [first, last], total)
  }
  const chosen = range === null ? text : lines.slice(first, last)
  const characters = request.characters === undefined ? null : readRange(request.characters)
  if (characters !== null && (characters[0] > chosen.length || characters[1] < 1))
    return outside('character', characters, chosen.length)
  const [start, end] = characters === null ? [0, chosen.length] : wholeCharacters(chosen, characters[0] - 1, characters[1])
  const place = { first, last, total, byLines: range !== null, offset: start, length: chosen.length }
  const piece: Piece = { text: chosen.slice(start, end), handle, ...place }
  const cut = cutToRoom(piece, room, tokens)
  return answer(cut.text === text ? text : detached(cut.text), cut.shown)
}

/** The lines that a request is about: those it names, as far as there are any, or all. The answer itself where there are none. */
export function askedLines(
  { lines }: RecallRequest,
  total: number,
): { readonly range: Range | null; readonly first: number; readonly last: number } | RecallAnswer {
  if (lines === undefined) return { range: null, first: Math.min(1, total), last: total }
  const range = readRange(lines)
  if (range[0] > total || range[1] < 1) return outside('line', range, total)
  return { range, first: Math.max(1, range[0]), last: Math.min(total, range[1]) }
}

/** The answer that shows a text of an original, which has so many lines. */
export function answerOf(found: Found, text: string, lines: number, shown: readonly Range[]): RecallAnswer {
  return { kind: 'found', ...found, text, lines, shown }
}

/** Whole numbers in order, whatever was given. */
export function readRange([a, b]: Range): Range {
  const [first, last] = [wholeNumber(a, 1), wholeNumber(b, Number.MAX_SAFE_INTEGER)]
  return first <= last ? [first, last] : [last, first]
}

function wholeNumber(value: number, otherwise: number): number {
  return typeof value === 'number' && !Number.isNaN(value) ? Math.min(Number.MAX_SAFE_INTEGER, Math.floor(value)) : otherwise
}

/** Moves both ends outwards where they would split a character. */
function wholeCharacters(text: string, start: number, end: number): readonly [start: number, end: number] {
  const from = Math.max(0, start)
  const to = Math.min(text.length, end)
  return [isInside(text, from) ? from - 1 : from, isInside(text, to) ? to + 1 : to]
}

/** The answer where no line of a range, or of all lines, matches. */
export function noMatch(pattern: string, handle: string, range: Range | null, total: number): RecallAnswer {
  const where = range === null || total === 0 ? `the ${total} lines` : `lines ${range[0]}-${range[1]} of ${total}`
  const text = `None of ${where} of ${handle} matches ${quoted(pattern)}. Try a wider pattern, or (?i) before it to ignore case.`
  return { kind: 'missing', reason: 'no-match', text }
}

/** The answer where nothing stands at the place that was asked for. */
export function outside(what: 'line' | 'character', [first, last]: Range, total: number): RecallAnswer {
  const has = `${total} ${what}${total === 1 ? '' : 's'}`
  return {
    kind: 'missing',
    reason: 'outside',
    text: `There is no ${what} ${first}-${last}: this text has ${has}, counted from 1.`,
  }
}
