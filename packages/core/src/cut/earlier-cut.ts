import { perItem } from '../derive.ts'
import type { ModelStrings } from '../strings/specification.ts'
import { handleOf } from '../text/hash.ts'
import { countCodePoints, countLines, countNewlines, detached } from '../text/lines.ts'
import {
  type CutLimit,
  type CutText,
  cut,
  lastLine,
  markerPattern,
  type Notice,
  noticeAt,
  readHandleLine,
  type Shape,
} from './cut.ts'
import { readNames } from './notable/file-names.ts'
import { withNames, withNotable } from './notable/notable-parts.ts'
import { ranks, salienceOf } from './salient.ts'
import { createScanner, type Gap, type Scan, type WholeLines } from './scan.ts'

/** Whether a text is known to be cut from the text with this handle; null if the text names none. What a text says of itself is never enough. */
export type IsOriginal = (handle: string | null) => boolean

/** `truncate` with `head_tail` under the global cap. */
export function cutHeadTail(text: string, given: number, strings: ModelStrings, isOriginal: IsOriginal): string {
  const maxChars = Math.max(0, Math.floor(given))
  if (countCodePoints(text) <= maxChars) return text
  const limit: CutLimit = { maxChars, maxLines: null, by: 'cap', strings }
  const handle = handleOf(text)
  const again = text.length > maxHeld(maxChars) ? null : cutAgain(text, handle, limit, 'head-and-tail', isOriginal)
  if (again !== null) return detached(again.text)
  const scanner = createScanner(maxChars)
  scanner.write(text)
  return detached(cut(withNotable(scanner.end(), text, maxChars), handle, limit, 'head-and-tail').text)
}

/** Texts that were cut before are never longer than this. */
export function maxHeld(maxChars: number): number {
  return Math.max(maxChars * 2 + 2, 262_144)
}

/** Cuts an already cut text as if it were the original; null if it was not cut before. */
export function cutAgain(
  text: string,
  handle: string,
  limit: CutLimit,
  shape: Shape,
  isOriginal: IsOriginal,
): (CutText & { readonly handle: string }) | null {
  const below = readHandleLine(text)
  const named = below !== null && isOriginal(below.handle) ? below : null
  const mayBeBare = isOriginal(named?.handle ?? null)
  const read = (one: string) => readEarlierCut(one, limit.strings, shape, isOriginal, mayBeBare)
  const earlier = (named?.texts ?? [text]).reduce<ReturnType<typeof read>>((found, one) => found ?? read(one), null)
  if (earlier === null) return null
  const scanner = createScanner(limit.maxChars)
  scanner.write(earlier.head)
  scanner.gap(earlier.gap)
  scanner.write(earlier.tail)
  const original = earlier.handle ?? named?.handle ?? handle
  const scan = limit.salient === false ? scanner.end() : withNamesOf(earlier, scanner.end(), limit.maxChars)
  return { ...cut(scan, original, limit, shape), handle: original }
}

/** Files and codes that only the head or the tail of the earlier cut names are named if a tighter cut removes them. */
function withNamesOf(
  { head, tail, gap }: { readonly head: string; readonly tail: string; readonly gap: Gap },
  scan: Scan,
  maxChars: number,
): Scan {
  // Of a line that was cut, the complete words are read: half a name is another name.
  const ofHead = gap.wholeLines.before ? head : head.slice(0, Math.max(head.lastIndexOf('\n'), head.lastIndexOf(' ')) + 1)
  const cutLine = gap.wholeLines.after ? 0 : tail.indexOf('\n') + 1
  const at = scan.length - tail.length + cutLine
  const line = lastLine(scan) - countLines(tail.slice(cutLine)) + 1
  return withNames(withNames(scan, ofHead, { at: 0, line: 1 }, maxChars), tail.slice(cutLine), { at, line }, maxChars)
}

/** Null if the text was not cut before. Tool output can imitate a marker, so sizes and the named original must be plausible. */
function readEarlierCut(text: string, strings: ModelStrings, shape: Shape, isOriginal: IsOriginal, mayBeBare: boolean) {
  for (const { pattern, wholeLine } of markersOf(strings)) {
    pattern.lastIndex = 0
    for (let tries = 0; tries < maxTries; tries += 1) {
      const found = pattern.exec(text)
      if (found === null) break
      const apart = takeApart(text, found, wholeLine, shape, isOriginal, mayBeBare)
      if (apart !== null) return apart
    }
  }
  return null
}

