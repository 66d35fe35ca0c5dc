import type { ReplaceEdit } from './edit.ts'
import type { Facts } from './facts.ts'
import type { Message } from './message.ts'

/**
 * Remembers work over lists that grow at their end, as conversations do: a list that continues one seen before goes on from
 * where that one stopped. What continues is decided by identity, message by message, so a rewound, edited or unrelated list is
 * simply read from its start, unless only a few of its messages are others and `change` can deal with them. `extend` and `change`
 * may change the state they are given; `finish` makes what callers get, and must copy.
 */
export function rememberGrowth<State, Result>(steps: {
  readonly start: () => State
  /** Takes in the messages from `from` on. */
  readonly extend: (state: State, messages: readonly Message[], from: number) => void
  /** Puts one message in place of another that was taken in before; false where that cannot be done. Default: it cannot. */
  readonly change?: (state: State, index: number, was: Message, is: Message) => boolean
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
    const branch = take(known, messages) ?? { messages: [], state: steps.start(), hasGrown: false }
    const from = branch.messages.length
    if (from > 0 && from < messages.length) branch.hasGrown = true
    if (from < messages.length) steps.extend(branch.state, messages, from)
    for (let index = from; index < messages.length; index += 1) branch.messages.push(messages[index] as Message)
    known.unshift(branch)
    if (known.length > mostBranches) known.pop()
    return steps.finish(branch.state, messages)
  }

  /** Takes out the branch that a list continues, with what has changed since. */
  function take(known: Branch<State>[], messages: readonly Message[]): Branch<State> | null {
    const at = known.findIndex((branch) => continues(messages, branch.messages))
    if (at >= 0) return known.splice(at, 1)[0] as Branch<State>
    const { change } = steps
    const near = change === undefined ? null : nearest(known, messages)
    if (change === undefined || near === null) return null
    const { branch, places } = near
    known.splice(near.at, 1)
    for (const index of places) {
      const is = messages[index] as Message
      if (!change(branch.state, index, branch.messages[index] as Message, is)) return null
      branch.messages[index] = is
    }
    return branch
  }
}

interface Branch<State> {
  /** What was taken in. A list of its own: the one that was given belongs to the caller, who may add to it. */
  readonly messages: Message[]
  readonly state: State
  /** Whether more than one list was read into it. */
  hasGrown: boolean
}

/** One for each stage of planning, twice over: a conversation and a branch of it. */
const mostBranches = 12
/** More than change from one request to the next, fewer than it costs to read a long list from its start. */
const mostChanges = 40

function continues(messages: readonly Message[], earlier: readonly Message[]): boolean {
  if (earlier.length > messages.length) return false
  // The end first: lists of one conversation mostly differ there, if at all.
  for (let index = earlier.length - 1; index >= 0; index -= 1) if (earlier[index] !== messages[index]) return false
  return true
}

/**
 * The branch of which the fewest messages are others than in a list, with their places. One that has grown to the same length belongs to
 * another stage of the same request, and comes again with the next one.
 */
function nearest<Each extends Branch<unknown>>(known: readonly Each[], messages: readonly Message[]) {
  let best: { readonly at: number; readonly branch: Each; readonly places: readonly number[] } | null = null
  for (const [at, branch] of known.entries()) {
    if (branch.hasGrown && branch.messages.length === messages.length) continue
    const places = changedPlaces(messages, branch.messages, best === null ? mostChanges : best.places.length - 1)
    if (places !== null) best = { at, branch, places }
  }
  return best
}

/** Where a list has other messages than an earlier, shorter one; null where these are more than allowed. */
function changedPlaces(messages: readonly Message[], earlier: readonly Message[], most: number): readonly number[] | null {
  if (earlier.length > messages.length) return null
  const places: number[] = []
  for (let index = earlier.length - 1; index >= 0; index -= 1) {
    if (earlier[index] === messages[index]) continue
    if (places.length >= most) return null
    places.push(index)
  }
  return places
}

/** How a policy plans that decides about each message by itself, once and for ever. */
interface PlanSteps {
  /** Everything its edits depend on besides the messages. While these values are the same, so are the edits. */
  readonly settingsOf: (facts: Facts) => readonly unknown[]
  /** The edits of the messages from `from` on, in order. */
  readonly editsFrom: (messages: readonly Message[], from: number, facts: Facts) => readonly ReplaceEdit[]
}

/** Plans the messages that were added since the last request, and remembers the edits of all others. */
export function planOnce({ settingsOf, editsFrom }: PlanSteps): (messages: readonly Message[], facts: Facts) => ReplaceEdit[] {
  // The latest first: several conversations may go on side by side, each with settings of its own.
  const plans: Plan[] = []
  return (messages, facts) => {
    const settings = settingsOf(facts)
    const at = plans.findIndex((plan) => plan.settings.every((value, index) => value === settings[index]))
    const plan = at < 0 ? createPlan(settings, editsFrom) : (plans.splice(at, 1)[0] as Plan)
    plans.unshift(plan)
    if (plans.length > mostPlans) plans.pop()
    return plan.editsOf(messages, facts)
  }
}

interface Plan {
  readonly settings: readonly unknown[]
  readonly editsOf: (messages: readonly Message[], facts: Facts) => ReplaceEdit[]
}

const mostPlans = 8
/** Facts hold a whole conversation, which is not kept for the sake of them. */
const noFacts: Facts = {}

function createPlan(settings: readonly unknown[], editsFrom: PlanSteps['editsFrom']): Plan {
  let current = noFacts
  const read = rememberGrowth({
    start: (): ReplaceEdit[] => [],
    extend(edits, messages, from) {
      for (const edit of editsFrom(messages, from, current)) edits.push(edit)
    },
    finish: (edits) => edits.slice(),
  })
  return {
    settings,
    editsOf(messages, facts) {
      current = facts
      const edits = read(messages)
      current = noFacts
      return edits
    },
  }
}
