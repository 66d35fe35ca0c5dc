import {
  type Cost,
  type Counterfactual,
  type CounterfactualRequest,
  canonicalPart,
  countMessage,
  createCounterfactual,
  estimator,
  type Message,
  type PromptBlock,
  type Usage,
} from '@plimsoll/core'
import type { DecidedRequest } from './decided-request.ts'
import { hashText } from './understand-request.ts'

/** What requests would have cost untrimmed, conversation by conversation. */
export interface Counterfactuals {
  /** Takes note of a request that was accepted, and what it cost; null where nobody knows what it would have cost. */
  readonly note: (
    decided: DecidedRequest,
    usage: Usage | null,
    paid: Cost | null,
    cacheLifetime: NonNullable<CounterfactualRequest['cacheLifetime']>,
  ) => Cost | null
}

/** Follows so many conversations; one that it has lost sight of goes on from its last request. */
export function createCounterfactuals(most = 100): Counterfactuals {
  // By the chain of the last request: a conversation that branches goes on with one cache, as at the provider.
  const followed = new Map<string, Counterfactual>()

  function take(decided: DecidedRequest): Counterfactual {
    const { before, tenant } = decided
    const known = before === null ? undefined : followed.get(`${tenant} ${before.branch.chain}`)
    return known ?? createCounterfactual(before === null ? null : stateBefore(decided, before))
  }

  return {
    note(decided, usage, paid, cacheLifetime) {
      const { understood, request, model, view, tenant, before } = decided
      // Until something is trimmed, what it would have cost is what it cost; from then on it goes on from the request before.
      const isFollowed = before !== null && followed.has(`${tenant} ${before.branch.chain}`)
      if (decided.edits.length === 0 && !isFollowed) return paid
      const counterfactual = take(decided)
      const { cost } = counterfactual.note({
        at: request.at,
        model: understood.model,
        price: model.price,
        usage,
        untrimmed: blocksOf(decided, understood.messages),
        trimmed: blocksOf(decided, view),
        cacheLifetime,
      })
      const key = `${tenant} ${understood.chains.at(-1) ?? ''}`
      followed.delete(key)
      followed.set(key, counterfactual)
      if (followed.size > most) {
        const [oldest] = followed.keys()
        if (oldest !== undefined) followed.delete(oldest)
      }
      return cost
    },
  }
}

/** The request before, as far as this one shows it: its messages are the first ones of this, and decisions about them hold. */
function stateBefore(decided: DecidedRequest, before: NonNullable<DecidedRequest['before']>) {
  const { understood, view, newEdits } = decided
  const fresh = new Set(newEdits.map(({ message }) => message))
  const shown = view.map((message, index) => (fresh.has(message.id) ? (understood.messages[index] as Message) : message))
  const prefix = before.branch.state.ledger.prefix ?? understood.prefix
  return {
    model: before.branch.state.model,
    at: before.branch.at,
    untrimmed: blocksOf(decided, understood.messages.slice(0, before.last + 1), prefix),
    trimmed: blocksOf(decided, shown.slice(0, before.last + 1), prefix),
    breakpoints: [],
  }
}

function blocksOf(
  { understood }: DecidedRequest,
  messages: readonly Message[],
  prefix = understood.prefix,
): readonly PromptBlock[] {
  const { overhead, leading } = understood
  const before = messages.slice(0, leading).reduce((sum, message) => sum + countMessage(message, estimator), overhead)
  const blocks: PromptBlock[] = [{ id: prefix, tokens: before }]
  for (const message of messages.slice(leading)) blocks.push({ id: nameOf(message), tokens: countMessage(message, estimator) })
  return blocks
}

// A replaced message is the same object at every request, and has the id of the one it stands for.
const names = new WeakMap<Message, string>()

function nameOf(message: Message): string {
  let name = names.get(message)
  if (name === undefined) {
    name = `${message.id} ${hashText(message.parts.map(canonicalPart).join(' '))}`
    names.set(message, name)
  }
  return name
}
