/** How a text ends its lines. */
export type LineEnding = '\n' | '\r\n'

/** A text with all lines ending in `\n`, and the way back to where its characters stood. */
export interface PlainLines {
  readonly text: string
  /** The ending of most lines. */
  readonly ending: LineEnding
  /** Where a place of `text` is in the original. */
  readonly originalIndex: (index: number) => number
}

/** A text as models write it, whatever ends its lines. */
export function plainLines(original: string): PlainLines {
  const text = toPlainLines(original)
  const removed = original.length - text.length
  if (removed === 0) return { text, ending: '\n', originalIndex: (index) => index }
  const ends = new Int32Array(removed)
  let count = 0
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2)) {
    ends[count] = at - count
    count += 1
  }
  return {
    text,
    ending: removed * 2 > countOf(text, '\n') ? '\r\n' : '\n',
    // Behind each line end that lies before the place, one more character was left out.
    originalIndex: (index) => index + firstNotBefore(ends, index),
  }
}

/** The text with `\n` in place of `\r\n`. */
export function toPlainLines(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

/** The text with the given line ends; its own are `\n`. */
export function withEnding(text: string, ending: LineEnding): string {
  return ending === '\n' ? text : text.replaceAll('\n', ending)
}

function firstNotBefore(sorted: Int32Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

function countOf(text: string, character: string): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count += 1
  return count
}
