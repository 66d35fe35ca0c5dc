import type { EditTexts, InspectedMessage, Inspection, SentRequest } from './inspection.ts'
import type { WhatIf } from './what-if.ts'

/** What a page that needs no server carries. Texts are without secrets unless that was asked for. */
export interface EmbeddedInspection {
  readonly version: 1
  readonly locale: string | null
  readonly isRedacted: boolean
  readonly inspection: Inspection
  readonly messages: readonly InspectedMessage[]
  /**
   * The views of the requests in order. Each takes over so many messages from the beginning of the one before it and goes on with
   * others: numbers of `pool`.
   */
  readonly views: readonly EmbeddedView[]
  readonly pool: readonly SentRequest['messages'][number][]
  readonly edits: Readonly<Record<string, EditTexts>>
  readonly whatIf: WhatIf | null
  /** Pictures by their sha256, as data URLs. */
  readonly blobs: Readonly<Record<string, string>>
}

/** One request's view, told by what differs from the one before it. */
export interface EmbeddedView {
  readonly id: string
  readonly model: string | null
  readonly isProven: boolean
  readonly kept: number
  readonly added: readonly number[]
}
