import { countCodePoints, endOfFirst, startOfLast } from '../../text/code-points.ts'
import { firstLines } from '../../text/line-ends.ts'

/** A text of at most so many characters: its head and its tail with `…` between them where something is left out. */
export function clip(text: string, characters: number): string {
  if (text.length <= characters || countCodePoints(text) <= characters) return text
  if (characters < 1) return ''
  const head = Math.ceil((characters - 1) / 2)
  return `${text.slice(0, endOfFirst(text, head))}…${text.slice(startOfLast(text, Math.floor(characters) - 1 - head))}`
}

/** A line of at most so many characters, cut at its end. */
export function clipLine(line: string, characters: number): string {
  if (line.length <= characters || countCodePoints(line) <= characters) return line
  return characters < 1 ? '' : `${line.slice(0, endOfFirst(line, Math.floor(characters) - 1))}…`
}

/** The first lines of a text, each cut to a width. */
export function clipLines(text: string, lines: number, width: number): readonly string[] {
  const head = firstLines(text, lines)
  return head === '' ? [] : head.split('\n').map((line) => clipLine(line.trimEnd(), width))
}

/** Lines that together, with a newline between them, have at most so many characters: the longest give way first. */
export function clipTogether(lines: readonly string[], characters: number): string {
  const sizes = lines.map(countCodePoints).sort((a, b) => a - b)
  let left = Math.max(0, characters - (lines.length - 1))
  let width = Number.POSITIVE_INFINITY
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index))
    if (size > share) {
      width = share
      break
    }
    left -= size
  }
  return lines.map((line) => clipLine(line, width)).join('\n')
}

/** How wide a line may be that stands in a digest. */
export const lineWidth = 200
