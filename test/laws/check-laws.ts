import type { Message, Policy } from '@plimsoll/core'
import type { TimingName } from '@plimsoll/core/policies'
import { type Door, type DoorFacts, type DoorName, openDoor } from './doors.ts'
import type { RecordedConversation, RecordedRequest } from './recordings.ts'
import { createReferenceChecker } from './references.ts'
import type { ShownRequest } from './request.ts'
import { prefixChanges } from './stability.ts'
import { trimmedUnseen } from './unseen.ts'

/** A broken law, and where. */
export interface Violation {
  readonly law: 'stable' | 'true' | 'unseen' | 'no hidden state'
  readonly conversation: string
  /** The number of the request, from 0. */
  readonly request: number
  readonly what: unknown
}

/** The situations a run reached: a law that was never at risk proves nothing. */
export type Reached = Record<string, number>

/** How a conversation is sent. */
export interface LawRun {
  readonly door: DoorName
  readonly policies: readonly Policy[]
  readonly timing: TimingName
  readonly facts?: Partial<DoorFacts>
  /** Whether a second door is made from `state()` through JSON for each request, and has to send the same bytes. */
  readonly restarts?: boolean
  readonly reached?: Reached
}

/** A request of a variant: its messages and its outcome. */
export interface SentRequest extends RecordedRequest {
  readonly isAccepted?: boolean
  readonly model?: string
  readonly facts?: Partial<DoorFacts>
}

/** Sends a conversation request by request and returns every broken law. */
export function checkLaws(
  { name, root, requests }: Omit<RecordedConversation, 'requests'> & { readonly requests: readonly SentRequest[] },
  { door: doorName, policies, timing, facts = {}, restarts = false, reached = {} }: LawRun,
): readonly Violation[] {
  const violations: Violation[] = []
  const references = createReferenceChecker()
  const door = openDoor(doorName, { policies, timing })
  let other = door
  if (restarts) other = openDoor(doorName, { policies, timing })
  let last: ShownRequest | null = null
  const reach = (key: string, times = 1) => {
    if (times > 0) reached[key] = (reached[key] ?? 0) + times
  }
  for (const [number, request] of requests.entries()) {
    const found = (law: Violation['law'], what: unknown) => violations.push({ law, conversation: name, request: number, what })
    const given: DoorFacts = {
      now: request.at,
      ...(root === undefined ? {} : { root }),
      ...facts,
      ...request.facts,
      ...(request.model === undefined ? {} : { model: request.model }),
    }
    const shown = door.next(request.messages, given)
    reach('requests')
    if (restarts) {
      const again = other.next(request.messages, given)
      if (again.bytes() !== shown.bytes()) found('no hidden state', difference(shown.bytes(), again.bytes()))
    }
    for (const { policy, cache } of shown.report.edits) {
      reach(policy)
      if (cache === 'rewrite') reach('rewrites')
    }
    reach('waiting', shown.report.waiting.length)
    reach('withdrawn', shown.report.withdrawn?.length ?? 0)
    const check = references.check(shown.originals, shown.view, shown.isRecallable)
    reach('references', check.above)
    reach('restated', check.restated)
    for (const wrong of check.wrong) found('true', wrong)
    const { unseen, trimmed } = trimmedUnseen(last?.originals ?? null, shown, door.by)
    reach('unseen results', unseen)
    for (const one of trimmed) found('unseen', one)
    if (request.isAccepted === false) continue
    if (last !== null) for (const change of prefixChanges(last, shown, door.by)) found('stable', change)
    door.accepted(request.usage ?? undefined)
    if (restarts) {
      other.accepted(request.usage ?? undefined)
      other = reopened(other, doorName, policies, timing)
    }
    references.accepted(shown.originals, shown.view)
    last = shown
  }
  return violations
}

function reopened(door: Door, name: DoorName, policies: readonly Policy[], timing: TimingName): Door {
  return openDoor(name, { policies, timing, state: JSON.parse(JSON.stringify(door.state())) as unknown })
}

function difference(one: string, other: string): { readonly at: number; readonly was: string; readonly is: string } {
  let at = 0
  while (one[at] === other[at]) at += 1
  const from = Math.max(0, at - 80)
  return { at, was: one.slice(from, at + 120), is: other.slice(from, at + 120) }
}

/** The same messages with every text result written as a list of texts. */
export function asLists(messages: readonly Message[]): readonly Message[] {
  return messages.map(listed)
}

const lists = new WeakMap<Message, Message>()

function listed(message: Message): Message {
  const known = lists.get(message)
  if (known !== undefined) return known
  const made: Message =
    message.role !== 'tool'
      ? message
      : {
          ...message,
          parts: message.parts.map((part) =>
            part.type === 'tool-result' && part.content.type === 'text'
              ? { ...part, content: { type: 'list', items: [{ type: 'text', text: part.content.text }] } }
              : part,
          ),
        }
  lists.set(message, made)
  return made
}
