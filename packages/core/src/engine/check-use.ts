import { perList, unchanging } from '../derive.ts'
import { isRecord, type Message } from '../message.ts'
import type { Policy } from '../policy.ts'
import { describeValue } from '../text/json.ts'

/** Thrown if the library is called with an invalid value. The message says what was expected. */
export class UsageError extends TypeError {
  override readonly name = 'UsageError'
}

export function checkPolicies(caller: string, policies: readonly Policy[]): void {
  if (!Array.isArray(policies)) throw new UsageError(`${caller}: expected policies to be a list, got ${describeValue(policies)}`)
  for (const [index, policy] of policies.entries()) {
    const place = `${caller}: policies[${index}]`
    if (!isRecord(policy) || typeof policy['plan'] !== 'function' || typeof policy['name'] !== 'string')
      throw new UsageError(`${place}: expected { name, plan }, such as economyPolicies has, got ${describeValue(policy)}`)
  }
}

/** Throws a `UsageError` unless these are messages with unique ids. Returns a list that its owner cannot change. */
export function checkedMessages(caller: string, given: readonly Message[]): readonly Message[] {
  if (!Array.isArray(given)) throw new UsageError(`${caller}: expected messages to be a list, got ${describeValue(given)}`)
  const messages = unchanging<Message>(given)
  checkEach(messages)
  return messages
}

export function checkNow(caller: string, facts: { readonly now: number }): void {
  if (!isRecord(facts)) throw new UsageError(`${caller}: expected facts with \`now\`, got ${describeValue(facts)}`)
  if (!Number.isFinite(facts.now))
    throw new UsageError(`${caller}: expected \`now\` in milliseconds, got ${describeValue(facts.now)}`)
}

const checkEach = perList({
  start: () => new Set<string>(),
  add(ids, message: object, index) {
    const place = `messages[${index}]`
    if (!isRecord(message)) throw new UsageError(`${place}: expected a message, got ${describeValue(message)}`)
    const { id, parts } = message
    const hint = 'content' in message && parts === undefined ? '. Messages in a provider’s own format need a codec' : ''
    if (typeof id !== 'string') throw new UsageError(`${place}: expected an id, got ${describeValue(id)}${hint}`)
    if (!Array.isArray(parts)) throw new UsageError(`${place}: expected parts to be a list, got ${describeValue(parts)}${hint}`)
    if (!parts.every(isRecord)) throw new UsageError(`${place}: expected every part to be an object`)
    if (ids.has(id)) throw new UsageError(`message id ${JSON.stringify(id)} appears twice: expected one message per id`)
    ids.add(id)
  },
  finish: () => undefined,
})()
