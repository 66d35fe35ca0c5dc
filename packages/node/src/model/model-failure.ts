import { classifyFailure } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { APICallError, RetryError } from 'ai'

/** Whether a provider refused a request because it was longer than the model's window, with or without the room for the answer. */
export function isContextOverflow(error: unknown): boolean {
  const cause = causeOf(error)
  const failure = isCallError(cause)
    ? { status: cause.statusCode, body: [cause.responseBody, messageOf(cause)], headers: cause.responseHeaders }
    : { body: cause }
  const { kind } = classifyFailure(failure)
  return kind === 'overflow' || kind === 'output_reservation'
}

/**
 * What went wrong, as one line for people: the status where there is one, and the server's own words, at most 300 characters. Some
 * servers repeat the key they refuse, so `secrets` are blanked.
 */
export function describeFailure(error: unknown, secrets: readonly string[] = []): string {
  const cause = causeOf(error)
  const status = isCallError(cause) && cause.statusCode !== undefined ? `HTTP ${cause.statusCode}: ` : ''
  let text = messageOf(cause)
  for (const secret of secrets) if (secret !== '') text = text.replaceAll(secret, '***')
  text = text.slice(0, 2000).replace(/\s+/g, ' ').trim()
  return `${status}${text === '' ? 'no reason given' : text}`.slice(0, 300)
}

function causeOf(error: unknown): unknown {
  return isRetryError(error) ? error.lastError : error
}

/** What a stream sends as an error is whatever the server put there. */
function messageOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return ''
  const cause = 'cause' in error && error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return 'message' in error && typeof error.message === 'string' ? `${error.message}${cause}` : ''
}

/** Why an answer that began, or should have, is none: it broke off, stood still, was empty, was held back, or holds an error. */
type AnswerProblemKind = 'broken-off' | 'stalled' | 'empty' | 'filtered' | 'error'

/** What is wrong with an answer that came over a connection that was fine. */
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

// Known by their names, as the library itself does across its own versions: to load it for that alone would take longer than the rest.

export function isCallError(error: unknown): error is APICallError {
  return isRecord(error) && error['name'] === 'AI_APICallError'
}

export function isRetryError(error: unknown): error is RetryError {
  return isRecord(error) && error['name'] === 'AI_RetryError'
}
