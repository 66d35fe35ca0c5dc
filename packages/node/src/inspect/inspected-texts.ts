import type { EditTexts, InspectedMessage, Inspection, SentRequest } from '../shared/inspection/inspection.ts'

/** Where everything about one session is had from, piece by piece. Sentences are in the language asked for, by default English. */
export interface InspectedTexts {
  readonly inspection: (locale?: string | null) => Promise<Inspection>
  /** Messages by number, from the first up to and without the last. */
  readonly messages: (from: number, to: number) => Promise<readonly InspectedMessage[]>
  /** Rejects with an `InspectError` where there is no such request. */
  readonly request: (id: string) => Promise<SentRequest>
  /** Rejects with an `InspectError` where there is no such edit. */
  readonly edit: (id: string, locale?: string | null) => Promise<EditTexts>
  /** Null where there are no such bytes. */
  readonly blob: (sha256: string) => Promise<Uint8Array | null>
}

/** A session that is open to be looked at, and has to be closed. */
export interface OpenInspected {
  readonly texts: InspectedTexts
  readonly close: () => Promise<void>
}

/** One that lies in a file, and can be replayed from it. */
export interface OpenLogged extends OpenInspected {
  /** The file, and its number among the sessions in it, from 0. */
  readonly logged: { readonly path: string; readonly number: number }
}
