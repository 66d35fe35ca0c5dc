import { isRecord } from '@plimsoll/core'
import type { APICallError, RetryError } from 'ai'

// Known by their names, as the library itself does across its own versions: to load it for that alone would take longer than the rest.

/** Whether an error is the AI SDK's account of a call that a server refused. */
export function isCallError(error: unknown): error is APICallError {
  return isRecord(error) && error['name'] === 'AI_APICallError'
}

/** Whether an error is the AI SDK's account of how often something was tried. */
export function isRetryError(error: unknown): error is RetryError {
  return isRecord(error) && error['name'] === 'AI_RetryError'
}
