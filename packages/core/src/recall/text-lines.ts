import { countLines } from '../text/code-points.ts'

/** The lines of a text, found without taking it apart. Counted from 1; a newline at the very end begins no further line. */
export interface TextLines {
  readonly total: number
  /** The lines from first to last, without the newline after them. */
  readonly slice: (first: number, last: number) => string
  /** The same as a list. */
  readonly list: (first: number, last: number) => readonly string[]
}

/** Reads a text by its lines. */
export function createLines(text: string): TextLines {
  let starts: readonly number[] | null = null
  const total = countLines(text)
  const startOf = (line: number): number => {
    starts ??= lineStarts(text)
    return line > total ? text.length : (starts[line - 1] ?? text.length)
  }
  function slice(first: number, last: number): string {
    const end = last < total ? startOf(last + 1) - 1 : text.endsWith('\n') ? text.length - 1 : text.length
    return text.slice(startOf(first), end)
  }
  return { total, slice, list: (first, last) => (last < first ? [] : slice(first, last).split('\n')) }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
