import type { Paint } from '../terminal/paint.ts'
import { displayWidth, wrapText } from '../terminal/text-width.ts'
import { cleanLines } from './clean-lines.ts'

/** A model's words for the terminal: bold and code are painted, lists keep their indent, code blocks stay as they are. */
export function answerLines(text: string, isCode: boolean, columns: number, paint: Paint): readonly string[] {
  const lines: string[] = []
  let inCode = isCode
  for (const line of cleanLines(text)) {
    const isFence = isFenceLine(line)
    if (isFence || inCode) for (const piece of hardWrap(line, columns)) lines.push(paint('dim', piece))
    else for (const piece of wrapIndented(line, columns)) lines.push(emphasise(piece, paint))
    if (isFence) inCode = !inCode
  }
  return lines
}

/** Whether a line opens or closes a block of code. */
function isFenceLine(line: string): boolean {
  return /^ {0,3}(?:```|~~~)/.test(line)
}

/** Whether code goes on after a text, which began inside code or not. */
export function codeAfter(text: string, isCode: boolean): boolean {
  let inCode = isCode
  for (const line of text.split('\n')) if (isFenceLine(line)) inCode = !inCode
  return inCode
}

/** Code is broken only where the terminal ends, and its blanks stay. */
function hardWrap(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line]
  const pieces: string[] = []
  let piece = ''
  let width = 0
  for (const { segment } of graphemes.segment(line)) {
    const own = displayWidth(segment)
    if (width + own > columns) {
      pieces.push(piece)
      piece = ''
      width = 0
    }
    piece += segment
    width += own
  }
  return [...pieces, piece]
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A point of a list goes on under its first word. */
function wrapIndented(line: string, columns: number): readonly string[] {
  if (displayWidth(line) <= columns) return [line]
  const indent = /^ {0,12}(?:[-*+] |\d{1,3}[.)] )?/.exec(line)?.[0] ?? ''
  const hanging = indent.length < columns / 2 ? indent : ''
  const rest = wrapText(line.slice(hanging.length), columns - hanging.length)
  return rest.map((piece, index) => (index === 0 ? hanging : ' '.repeat(hanging.length)) + piece)
}

function emphasise(line: string, paint: Paint): string {
  if (/^#{1,6} /.test(line)) return paint('bold', line)
  return line
    .replace(/\*\*([^*\n]{1,300})\*\*/g, (whole, bold: string) => {
      const painted = paint('bold', bold)
      // Where nothing is painted, the stars are the only sign of it.
      return painted === bold ? whole : painted
    })
    .replace(/`[^`\n]{1,300}`/g, (code) => paint('bold', code))
}
