import { writeNotice } from '../../cut/notice.ts'
import { countLines, countNewlines } from '../../text/code-points.ts'
import { detached } from '../../text/detached.ts'
import { escapeMarks } from '../../text/escape-marks.ts'
import { grouped } from '../../text/grouped.ts'
import { wholeCharacters } from '../../text/shorten.ts'
import type { EconomyRules } from './economy-rules.ts'
import { pathsInText } from './paths-in-text.ts'
import { salientMiddle } from './salient-middle.ts'

/** What a text is cut to. */
export interface CutRoom extends Pick<EconomyRules, 'headShare' | 'tailShare' | 'cutPaths'> {
  readonly characters: number
  readonly handle: string
  /** Whether the lines of the text are those of the original, so that they may be numbered. */
  readonly hasLines: boolean
}

/**
 * The head and the tail of a text, between them the lines that would be missed most and the paths of what was cut away, and how to
 * have it all back. Depends on nothing but the text. Null where that would save less than a tenth, or the text was cut so before.
 */
export function cutText(text: string, room: CutRoom): string | null {
  const { characters } = room
  if (text.length <= characters || (cutSign.test(text) && text.length <= characters * 1.5 + longestPaths + 200)) return null
  const headEnd = endOfHead(text, Math.floor(characters * share(room.headShare)))
  const tailStart = Math.max(headEnd, startOfTail(text, Math.floor(characters * share(room.tailShare))))
  const head = text.slice(0, headEnd)
  const tail = text.slice(tailStart)
  const middle = text.slice(headEnd, tailStart)
  const isWhole = room.hasLines && head.endsWith('\n') && middle.endsWith('\n')
  const firstLine = isWhole ? countNewlines(head) + 1 : null
  // They stand between lines of ours, not all of them with a number.
  const lines = salientMiddle({ text: middle, firstLine }, characters - head.length - tail.length).map((line) =>
    escapeMarks(line),
  )
  const paths = pathsBeside(middle, lines, room.cutPaths)
  const kept = [...lines, ...(paths === '' ? [] : [`paths: ${paths}`])]
  const notice = isWhole
    ? shownNotice(text, head, tail, room.handle)
    : `[${grouped(middle.length)} characters cut; recall ${room.handle}]`
  const cut = [
    head,
    head === '' || head.endsWith('\n') ? '' : '\n',
    mark,
    '\n',
    ...kept.flatMap((line) => [line, '\n']),
    notice,
    '\n',
    tail,
  ]
  const whole = cut.join('')
  return whole.length <= text.length * 0.9 ? detached(whole) : null
}

const mark = '[cut]'
const longestPaths = 6000
const cutSign = /^\[cut\]$/m

/** A configuration may hold anything. */
function share(value: number): number {
  return Number.isFinite(value) ? Math.min(0.9, Math.max(0, value)) : 0
}

function shownNotice(text: string, head: string, tail: string, handle: string): string {
  const lines = countLines(text)
  const before = countNewlines(head)
  const after = Math.max(1, countLines(tail))
  return writeNotice({ shown: [[1, before], [Math.max(before, lines - after + 1), lines]], lines, handle }) // biome-ignore format: two ranges
}

/** After a line where that costs less than half of the room, else between two characters. */
function endOfHead(text: string, room: number): number {
  const line = text.lastIndexOf('\n', room - 1) + 1
  return line * 2 > room ? line : wholeCharacters(text, 0, room).length
}

function startOfTail(text: string, room: number): number {
  const from = text.length - room
  const line = text.indexOf('\n', from - 1) + 1
  return line > 0 && (text.length - line) * 2 > room ? line : text.length - wholeCharacters(text, from, text.length).length
}

/** The paths of what was cut away that no line beside them names, within bounds. */
function pathsBeside(middle: string, lines: readonly string[], most: number): string {
  const named: string[] = []
  let length = 0
  for (const path of pathsInText(middle, most * 4)) {
    if (named.length >= most || length + path.length > longestPaths) break
    if (lines.some((line) => line.includes(path))) continue
    named.push(path)
    length += path.length + 1
  }
  return named.join(' ')
}
