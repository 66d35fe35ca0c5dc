import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'

/** A client library that does the task of the tests. */
export interface Client {
  readonly name: string
  readonly dialect: WireDialect
  /** Works until the model asks for no more tools. Rejects as the library does. */
  readonly run: (call: ClientCall) => Promise<Told>
}

/** Whom a client asks, and how. */
export interface ClientCall {
  /** Where the provider is: scheme, host and port. */
  readonly url: string
  readonly key: string
  readonly isStreamed: boolean
  readonly signal?: AbortSignal
  /** Called when the first piece of an answer is there. */
  readonly onPiece?: () => void
}

/** What a client was told, all rounds together. */
export interface Told {
  readonly text: string
  /** The tools it was asked to run, with their arguments, in order. */
  readonly calls: readonly string[]
  /** What was used, in the library's own words, request by request. */
  readonly usage: readonly unknown[]
}

/** No client goes round for ever. */
export const mostRounds = 5
