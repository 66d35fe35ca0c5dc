import type { Message } from './message.ts'

/**
 * Remembers work over lists that grow at their end, as conversations do: a list that continues one seen before goes on from
 * where that one stopped. What continues is decided by identity, message by message, so a rewound, edited or unrelated list is
 * simply read from its start. `extend` may change the state it is given; `finish` makes what callers get, and must copy.
 */
export function rememberGrowth<State, Result>(steps: {
  readonly start: () => State
  /** Takes in the messages from `from` on. */
  readonly extend: (state: State, messages: readonly Message[], from: number) => void
  readonly finish: (state: State, messages: readonly Message[]) => Result
}): (messages: readonly Message[]) => Result {
  // Held by the first message, which a conversation keeps and with which all of this goes away.
  const branches = new WeakMap<Message, Branch<State>[]>()
  return (messages) => {
    const first = messages[0]
    if (first === undefined) return steps.finish(steps.start(), messages)
    let known = branches.get(first)
    if (known === undefined) {
      known = []
      branches.set(first, known)
    }
    const at = known.findIndex((branch) => continues(messages, branch.messages))
    const branch = at < 0 ? { messages: noMessages, state: steps.start() } : (known.splice(at, 1)[0] as Branch<State>)
    const from = branch.messages.length
    if (from < messages.length) steps.extend(branch.state, messages, from)
    // A copy: the list itself belongs to the caller, who may add to it.
    known.unshift({ messages: from < messages.length ? messages.slice() : branch.messages, state: branch.state })
    if (known.length > mostBranches) known.pop()
    return steps.finish(branch.state, messages)
  }
}

interface Branch<State> {
  readonly messages: readonly Message[]
  readonly state: State
}

const noMessages: readonly Message[] = []
/** One for each stage of planning, twice over: a conversation and a branch of it. */
const mostBranches = 12

function continues(messages: readonly Message[], earlier: readonly Message[]): boolean {
  if (earlier.length > messages.length) return false
  // The end first: lists of one conversation mostly differ there, if at all.
  for (let index = earlier.length - 1; index >= 0; index -= 1) if (earlier[index] !== messages[index]) return false
  return true
}
