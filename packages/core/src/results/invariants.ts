import { perList } from '../derive.ts'
import type { Message, Part } from '../message.ts'
import type { Problem } from '../report.ts'
import { createUnansweredCalls, noCalls, type UnansweredCalls } from './tool-pairs.ts'

/** Returns what providers would reject, in order. A result without a call id, and results in a log that has no calls at all, are legal: such logs exist. */
export function checkView(messages: readonly Message[]): readonly Problem[] {
  return check(messages)
}

const check = perList({
  start: (): Checked => ({
    ids: new Set(),
    anyCalls: false,
    shape: [],
    pairs: [],
    asking: null,
    open: noCalls,
    answered: new Set(),
  }),
  add(checked, message: Message) {
    checkIdAndRole(message, checked)
    if (message.role === 'tool') checkAnswers(message, checked)
    else ask(message, checked)
  },
  change: (_checked, _index, was, is) => isSameShape(was, is),
  finish: ({ anyCalls, shape, pairs, asking, open }): readonly Problem[] =>
    anyCalls ? [...shape, ...pairs, ...unanswered(asking, open)] : shape.slice(),
})()

/** Whether they have the same calls and results, so that nothing else that is checked differs. */
function isSameShape(was: Message, is: Message): boolean {
  if (was.id !== is.id || was.role !== is.role || was.parts.length !== is.parts.length) return false
  return was.parts.every((part, at) => isSameLink(part, is.parts[at] as Part))
}

function isSameLink(was: Part, is: Part): boolean {
  if (was.type === 'tool-call') return is.type === was.type && is.callId === was.callId && is.pending === was.pending
  if (was.type === 'tool-result') return is.type === was.type && is.callId === was.callId
  return is.type !== 'tool-call' && is.type !== 'tool-result'
}

interface Checked {
  readonly ids: Set<string>
  anyCalls: boolean
  readonly shape: Problem[]
  /** Problems with pairs, reported only if the log has calls at all. */
  readonly pairs: Problem[]
  /** The message whose calls are being answered. */
  asking: Message | null
  open: UnansweredCalls
  answered: Set<string>
}

function checkIdAndRole({ id, role, parts }: Message, { ids, shape }: Checked): void {
  if (ids.has(id)) shape.push({ rule: 'unique-message-ids', message: id })
  ids.add(id)
  for (const part of parts) {
    if (part.type === 'tool-call' && role !== 'assistant') shape.push({ rule: 'calls-in-assistant-messages', message: id })
    if (part.type === 'tool-result' && role !== 'tool') shape.push({ rule: 'results-in-tool-messages', message: id })
  }
}

/** Any message but a tool's ends the answers to the calls before it, and may have calls. */
function ask(message: Message, checked: Checked): void {
  for (const problem of unanswered(checked.asking, checked.open)) checked.pairs.push(problem)
  checked.asking = message
  checked.open = createUnansweredCalls(message)
  checked.answered = new Set()
  if (checked.open !== noCalls) checked.anyCalls = true
}

function checkAnswers(message: Message, { open, answered, pairs }: Checked): void {
  for (const part of message.parts) {
    if (part.type !== 'tool-result' || part.callId === null) continue
    if (open.answer(part.callId)) answered.add(part.callId)
    else pairs.push({ rule: answered.has(part.callId) ? 'one-result-per-call' : 'result-has-call', message: message.id })
  }
}

function unanswered(asking: Message | null, open: UnansweredCalls): readonly Problem[] {
  if (asking === null) return []
  const { id } = asking
  return open.left().flatMap(({ pending }) => (pending === true ? [] : [{ rule: 'call-has-result' as const, message: id }]))
}
