import { type Message, type WriteRequestOptions, writeRequest } from '@plimsoll/core'
import type { ModelMessage } from 'ai'

/** A conversation as the AI SDK takes it. */
export interface ModelMessages {
  /** The system prompt: the system messages at the very beginning, summaries excepted. */
  readonly instructions?: string
  /** All that follows. A summary is shown as a reminder at its place. */
  readonly messages: ModelMessage[]
}

/** Turns messages into what the AI SDK sends. The same messages always give the same request. */
export function modelMessages(
  messages: readonly Message[],
  options: Pick<WriteRequestOptions, 'behind' | 'options' | 'isShared'> = {},
): ModelMessages {
  const { instructions, messages: written } = writeRequest('ai-sdk', messages, { model: '', ...options })
  return {
    ...(typeof instructions === 'string' ? { instructions } : {}),
    messages: written as ModelMessage[],
  }
}
