/** The first lines of a text, without the newline after them. */
export function firstLines(text: string, count: number): string {
  if (count <= 0) return ''
  let end = -1
  for (let left = count; left > 0; left -= 1) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return withoutLastNewline(text)
  }
  return text.slice(0, end)
}

/** How many units the last lines of a text take, with the newline at the very end. */
export function lastLinesLength(text: string, count: number): number {
  if (count <= 0) return 0
  let start = text.endsWith('\n') ? text.length - 1 : text.length
  for (let left = count; left > 0; left -= 1) {
    start = start === 0 ? -1 : text.lastIndexOf('\n', start - 1)
    if (start === -1) return text.length
  }
  return text.length - start - 1
}

/** A text without the newline at its very end. */
export function withoutLastNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}
