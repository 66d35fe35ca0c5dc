import { createRequire } from 'node:module'

/** Counts the columns of a text on a terminal: two for wide characters, none for colour codes and combining marks. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length
  // Loaded with the first text that needs it: its tables would slow down the start of every command by a tenth.
  stringWidth ??= (createRequire(import.meta.url)('string-width') as typeof import('string-width')).default
  return stringWidth(text)
}

let stringWidth: typeof import('string-width').default | undefined

/** Cuts a text to a number of columns, with `…` at the end. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (columns <= 0) return ''
  let result = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment)
    if (width > columns - 1) break
    result += segment
  }
  return `${result}…`
}

/** Fills up or cuts a text to exactly a number of columns. */
export function fitWidth(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const cut = cutToWidth(text, columns)
  const blanks = ' '.repeat(Math.max(0, columns - displayWidth(cut)))
  return side === 'left' ? cut + blanks : blanks + cut
}

/** Breaks a text into lines of at most a number of columns, at blanks, or anywhere in text without blanks. */
export function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words(text, columns)) {
    if (line !== '' && displayWidth(line) + displayWidth(word.trimEnd()) > columns) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += word
  }
  if (line.trimEnd() !== '') lines.push(line.trimEnd())
  return lines
}

/** Pieces with their trailing blank. A line may end after any wide character, and anywhere in an over-long word. */
function words(text: string, columns: number): readonly string[] {
  return text.split(/(?<=\s)/).flatMap((word) => {
    if (plain.test(word) && word.length <= columns) return [word]
    const pieces: string[] = []
    let piece = ''
    for (const { segment } of graphemes.segment(word)) {
      if (
        piece !== '' &&
        (graphemeWidth(segment) > 1 || displayWidth(piece) + graphemeWidth(segment) > columns) &&
        !closing.test(segment)
      ) {
        pieces.push(piece)
        piece = ''
      }
      piece += segment
    }
    return [...pieces, piece]
  })
}

const plain = /^[ -~]*$/
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** Punctuation that may not begin a line. */
const closing = /^[，。、；：？！）】》”’]/

/** Measuring one character takes as long as a whole text. */
const widths = new Map<string, number>()

function graphemeWidth(grapheme: string): number {
  const width = widths.get(grapheme) ?? displayWidth(grapheme)
  if (widths.size > 20_000) widths.clear()
  widths.set(grapheme, width)
  return width
}
