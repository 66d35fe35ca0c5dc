import type { MendKind } from '../strings/english/setup.ts'

/** One repair of a log. `line` is the line of the original, or the position of the message in a JSON document, from 1. */
export interface Mend {
  readonly kind: MendKind
  readonly line: number
  readonly tool?: string
  /** The line of the original that the entry hangs on now; null if it became a beginning. */
  readonly to?: number | null
  /** The file that an image was moved into, by its name alone. */
  readonly file?: string
}
