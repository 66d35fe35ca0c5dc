import type { Message, Part } from '@plimsoll/core'
import type { CacheTerms, ModelFacts, Price } from '@plimsoll/core/bill'
import type { ReasoningLevel } from '@plimsoll/core/policies'
import type { Failure } from '@plimsoll/core/wire'

export interface ModelClient {
  /** As the user names it, such as `anthropic/claude-sonnet-5`; `offline` for the built-in one. */
  readonly name: string
  readonly model: string
  readonly provider: string
  /** What is known about it: the configuration's word over the catalogue's, corrected by what its server told. */
  readonly facts: ModelFacts
  readonly price: Price | null
  /** What its provider's cache costs and how long that lasts. Default: the usual. */
  readonly cacheTerms?: CacheTerms
  /** Whether it is asked in text, for want of tool calls. */
  readonly usesText: boolean
  /** How much it is to think before it answers. Null or left out: what its provider does by itself. */
  readonly reasoning?: ReasoningLevel | null
  /**
   * Asks once. What arrives is told at once through `onDelta`. Resolves with the complete answer; rejects with `ModelCallError`, or
   * with the reason of `signal` when that fires. Never tries a second time by itself.
   */
  readonly call: (request: ModelRequest, onDelta: (delta: ModelDelta) => void) => Promise<ModelAnswer>
}

export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolOffer[]
  readonly maxOutputTokens: number
  /** Ids of the messages up to which the prompt will stand unchanged, for providers that are told what to cache. At most three. */
  readonly breakpoints: readonly string[]
  readonly signal: AbortSignal
}

export interface ToolOffer {
  readonly name: string
  readonly description: string
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface ModelDelta {
  readonly type: 'text' | 'reasoning' | 'tool-input'
  readonly text: string
}

export interface ModelAnswer {
  /** Reasoning, text and tool calls in the order they came, as they are stored. Arguments that are no JSON stay text. */
  readonly parts: readonly Part[]
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'
  /** As the provider reported it, in whatever shape; null where it said nothing. */
  readonly usage: unknown
}

/** Why a model did not answer. */
export class ModelCallError extends Error {
  override readonly name = 'ModelCallError'
  /** What the provider's refusal is about; `other` too where it never answered. */
  readonly failure: Failure
  readonly status: number | null
  readonly retryAfter: number | null
  /** Whether the same request may succeed a little later: too busy, broken off, not reached. */
  readonly isTransient: boolean
  /** What the provider calls the request by, for whoever asks it why. */
  readonly requestId: string | null
  /**
   * In which way an answer that came could not be understood, the same word for the same way; null where that is not why. Whoever
   * asks again pays again, most likely for the same.
   */
  readonly misread: string | null

  constructor(
    message: string,
    details: Pick<ModelCallError, 'failure' | 'status' | 'retryAfter' | 'isTransient'> &
      Partial<Pick<ModelCallError, 'requestId' | 'misread'>>,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.failure = details.failure
    this.status = details.status
    this.retryAfter = details.retryAfter
    this.isTransient = details.isTransient
    this.requestId = details.requestId ?? null
    this.misread = details.misread ?? null
  }
}
