import type { Message } from '../message.ts'
import { estimator, type Tokenizer } from '../tokens.ts'
import { createFillSum, scaleFill, type WindowLimits } from './fill-sum.ts'
import type { WindowFill } from './inspection.ts'
import { rememberedCounts, type SizedMessage, sizeMessage, type ToolOfCall } from './sized-message.ts'

/** How a window's fill is worked out. */
export interface WindowFillOptions extends WindowLimits {
  /** Tokens of the tool definitions, which are no message. Default: none. */
  readonly toolTokens?: number
  /** What the whole request was counted at, by the provider or otherwise; the parts are scaled to it. Default: what they add up to. */
  readonly whole?: { readonly tokens: number; readonly source: WindowFill['source'] } | null
  /** The tool of a call that is not among the messages, by its id: its result may be. Default: nobody knows. */
  readonly toolOf?: ToolOfCall
  /** Default: the built-in estimate. */
  readonly tokens?: Tokenizer
}

/** What fills the window of a request with these messages, layers included, by what it is. All of it adds up. */
export function windowFill(
  messages: readonly Message[],
  { window, reserve, toolTokens = 0, whole = null, toolOf = unknown, tokens = estimator }: WindowFillOptions,
): WindowFill {
  const sum = createFillSum()
  for (const message of sizeMessages(messages, tokens, toolOf)) sum.add(message)
  const fill = sum.toFill({ window, reserve }, { tools: Math.max(0, toolTokens) })
  return whole === null ? fill : scaleFill(fill, whole.tokens, whole.source)
}

/** Measures every message of a list. */
function* sizeMessages(messages: readonly Message[], tokens: Tokenizer, toolOf: ToolOfCall): Generator<SizedMessage> {
  const calls = new Map<string, string>()
  const count = rememberedCounts(tokens)
  for (const message of messages) {
    for (const part of message.parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
    yield sizeMessage(message, (id) => calls.get(id) ?? toolOf(id), count)
  }
}

function unknown(): undefined {
  return undefined
}
