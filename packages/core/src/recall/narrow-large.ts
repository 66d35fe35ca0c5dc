import type { Facts } from '../facts.ts'
import { detached, isInside } from '../text/lines.ts'
import { estimator } from '../tokens/count-tokens.ts'
import { cutToRoom, type Room } from './cut-to-room.ts'
import { type Matches, writeMatches } from './matched-lines.ts'
import { answerOf, askedLines, type Found, noMatch, outside, type Range, readRange } from './narrow.ts'
import type { LargeText, RecallAnswer, RecallRequest, RecallSource } from './recall.ts'

/**
 * The answer for an original that is too large to be held: the lines, characters and matches that were asked for, in memory that
 * does not grow with it. Nothing asked for, or too much of it, is answered by how large it is and how to ask for less.
 */
export function narrowLarge(
  found: Found,
  text: LargeText,
  request: RecallRequest,
  source: RecallSource,
  options: { readonly facts: Facts; readonly room?: Room | undefined },
): RecallAnswer {
  try {
    return narrowed(found, text, request, source, options)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { kind: 'missing', reason: 'lost-blob', text: why }
  }
}

function narrowed(
  found: Found,
  text: LargeText,
  request: RecallRequest,
  source: RecallSource,
  { facts, room = {} }: { readonly facts: Facts; readonly room?: Room | undefined },
): RecallAnswer {
  const { lines: total } = text
  const { handle } = found.original
  const asked = askedLines(request, total)
  if ('kind' in asked) return asked
  const { range, first, last } = asked
  const tokens = facts.tokens ?? estimator
  const answer = (shownText: string, shown: readonly Range[]) => answerOf(found, shownText, total, shown)
  if (request.pattern !== undefined) {
    const matches = findMatches(request.pattern, text, [first, last], source)
    if ('trouble' in matches) return { kind: 'missing', reason: 'bad-pattern', text: matches.trouble }
    if (matches.matches.length === 0) return noMatch(request.pattern, handle, range === null ? null : [first, last], total)
    const written = writeMatches(matches, { room, tokens })
    return answer(written.text, written.shown)
  }
  const from = range === null ? 0 : text.startOf(first)
  const to = range === null ? text.length : endOf(text, last)
  const characters = request.characters === undefined ? null : readRange(request.characters)
  if (characters !== null && (characters[0] > to - from || characters[1] < 1)) return outside('character', characters, to - from)
  const start = characters === null ? from : from + Math.max(0, characters[0] - 1)
  const end = characters === null ? to : Math.min(to, from + characters[1])
  if (end - start > mostUnits) return tooLarge(text, handle, end - start, [first, last], range !== null)
  const chosen = wholeCharacters(text, start, end)
  const place = { first, last, total, byLines: range !== null, offset: chosen.start - from, length: to - from }
  const cut = cutToRoom({ text: chosen.text, handle, ...place }, room, tokens)
  return answer(detached(cut.text), cut.shown)
}

/** As much as is ever held of it. */
const mostUnits = 4_000_000

/** Where a line ends, before its newline. */
function endOf(text: LargeText, line: number): number {
  if (line < text.lines) return text.startOf(line + 1) - 1
  return text.slice(text.length - 1, text.length) === '\n' ? text.length - 1 : text.length
}

/** The text between two places, moved outwards where they would split a character. */
function wholeCharacters(text: LargeText, start: number, end: number): { readonly text: string; readonly start: number } {
  const before = start > 0 ? 1 : 0
  const near = text.slice(start - before, Math.min(text.length, end + 1))
  const length = end - start
  const from = isInside(near, before) ? 0 : before
  const to = isInside(near, before + length) ? before + length + 1 : before + length
  return { text: near.slice(from, to), start: start - before + from }
}

/** The first lines of a range that match. A line too long to be held is looked at in pieces. */
function findMatches(
  pattern: string,
  text: LargeText,
  [first, last]: Range,
  source: RecallSource,
): Matches | { readonly trouble: string } {
  const matches: { readonly line: number; readonly text: string }[] = []
  const end = endOf(text, last)
  let units = 0
  let line = first
  for (let at = text.startOf(first); at <= end && at < text.length; ) {
    const near = text.slice(at, Math.min(end, at + mostUnits))
    const isLast = at + near.length >= end
    const newline = isLast ? near.length : near.lastIndexOf('\n')
    const list = (newline === -1 ? near : near.slice(0, newline)).split('\n')
    const matched = source.findLines(pattern, list)
    if ('trouble' in matched) return matched
    for (const index of matched.found) {
      // A piece of a line that matched already.
      if (matches.at(-1)?.line === line + index) continue
      const shown = detached(shortened(list[index] ?? ''))
      matches.push({ line: line + index, text: shown })
      units += shown.length
      if (matches.length >= mostMatches || units >= mostUnits) return { matches, isCutShort: true, last }
    }
    line += newline === -1 ? 0 : list.length
    at += newline === -1 ? near.length : newline + 1
  }
  return { matches, isCutShort: false, last }
}

/** No room takes more. */
const mostMatches = 10_000

/** What is kept of a line that matches: more than an answer shows. */
function shortened(line: string): string {
  return line.length <= longestLine ? line : line.slice(0, isInside(line, longestLine) ? longestLine - 1 : longestLine)
}

const longestLine = 100_000

function tooLarge(text: LargeText, handle: string, units: number, [first, last]: Range, byLines: boolean): RecallAnswer {
  const what = byLines
    ? `Lines ${first}-${last} of ${handle} have ${units} characters`
    : `${handle} has ${text.length} characters`
  const sentence = `${what} in ${last - first + 1} lines, too many to be given back at once. Ask for fewer with lines, such as "${first}-${Math.min(last, first + 199)}", with a pattern, or with characters, such as "1-4000".`
  return { kind: 'missing', reason: 'too-large', text: sentence }
}
