import type { ReplaceEdit } from './edit.ts'
import type { Facts } from './facts.ts'
import { rememberGrowth } from './growing-list.ts'
import type { Message } from './message.ts'

/** How a policy plans that decides about each message by itself, once and for ever. */
export interface PlanSteps {
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
