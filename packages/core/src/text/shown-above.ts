export interface LinesAbove {
  readonly count: number
  readonly sourceFrom: number
  /** Less than `count` if they repeat. */
  readonly sourceCount: number
  readonly source: {
    readonly label: string
    readonly handle: string
    readonly isNumbered: boolean
  }
}

export function aboveMarker({ count, source, sourceFrom, sourceCount }: LinesAbove): string {
  const { label, handle, isNumbered } = source
  const often = sourceCount < count ? ' over and over' : ''
  const lines = isNumbered ? `, lines ${sourceFrom + 1}-${sourceFrom + sourceCount}` : ''
  return `[${count}${sign}${often}: ${label}${lines}; recall ${handle}]`
}

/** The same line without the claim that the lines are visible, with the handle of the text they were removed from. */
export function restated(line: string, handle: string): string {
  return line.replace(
    /^\[(\d{1,7}) lines as shown above(?: over and over)?: (.{0,2000}?)(?:, lines \d{1,9}-\d{1,9})?; recall [0-9a-f]{12}\]$/,
    (_, count: string, label: string) => `[${count} lines: ${label}; recall ${handle}]`,
  )
}

/** Whether a text already contains such a line, as in a trimmed view that is read as a log. */
export function hasAboveMarker(text: string): boolean {
  return text.includes('; recall ') && anyMarker.test(text)
}

export interface AboveClaim {
  readonly handle: string
  /** The lines of the text with that handle, from 0, end excluded; null if the line does not say. */
  readonly lines: { readonly from: number; readonly to: number } | null
}

export function readAboveMarker(line: string): AboveClaim | null {
  if (!marker.test(line)) return null
  const found = /, lines (\d{1,7})-(\d{1,7}); recall [0-9a-f]{12}\]$/.exec(line)
  return {
    handle: line.slice(-13, -1),
    lines: found === null ? null : { from: Number(found[1]) - 1, to: Number(found[2]) },
  }
}

const sign = ' lines as shown above'
const marker = /^\[\d{1,7} lines as shown above(?: over and over)?: [^\n]{1,200}; recall [0-9a-f]{12}\]$/m
const anyMarker = /^\[\d{1,7} lines(?: as shown above(?: over and over)?)?: [^\n]{1,200}; recall [0-9a-f]{12}\]$/m

/** Removes the line numbers that tools add. A column of a table does not count up, so it stays. */
export function withoutNumbers(lines: readonly string[]): string[] {
  let due = Number.NaN
  return lines.map((line, index) => {
    if (!mayBeNumbered(line)) {
      due = Number.NaN
      return line
    }
    const number = numberOf(line, due)
    const isCounted = number === due || numberOf(lines[index + 1] ?? '', number + 1) === number + 1
    due = number + 1
    return isCounted ? line.slice(line.search(mark) + 1) : line
  })
}

const mark = /[→\t]/

function mayBeNumbered(line: string): boolean {
  const first = line.charCodeAt(0)
  return first === 0x20 || first === 0x2192 || (first >= 0x30 && first <= 0x39)
}

/** The number before a line; `due` if only the mark is left of it; NaN if there is none. */
function numberOf(line: string, due: number): number {
  if (line.startsWith('→')) return due
  const found = numbered.exec(line)
  return found === null ? Number.NaN : Number(found[1])
}

export const numbered = /^ {0,8}(0|[1-9]\d{0,6})[→\t]/
