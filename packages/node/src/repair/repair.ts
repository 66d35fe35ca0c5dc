import type { RepairKind } from '../strings/english/setup.ts'

/** One repair of a log. `line` is the line of the original, or the position of the message in a JSON document, from 1. */
export interface Repair {
  readonly kind: RepairKind
  readonly line: number
  readonly tool?: string
  /** The original line of the entry's new parent; null if it has none now. */
  readonly to?: number | null
  /** The name of the file that an image was moved to. */
  readonly file?: string
  /** How many entries are lost. */
  readonly count?: number
}
