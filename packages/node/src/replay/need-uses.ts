import type { Message, ToolCallPart } from '@plimsoll/core'
import { callTexts } from './call-texts.ts'
import type { NeedClass } from './need.ts'
import { anchorsIn } from './need-anchors.ts'
import { callsById, errorLinesIn } from './need-errors.ts'
import { factsIn } from './need-facts.ts'
import { idsIn } from './need-ids.ts'
import { pathsIn } from './need-paths.ts'
import { symbolsIn } from './need-symbols.ts'
import type { RecordedSession, RecordedStep } from './recorded-session.ts'

/** A string that an action holds, wherever it may come from. */
export interface Use {
  readonly class: NeedClass
  readonly text: string
  /** The id of the edit that it is an anchor of. */
  readonly edit: string | null
}

/** The strings that the actions of a session hold, for each step in order. Worked out once for each session. */
export function usesOf(session: RecordedSession): readonly (readonly Use[])[] {
  const known = remembered.get(session)
  if (known !== undefined) return known
  const uses = session.steps.map((step, index) => {
    const answer = answerOf(session, step, session.steps[index + 1])
    const own = answer.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'tool-call' ? usesOfCall(part) : []))
    return once(index === session.steps.length - 1 ? [...own, ...usesOfText(answer)] : own)
  })
  const withErrors = uses.map((own, index) => once([...own, ...errorsActedOn(session, index, uses)]))
  remembered.set(session, withErrors)
  return withErrors
}

/** Every string that the actions of a session hold, to find out which of them all sessions have. */
export function stringsOf(session: RecordedSession): ReadonlySet<string> {
  const strings = new Set<string>()
  for (const uses of usesOf(session)) for (const { text } of uses) strings.add(text)
  return strings
}

const remembered = new WeakMap<RecordedSession, readonly (readonly Use[])[]>()

/** The messages of an answer: some logs keep what was thought, said and called in messages of their own. */
function answerOf({ segments }: RecordedSession, step: RecordedStep, next: RecordedStep | undefined): readonly Message[] {
  const messages = segments[step.segment] ?? []
  const most = next?.segment === step.segment ? next.length : messages.length
  let end = step.length
  while (end < most && messages[end]?.role === 'assistant') end += 1
  return end === step.length ? [step.answer] : messages.slice(step.length, end)
}

function usesOfCall(call: ToolCallPart): readonly Use[] {
  const known = ofCalls.get(call)
  if (known !== undefined) return known
  const texts = callTexts(call)
  const uses: readonly Use[] = [
    ...anchorsIn(call).map((text) => ({ class: 'edit-anchor', text, edit: call.callId }) as const),
    ...pathsIn(call).map((text) => ({ class: 'path', text, edit: null }) as const),
    ...texts.flatMap(({ text }) => symbolsIn(text).map((symbol) => ({ class: 'symbol', text: symbol, edit: null }) as const)),
    ...texts.flatMap(({ text }) => idsIn(text).map((id) => ({ class: 'opaque-id', text: id, edit: null }) as const)),
  ]
  ofCalls.set(call, uses)
  return uses
}

const ofCalls = new WeakMap<ToolCallPart, readonly Use[]>()

function usesOfText(answer: readonly Message[]): readonly Use[] {
  const said = answer.flatMap(({ parts }) => parts).flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return said.flatMap((text) => factsIn(text).map((fact) => ({ class: 'answer-fact', text: fact, edit: null }) as const))
}

/** The error lines that came before one of the ten last actions, this one among them, and that this one acts on: it names what they name. */
function errorsActedOn(session: RecordedSession, index: number, uses: readonly (readonly Use[])[]): readonly Use[] {
  const step = session.steps[index] as RecordedStep
  const messages = session.segments[step.segment] ?? []
  const named = symbolsAt(uses, index)
  if (named.size === 0) return []
  const before = session.steps[index - actionsAfterError]
  const from = before?.segment === step.segment ? before.length : 0
  const calls = callsOfSegment(messages)
  const found: Use[] = []
  for (let at = from; at < step.length; at += 1) {
    for (const part of messages[at]?.parts ?? []) {
      if (part.type !== 'tool-result') continue
      const call = part.callId === null ? null : (calls.get(part.callId) ?? null)
      for (const { text, symbols } of errorLinesIn(part, call)) {
        if (symbols.some((symbol) => named.has(symbol))) found.push({ class: 'error-line', text, edit: null })
      }
    }
  }
  return found
}

const actionsAfterError = 10
const callsOfSegments = new WeakMap<readonly Message[], ReadonlyMap<string, ToolCallPart>>()

function callsOfSegment(messages: readonly Message[]): ReadonlyMap<string, ToolCallPart> {
  let calls = callsOfSegments.get(messages)
  if (calls === undefined) {
    calls = callsById(messages)
    callsOfSegments.set(messages, calls)
  }
  return calls
}

function symbolsAt(uses: readonly (readonly Use[])[], index: number): ReadonlySet<string> {
  return new Set((uses[index] ?? []).flatMap((use) => (use.class === 'symbol' ? [use.text] : [])))
}

/** Each string once for its class, with the first edit that it is an anchor of. */
function once(uses: readonly Use[]): readonly Use[] {
  const seen = new Map<string, Use>()
  for (const use of uses) {
    const key = `${use.class} ${use.text}`
    if (!seen.has(key)) seen.set(key, use)
  }
  return [...seen.values()]
}
