import { classifyFailure, type Message, type Part } from '@plimsoll/core'
import type { CacheTerms, ModelFacts, Price } from '@plimsoll/core/bill'
import type { CacheLifetime, ReasoningLevel } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import type { Failure } from '@plimsoll/core/wire'
import type { APICallError, RetryError } from 'ai'

export interface ModelClient {
  /** As the user names it, such as `anthropic/claude-sonnet-5`; `offline` for the built-in one. */
  readonly name: string
  readonly model: string
  readonly provider: string
  /** The configuration's facts over the catalogue's, corrected by what its server reports. */
  readonly facts: ModelFacts
  readonly price: Price | null
  /** Default: the usual terms. */
  readonly cacheTerms?: CacheTerms
  /** Whether it gets tools as text, because it has no tool calls. */
  readonly usesText: boolean
  /** Null or omitted: the provider decides. */
  readonly reasoning?: ReasoningLevel | null
  /** Asks once, never retries. Rejects with `ModelCallError`, or with the reason of `signal`. */
  readonly call: (request: ModelRequest, onDelta: (delta: ModelDelta) => void) => Promise<ModelAnswer>
}

export interface ModelRequest {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolOffer[]
  readonly maxOutputTokens: number
  /** Ids of at most three messages up to which the prompt stays unchanged, for providers that need cache markers. */
  readonly breakpoints: readonly string[]
  /** How long the provider should keep it, where that can be chosen. Default: as long as it does by itself. */
  readonly cacheLifetime?: CacheLifetime | null | undefined
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
  /** In the order they came. Arguments that are not valid JSON stay text. */
  readonly parts: readonly Part[]
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter' | 'other'
  /** As the provider reported it, in any shape; null if it did not. */
  readonly usage: unknown
}

export class ModelCallError extends Error {
  override readonly name = 'ModelCallError'
  /** `other` also if the provider never answered. */
  readonly failure: Failure
  readonly status: number | null
  readonly retryAfter: number | null
  /** Whether the same request may succeed later: too busy, interrupted, not reached. */
  readonly isTransient: boolean
  readonly requestId: string | null
  /** How parsing the response failed, the same word for the same way; null if it did not. A retry most likely fails again. */
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

/** Whether a provider rejected a request because it was longer than the window, with or without the room for the answer. */
export function isContextOverflow(error: unknown): boolean {
  const cause = isRetryError(error) ? error.lastError : error
  const failure = isCallError(cause)
    ? { status: cause.statusCode, body: [cause.responseBody, messageOf(cause)], headers: cause.responseHeaders }
    : { body: cause }
  const { kind } = classifyFailure(failure)
  return kind === 'overflow' || kind === 'output_reservation'
}

/** One line for the user: the status and the message, at most 300 characters. Blanks `secrets`: some servers repeat the key. */
export function describeFailure(error: unknown, secrets: readonly string[] = []): string {
  const cause = isRetryError(error) ? error.lastError : error
  const status = isCallError(cause) && cause.statusCode !== undefined ? `HTTP ${cause.statusCode}: ` : ''
  let text = messageOf(cause)
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '***')
  text = text.slice(0, 2000).replace(/\s+/g, ' ').trim()
  return `${status}${text === '' ? 'no reason given' : text}`.slice(0, 300)
}

/** A stream may send anything as an error. */
function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return ''
  const cause = 'cause' in error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return 'message' in error && typeof error.message === 'string' ? `${error.message}${cause}` : ''
}

type AnswerProblemKind = 'broken-off' | 'stalled' | 'empty' | 'filtered' | 'error'

export class AnswerProblem extends Error {
  override readonly name = 'AnswerProblem'
  readonly kind: AnswerProblemKind
  readonly told: unknown

  constructor(kind: AnswerProblemKind, message: string, told: unknown = null) {
    super(message)
    this.kind = kind
    this.told = told
  }
}

// Identified by name, as the library does across its own versions: loading it only for this would take too long.

export function isCallError(error: unknown): error is APICallError {
  return isRecord(error) && error['name'] === 'AI_APICallError'
}

export function isRetryError(error: unknown): error is RetryError {
  return isRecord(error) && error['name'] === 'AI_RetryError'
}
