import type { Part } from '@plimsoll/core'
import type { Reference } from '@plimsoll/core/policies'

/** What names the part of a message that a decision is about, whatever conversation it stands in. */
export interface DecisionKey {
  /** The id of the tool's call where it has one, else that of the message. */
  readonly key: string
  readonly part: number
  /** A hash of the part as the client sent it: another content is another matter. */
  readonly original: string
}

/**
 * How one part of a message is shown from its first change on. The first one that was written down holds: whoever meets the same part
 * again, in whatever conversation and through whatever gateway, shows the same bytes.
 */
export interface Decision extends DecisionKey {
  readonly policy: string
  readonly why: string
  /** What is shown in its place. */
  readonly with: Part
  /** The lines of it that say other lines are shown elsewhere. Default: none. */
  readonly refers?: readonly Reference[]
  /** When it was made, in milliseconds. */
  readonly at: number
}
