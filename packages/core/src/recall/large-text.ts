/**
 * A text that is too large to be held as one, read piece by piece from where it lies. Places are counted in UTF-16 units. What
 * reads it throws an `Error` when it is not there any more, or not as it was.
 */
export interface LargeText {
  readonly length: number
  /** A newline at the very end begins no further line. */
  readonly lines: number
  /** Where a line begins, counted from 1; the length of the text behind the last one. */
  readonly startOf: (line: number) => number
  /** The text between two places, which whoever asks has to keep near to each other. */
  readonly slice: (start: number, end: number) => string
}
