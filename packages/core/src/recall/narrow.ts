import type { Facts } from '../facts.ts'
import { countLines, detached, isInside } from '../text/lines.ts'
import { estimator } from '../tokens/count-tokens.ts'
import { type Cut, cutToRoom, type Matches, type Range, type Room, writeMatches } from './cut-to-room.ts'
import { quoted } from './placed-parts.ts'
import type { FoundOriginal, LargeText, Missing, RecallAnswer, RecallRequest, RecallSource } from './recall.ts'
import { recordMatches } from './record-matches.ts'

/** The original, or the requested lines, characters and matches, within the room; refuses requests that are too large. */
export function narrow(
  found: Omit<FoundOriginal, 'large'>,
  text: LargeText,
  request: RecallRequest,
  source: RecallSource,
  { facts, room = {}, max = Number.POSITIVE_INFINITY }: { facts: Facts; room?: Room | undefined; max?: number },
): RecallAnswer {
  const { lines: total } = text
  const { handle } = found.original
  const range = request.lines === undefined ? null : readRange(request.lines)
  if (range !== null && (range[0] > total || range[1] < 1)) return outside('line', range, total)
  const [first, last] = range === null ? [Math.min(1, total), total] : [Math.max(1, range[0]), Math.min(total, range[1])]
  const tokens = facts.tokens ?? estimator
  const answer = (cut: Cut): RecallAnswer => ({ kind: 'found', ...found, text: cut.text, lines: total, shown: cut.shown })
  if (request.pattern !== undefined) {
    const isWhole = range === null && max === Number.POSITIVE_INFINITY
    const records = isWhole ? recordMatches(request.pattern, text.slice(0, text.length), source) : null
    const matches = records ?? findMatches(request.pattern, text, [first, last], source, max)
    if ('trouble' in matches) return { kind: 'missing', reason: 'bad-pattern', text: matches.trouble }
    if (matches.matches.length === 0) return noMatch(request.pattern, handle, range === null ? null : [first, last], total)
    return answer(writeMatches(matches, room, tokens))
  }
  const from = range === null ? 0 : text.startOf(first)
  const to = range === null ? text.length : endOf(text, last)
  const characters = request.characters === undefined ? null : readRange(request.characters)
  if (characters !== null && (characters[0] > to - from || characters[1] < 1)) return outside('character', characters, to - from)
  const start = characters === null ? from : from + Math.max(0, characters[0] - 1)
  const end = characters === null ? to : Math.min(to, from + characters[1])
  if (end - start > max) return tooLarge(text, handle, end - start, [first, last], range !== null)
  const chosen = wholeCharacters(text, start, end)
  const place = { first, last, total, byLines: range !== null, offset: chosen.start - from, length: to - from }
  const cut = cutToRoom({ text: chosen.text, handle, ...place }, room, tokens)
  return answer(cut.text.length === text.length ? cut : { ...cut, text: detached(cut.text) })
}

export const maxUnits = 4_000_000

export function heldText(text: string): LargeText {
  let starts: number[] | null = null
  return {
    length: text.length,
    lines: countLines(text),
    startOf(line) {
      if (starts === null) {
        starts = [0]
        for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
      }
      return starts[line - 1] ?? text.length
    },
    slice: (start, end) => text.slice(start, end),
  }
}

function endOf(text: LargeText, line: number): number {
  if (line < text.lines) return text.startOf(line + 1) - 1
  return text.slice(text.length - 1, text.length) === '\n' ? text.length - 1 : text.length
}

function wholeCharacters(text: LargeText, start: number, end: number): { readonly text: string; readonly start: number } {
  const before = start > 0 ? 1 : 0
  const near = text.slice(start - before, Math.min(text.length, end + 1))
  const length = end - start
  const from = isInside(near, before) ? 0 : before
  const to = isInside(near, before + length) ? before + length + 1 : before + length
  return { text: near.slice(from, to), start: start - before + from }
}

function findMatches(
  pattern: string,
  text: LargeText,
  [first, last]: Range,
  source: RecallSource,
  max: number,
): Matches | { readonly trouble: string } {
  const matches: { readonly line: number; readonly text: string }[] = []
  const isHeld = max === Number.POSITIVE_INFINITY
  const end = endOf(text, last)
  let units = 0
  let line = first
  for (let at = text.startOf(first); at <= end && at < text.length; ) {
    const near = text.slice(at, Math.min(end, at + max))
    const isLast = at + near.length >= end
    const newline = isLast ? near.length : near.lastIndexOf('\n')
    const list = (newline === -1 ? near : near.slice(0, newline)).split('\n')
    const matched = source.findLines(pattern, list)
    if ('trouble' in matched) return matched
    for (const index of matched.found) {
      if (matches.at(-1)?.line === line + index) continue
      const found = list[index] ?? ''
      const shown = isHeld ? found : detached(found.slice(0, maxLineLength - (isInside(found, maxLineLength) ? 1 : 0)))
      matches.push({ line: line + index, text: shown })
      units += shown.length
      if (!isHeld && (matches.length >= maxMatches || units >= max)) return { matches, isCutShort: true, last }
    }
    line += newline === -1 ? 0 : list.length
    at += newline === -1 ? near.length : newline + 1
  }
  return { matches, isCutShort: false, last }
}

const maxMatches = 10_000
const maxLineLength = 100_000

function readRange([a, b]: Range): Range {
  const [first, last] = [wholeNumber(a, 1), wholeNumber(b, Number.MAX_SAFE_INTEGER)]
  return first <= last ? [first, last] : [last, first]
}

function wholeNumber(value: number, otherwise: number): number {
  return typeof value === 'number' && !Number.isNaN(value) ? Math.min(Number.MAX_SAFE_INTEGER, Math.floor(value)) : otherwise
}

function noMatch(pattern: string, handle: string, range: Range | null, total: number): Missing {
  const where = range === null || total === 0 ? `the ${total} lines` : `lines ${range[0]}-${range[1]} of ${total}`
  const text = `None of ${where} of ${handle} matches ${quoted(pattern)}. Try a wider pattern, or (?i) before it to ignore case.`
  return { kind: 'missing', reason: 'no-match', text }
}

function outside(what: 'line' | 'character', [first, last]: Range, total: number): Missing {
  const text = `There is no ${what} ${first}-${last}: this text has ${total} ${what}${total === 1 ? '' : 's'}, counted from 1.`
  return { kind: 'missing', reason: 'outside', text }
}

function tooLarge(text: LargeText, handle: string, units: number, [first, last]: Range, byLines: boolean): Missing {
  const what = byLines
    ? `Lines ${first}-${last} of ${handle} have ${units} characters`
    : `${handle} has ${text.length} characters`
  const sentence = `${what} in ${last - first + 1} lines, too many to be given back at once. Ask for fewer with lines, such as "${first}-${Math.min(last, first + 199)}", with a pattern, or with characters, such as "1-4000".`
  return { kind: 'missing', reason: 'too-large', text: sentence }
}