const maxTries = 16

// A marker that counts lines is on a line by itself.
const markersOf = perItem((strings: ModelStrings) =>
  [
    { pattern: markerPattern((chars = 0, lines = 0) => strings.cutByCap(chars, lines), 2), wholeLine: false },
    { pattern: markerPattern((chars = 0) => strings.cutByTool(chars), 1), wholeLine: false },
    { pattern: markerPattern((lines = 0) => `${strings.cutByLines(lines)}\n`, 1), wholeLine: true },
  ].flatMap(({ pattern, wholeLine }) => (pattern === null ? [] : [{ pattern, wholeLine }])),
)()

/** `mayBeBare`: a mark without a notice may be one. */
function takeApart(
  text: string,
  found: RegExpExecArray,
  wholeLine: boolean,
  shape: Shape,
  isOriginal: IsOriginal,
  mayBeBare: boolean,
) {
  const [marker, first, second] = found
  if (wholeLine && text[found.index - 1] !== '\n') return null
  const head = text.slice(0, found.index)
  const kept = readKept(text, found.index + marker.length)
  const block = text.slice(found.index, kept.end)
  const tail = text.slice(kept.end)
  if (head === '' || countCodePoints(block) > countCodePoints(head) + countCodePoints(tail)) return null
  const chars = wholeLine ? 0 : Number(first)
  const newlines = wholeLine ? Number(first) : second === undefined ? null : Number(second)
  const { notice } = kept
  if (notice !== null && !isOriginal(notice.handle)) return null
  if (notice === null) {
    if (!mayBeBare) return null
    if (shape === 'head' ? tail !== '' : !isBalanced(head, tail, wholeLine)) return null
    // Line numbers refer to the given text, where the marker is on its own lines.
    const wholeLines = { before: true, after: true }
    const gap = { chars, newlines: newlines ?? 0, numbered: countNewlines(block), candidates: [], wholeLines }
    return { head, gap, tail, handle: null }
  }
  const wholeLines = readWholeLines(head, tail, notice)
  const removed = notice.lines - countLines(tail) - countNewlines(head)
  if (wholeLines === null || removed < 0 || (newlines !== null && newlines !== removed)) return null
  const gap = { chars, newlines: removed, numbered: removed, candidates: kept.candidates, wholeLines }
  return { head, gap, tail, handle: notice.handle }
}

function readWholeLines(head: string, tail: string, { shown: [[, a], [b]], lines }: Notice): WholeLines | null {
  const before = a === countLines(head)
  const after = b === lines - countLines(tail) + 1
  const isTrue =
    (before || a === Math.max(1, countLines(head) - 1)) && (after || b === Math.min(lines, lines - countLines(tail) + 2))
  return isTrue ? { before, after } : null
}

/** Without a notice, both sides must be the halves that a cut leaves. */
function isBalanced(head: string, tail: string, wholeLine: boolean): boolean {
  if (!wholeLine) return countCodePoints(head) === countCodePoints(tail)
  const difference = countLines(tail) - countLines(head)
  return difference === 0 || difference === 1
}

function readKept(
  text: string,
  start: number,
): { readonly candidates: Gap['candidates']; readonly notice: Notice | null; readonly end: number } {
  const candidates: Gap['candidates'][number][] = []
  for (let at = start; candidates.length <= maxKept; ) {
    const here = noticeAt(text, at)
    if (here !== null) return { candidates, notice: here.notice, end: here.end }
    const newline = text.indexOf('\n', at)
    const numbered = newline === -1 ? null : /^(\d{1,12}): (.*?)(?: \(x(\d{1,12})\))?$/s.exec(text.slice(at, newline))
    if (numbered?.[2] === undefined) break
    const line = numbered[2]
    at = newline + 1
    const names = readNames(line, Number(numbered[1]))
    if (names !== null) {
      candidates.push(...names)
      continue
    }
    candidates.push({
      rank: salienceOf(line)?.rank ?? ranks.detail,
      line: Number(numbered[1]),
      text: line,
      count: Number(numbered[3] ?? 1),
      alike: 0,
    })
  }
  return { candidates: [], notice: null, end: start }
}

const maxKept = 2000
