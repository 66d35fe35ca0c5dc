/** A stretch of a text, its end exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}
