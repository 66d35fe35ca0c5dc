import type { EditTexts, InspectedMessage, Inspection, SentRequest } from '@plimsoll/core'

/** Where everything about one session is had from, piece by piece. */
export interface InspectedTexts {
  readonly inspection: () => Promise<Inspection>
  /** Messages by number, from the first up to and without the last. */
  readonly messages: (from: number, to: number) => Promise<readonly InspectedMessage[]>
  readonly request: (id: string) => Promise<SentRequest>
  readonly edit: (id: string) => Promise<EditTexts>
  /** Null where there are no such bytes. */
  readonly blob: (sha256: string) => Promise<Uint8Array | null>
}
