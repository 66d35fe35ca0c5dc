import { cleanText } from '../terminal/clean-text.ts'

/** `cleanText` looks at no more than this at once. */
const pieceLength = 2000

/** A text from a model or a tool as lines that are safe to print: nothing in them acts on the terminal or hides or reorders text. */
export function cleanLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(cleanLine)
}

/** One such line. Of a line that was written over, as progress bars do, the last state. */
export function cleanLine(line: string): string {
  const written = line.endsWith('\r') ? line.slice(0, -1) : line
  const last = written.slice(written.lastIndexOf('\r') + 1).replaceAll('\t', '    ')
  if (last.length <= pieceLength) return cleanText(last)
  let result = ''
  for (let start = 0; start < last.length; ) {
    const end = start + pieceLength
    // A pair of surrogates is one character.
    const next = isHighSurrogate(last.charCodeAt(end - 1)) ? end - 1 : end
    result += cleanText(last.slice(start, next))
    start = next
  }
  return result
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
