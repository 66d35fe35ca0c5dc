/** How many columns a text takes on a terminal: two for wide characters, none for marks that join the one before. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment)
  return width
}

/** The text cut to a number of columns, ending in `…` when something was cut. */
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

/** The text filled up with blanks, or cut, to exactly a number of columns. */
export function fitWidth(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const cut = cutToWidth(text, columns)
  const blanks = ' '.repeat(Math.max(0, columns - displayWidth(cut)))
  return side === 'left' ? cut + blanks : blanks + cut
}

/** The text in lines of at most a number of columns, broken at blanks, or anywhere in text that has none. */
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

/** Pieces with their trailing blank. A wide character may end a line, and so may any piece of an over-long word. */
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
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]*$/u
const wide =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1b000}-\u{1b2ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}])/u

function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0
  return wide.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1
}
