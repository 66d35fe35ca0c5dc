import type { ViewStrings } from '@plimsoll/core'
import type { Paint } from './paint.ts'

/** What an account is drawn on. */
export interface Screen {
  readonly strings: ViewStrings
  readonly paint: Paint
  /** The width that tables keep to. */
  readonly columns: number
  /** Whether a long reason may run past the width: true where lines are read by programs and not by a person at a terminal. */
  readonly endless: boolean
}
