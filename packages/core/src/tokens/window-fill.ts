import { rememberGrowth } from '../derive.ts'
import { type Tokenizer } from '../facts.ts'
import type { Message } from '../message.ts'
import { estimator } from './count-tokens.ts'
import type { WindowFill } from './fill-sum.ts'
import { createFillSum, type FillSum, scaleFill, type WindowLimits } from './fill-sum.ts'
import { type PartCounter, rememberedCounts, type SizedMessage, sizeMessage, type ToolOfCall } from './sized-message.ts'

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
  const limits = { window, reserve }
  const more = { tools: Math.max(0, toolTokens) }
  const fill =
    tokens === estimator && toolOf === unknown
      ? estimatedSum(messages)(limits, more)
      : sumOf(messages, tokens, toolOf)(limits, more)
  return whole === null ? fill : scaleFill(fill, whole.tokens, whole.source)
}

function sumOf(messages: readonly Message[], tokens: Tokenizer, toolOf: ToolOfCall): FillSum['toFill'] {
  const state = startSum(tokens, toolOf)
  addMessages(state, messages, 0)
  return state.sum.toFill
}

/** Conversations grow at their end: what was added up before is not added up again. */
const estimatedSum = rememberGrowth({
  start: () => startSum(estimator, unknown),
  extend: addMessages,
  change(state, index, was, is) {
    // Results elsewhere in the list are named by calls, and where two have one id, by the last one before them.
    if (state.hasTwins || hasCall(was) || hasCall(is)) return false
    const sized = sizeMessage(is, state.toolOf, state.count)
    state.sum.add(state.sized[index] as SizedMessage, -1)
    state.sum.add(sized)
    state.sized[index] = sized
    return true
  },
  finish: ({ sum }) => sum.toFill,
})

interface SumState {
  readonly sum: FillSum
  readonly sized: SizedMessage[]
  readonly calls: Map<string, string>
  readonly toolOf: ToolOfCall
  readonly count: PartCounter
  /** Whether two calls of different tools have the same id. */
  hasTwins: boolean
}

function startSum(tokens: Tokenizer, toolOf: ToolOfCall): SumState {
  const calls = new Map<string, string>()
  return {
    sum: createFillSum(),
    sized: [],
    calls,
    toolOf: (id) => calls.get(id) ?? toolOf(id),
    count: rememberedCounts(tokens),
    hasTwins: false,
  }
}

function addMessages(state: SumState, messages: readonly Message[], from: number): void {
  const { sum, sized, calls, toolOf, count } = state
  for (let index = from; index < messages.length; index += 1) {
    const message = messages[index] as Message
    for (const part of message.parts) {
      if (part.type !== 'tool-call') continue
      if ((calls.get(part.callId) ?? part.tool) !== part.tool) state.hasTwins = true
      calls.set(part.callId, part.tool)
    }
    const measured = sizeMessage(message, toolOf, count)
    sum.add(measured)
    sized.push(measured)
  }
}

function hasCall({ parts }: Message): boolean {
  return parts.some(({ type }) => type === 'tool-call')
}

function unknown(): undefined {
  return undefined
}
