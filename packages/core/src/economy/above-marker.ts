/** Lines that are shown above: how many, and where, counted from 0. */
export interface LinesAbove {
  readonly count: number
  readonly sourceFrom: number
  /** How many lines are meant there: fewer than `count` where they come over and over. */
  readonly sourceCount: number
  readonly source: {
    readonly label: string
    readonly handle: string
    /** Whether the lines have the same numbers in what can be had back by the handle. */
    readonly isNumbered: boolean
  }
}

/** The line that stands for lines which are shown above: how many, where, and by which handle they can be had back. */
export function aboveMarker({ count, source, sourceFrom, sourceCount }: LinesAbove): string {
  const { label, handle, isNumbered } = source
  const often = sourceCount < count ? ' over and over' : ''
  const lines = isNumbered ? `, lines ${sourceFrom + 1}-${sourceFrom + sourceCount}` : ''
  return `[${count}${sign}${often}: ${label}${lines}; recall ${handle}]`
}

/** Whether a text was shown with such a line already, in a view that is read as a log. */
export function hasAboveMarker(text: string): boolean {
  return text.includes(sign) && marker.test(text)
}

/** The handles of the texts of which a text says that their lines are shown above. */
export function shownAbove(text: string): readonly string[] {
  if (!text.includes(sign)) return []
  return text.split('\n').flatMap((line) => (marker.test(line) ? [line.slice(-13, -1)] : []))
}

const sign = ' lines as shown above'
const marker = /^\[\d{1,7} lines as shown above(?: over and over)?: [^\n]{1,200}; recall [0-9a-f]{12}\]$/m
