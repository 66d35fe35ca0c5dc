import type { EditTexts, InspectedMessage, Inspection, SentRequest } from './inspection.ts'
import type { PackedInspection } from './pack-inspection.ts'
import type { WhatIf } from './what-if.ts'

/** What a page that needs no server carries. Texts are without secrets unless that was asked for. */
export interface EmbeddedInspection {
  readonly version: 1
  readonly locale: string | null
  readonly isRedacted: boolean
  readonly inspection: Inspection
  readonly messages: readonly InspectedMessage[]
  /** The views of the requests in order, the latest where there are too many for a page. */
  readonly views: readonly EmbeddedView[]
  /** Messages that were sent and are not among `messages` as they were sent. */
  readonly pool: readonly SentRequest['messages'][number][]
  readonly edits: Readonly<Record<string, EditTexts>>
  readonly whatIf: WhatIf | null
  /** Pictures by their sha256, as data URLs. */
  readonly blobs: Readonly<Record<string, string>>
  /** What was taken out of the page or found no room in it. Default: nothing. */
  readonly left?: EmbeddedLeft
}

/** The same as it stands in the page. */
export interface WrittenInspection extends Omit<EmbeddedInspection, 'inspection'> {
  readonly inspection: PackedInspection
}

/** What was taken out of a page, or found no room in it. */
export interface EmbeddedLeft {
  /** Keys, tokens and passwords that were blanked. */
  readonly secrets: number
  /** Names of home folders that became `~`. */
  readonly homes: number
  /** Texts of which only the beginning and the end are in the page. */
  readonly texts: number
  readonly pictures: number
  /** Requests whose views are not in the page. */
  readonly requests: number
}

/**
 * One request's view, told by what differs from the one before it: it takes over so many messages from that one's beginning and goes
 * on with others. A number below the count of `messages` is one of those; what is above it is in `pool`.
 */
export interface EmbeddedView {
  readonly id: string
  readonly model: string | null
  readonly isProven: boolean
  readonly kept: number
  readonly added: readonly number[]
}
