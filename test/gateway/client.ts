import type { WireDialect } from '../../packages/node/src/store/gateway-record.ts'

/** A client library that runs the test task. */
export interface Client {
  readonly name: string
  readonly dialect: WireDialect
  /** Runs until the model calls no more tools. Rejects with the library's own error. */
  readonly run: (call: ClientCall) => Promise<ClientAnswers>
}

/** Where a client sends its requests, and how. */
export interface ClientCall {
  /** The provider's origin: scheme, host and port. */
  readonly url: string
  readonly key: string
  readonly isStreamed: boolean
  readonly signal?: AbortSignal
  /** Called with the first chunk of an answer. */
  readonly onPiece?: () => void
}

/** The answers that a client received in all rounds. */
export interface ClientAnswers {
  readonly text: string
  /** The tool calls with their arguments, in order. */
  readonly calls: readonly string[]
  /** The usage of each request, as the library reports it. */
  readonly usage: readonly unknown[]
}

/** Stops a client that never finishes. */
export const maxRounds = 5
