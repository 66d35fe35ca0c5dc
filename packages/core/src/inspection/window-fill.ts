import type { Message } from '../message.ts'
import { estimator, type Tokenizer } from '../tokens.ts'
import { createFillSum, type FillSumOptions } from './fill-sum.ts'
import type { WindowFill } from './inspection.ts'
import { type SizedMessage, sizeMessage } from './sized-message.ts'

/** How a window's fill is worked out. */
export interface WindowFillOptions extends Omit<FillSumOptions, 'more'> {
  /** Tokens of the tool definitions, which are no message. Default: none. */
  readonly toolTokens?: number
  /** Default: the built-in estimate. */
  readonly tokens?: Tokenizer
}

/** What fills the window of a request with these messages, layers included, by what it is. All of it adds up. */
export function windowFill(
  messages: readonly Message[],
  { toolTokens = 0, tokens = estimator, ...options }: WindowFillOptions,
): WindowFill {
  const sum = createFillSum()
  for (const message of sizeMessages(messages, tokens)) sum.add(message)
  return sum.fill({ ...options, more: { tools: Math.max(0, toolTokens) } })
}

/** Measures every message of a list. */
export function* sizeMessages(messages: readonly Message[], tokens: Tokenizer): Generator<SizedMessage> {
  const calls = new Map<string, string>()
  for (const message of messages) {
    for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
    yield sizeMessage(message, (id) => calls.get(id), tokens)
  }
}
