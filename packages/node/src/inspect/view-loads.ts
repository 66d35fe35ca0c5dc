import type { Message, Tokenizer } from '@plimsoll/core'
import {
  type CategoryTokens,
  createFillSum,
  rememberedCounts,
  type SizedMessage,
  sizeMessage,
  type WindowFill,
  type WindowLimits,
} from '@plimsoll/core/bill'

/** What the views of one session are filled with, from request to request. */
export interface ViewLoads {
  /** Takes in the next view: only what differs from the one before it is counted. */
  readonly show: (view: readonly Message[]) => void
  /** What fills the window with that view, and with what stands around it. */
  readonly toFill: (limits: WindowLimits) => WindowFill
  readonly sized: (message: Message) => SizedMessage
  /** Tokens that a view shows of each message of the session, by number; 0 for those that it leaves out. */
  readonly column: (view: readonly Message[]) => readonly number[]
}

/** Nothing is shown yet of these messages; so many tokens stand around every view. */
export function createViewLoads(messages: readonly Message[], tokens: Tokenizer, around: CategoryTokens): ViewLoads {
  const calls = new Map<string, string>()
  for (const { parts } of messages) for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
  const count = rememberedCounts(tokens)
  const sizes = new WeakMap<Message, SizedMessage>()
  const sum = createFillSum()
  let shown: readonly Message[] = []

  const sized = (message: Message): SizedMessage => {
    let size = sizes.get(message)
    if (size === undefined) {
      size = sizeMessage(message, (id) => calls.get(id), count)
      sizes.set(message, size)
    }
    return size
  }

  return {
    sized,
    show(view) {
      for (let index = 0; index < Math.max(view.length, shown.length); index += 1) {
        const was = shown[index]
        const is = view[index]
        if (was === is) continue
        if (was !== undefined) sum.add(sized(was), -1)
        if (is !== undefined) sum.add(sized(is))
      }
      shown = view
    },
    toFill: (limits) => sum.toFill(limits, around),
    column(view) {
      const byId = new Map(view.map((message) => [message.id, sized(message).tokens]))
      return messages.map(({ id }) => byId.get(id) ?? 0)
    },
  }
}
