import type { NewEntry } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import { isOverflow } from '../agent/turn/model-error.ts'
import { branchHeads } from '../session/branch.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'
import type { AgentError, Notification, ToolCallEnd, TurnEnd } from '../shared/event.ts'
import type { ChatNote, SessionEvent } from '../shared/server-api.ts'
import { isLaterEvent } from './event-buffer.ts'

/** The code of notes that hold what a page has shown beside the conversation. */
const shownNote = 'shown'
/** Characters of one note. */
const maxNote = 20_000

/** What a page shows beside the messages. */
type Kept = Extract<SessionEvent, { readonly type: ChatNote['type'] }>

/** Shorter calls are shown without their duration. */
const minCallMs = 100

/** Whether an event is stored in the log. An error that is being repaired is not. */
export function isKept(event: SessionEvent): event is Kept {
  if (event.type === 'error') return event.data.details['recovering'] !== true
  if (event.type === 'tool_call_end') return event.data.durationMs >= minCallMs
  return event.type === 'notification' || event.type === 'turn_end'
}

/** Stores what a page shows beside the messages in the log, so that it is there after a reload. Resolves when that is done, or cannot be. */
export async function keepShown(session: OpenSession, event: Kept, id: string): Promise<void> {
  // A session without a message is removed when it is left.
  if (!session.heads().some((head) => head.type === 'message')) return
  const note: NewEntry = { type: 'note', code: shownNote, data: { event: id, type: event.type, ...keptData(event) } }
  if (JSON.stringify(note).length > maxNote) return
  try {
    await session.append([note])
  } catch {
    // A log that cannot be written is reported by what failed first.
  }
}

/** The text of a turn is that of the message before its end, and the result of a call is a message. */
function keptData({ type, data }: Kept): Readonly<Record<string, unknown>> {
  if (type === 'turn_end') return { ...data, text: '' }
  return type === 'tool_call_end' ? { callId: data.callId, durationMs: data.durationMs } : { ...data }
}

/** The notes after each message of the active branch, by the message's id. Those of events that a client gets after `mark` are left out. */
export function shownNotes(session: StoredSession, wanted: ReadonlySet<string>, mark: string | null) {
  const notes = new Map<string, ChatNote[]>()
  let message = ''
  for (const { id, type } of branchHeads(session)) {
    if (type === 'message') message = id
    if (type !== 'note' || !wanted.has(message)) continue
    const entry = session.entry(id)
    if (entry?.type !== 'note' || entry.code !== shownNote || entry.data === undefined) continue
    const { event } = entry.data
    const note = noteOf(id, entry.data)
    if (note === null || (mark !== null && typeof event === 'string' && isLaterEvent(event, mark))) continue
    notes.set(message, [...(notes.get(message) ?? []), note])
  }
  return notes
}

/**
 * The error of a session that ended because the conversation is too long, for a session that was left meanwhile; null if something was said
 * or compacted since.
 */
export function waitingOverflow(session: StoredSession): AgentError | null {
  for (const { id, type } of branchHeads(session).toReversed()) {
    if (type === 'message' || type === 'edits') return null
    const entry = type === 'note' ? session.entry(id) : null
    if (entry?.type !== 'note' || entry.code !== shownNote || entry.data === undefined) continue
    const note = noteOf(id, entry.data)
    if (note?.type === 'error') return isOverflow(note.data) ? note.data : null
  }
  return null
}

/** A log may hold anything. */
function noteOf(id: string, data: Readonly<Record<string, unknown>>): ChatNote | null {
  const { type } = data
  if (type === 'notification' && isNotification(data))
    return { id, type, data: { code: data.code, message: data.message, details: data.details } }
  if (type === 'error' && isError(data)) {
    const { code, message, suggestion, details } = data
    return { id, type, data: { code, message, suggestion, details } }
  }
  if (type === 'tool_call_end' && isCallEnd(data)) return { id, type, data: { callId: data.callId, durationMs: data.durationMs } }
  if (type !== 'turn_end' || !isTurnEnd(data)) return null
  const { outcome, steps, usage, cost, durationMs } = data
  return { id, type, data: { outcome, steps, text: '', usage, cost, ...(durationMs === undefined ? {} : { durationMs }) } }
}

type Data = Readonly<Record<string, unknown>>

function isNotification(data: Data): data is Data & Notification {
  const { code, message, details } = data
  return typeof code === 'string' && typeof message === 'string' && (details === null || typeof details === 'string')
}

function isError(data: Data): data is Data & AgentError {
  const { code, message, suggestion, details } = data
  return (
    typeof code === 'string' &&
    typeof message === 'string' &&
    (suggestion === null || typeof suggestion === 'string') &&
    isRecord(details)
  )
}

function isCallEnd(data: Data): data is Data & Pick<ToolCallEnd, 'callId' | 'durationMs'> {
  const { callId, durationMs } = data
  return typeof callId === 'string' && isAmount(durationMs)
}

const outcomes: readonly unknown[] = ['finished', 'cancelled', 'failed', 'stopped'] satisfies readonly TurnEnd['outcome'][]

function isTurnEnd(data: Data): data is Data & TurnEnd {
  const { outcome, steps, usage, cost, durationMs } = data
  return (
    outcomes.includes(outcome) &&
    isAmount(steps) &&
    hasAmounts(usage, ['input', 'output', 'cacheRead', 'cacheWrite']) &&
    hasAmounts(cost, ['dollars', 'unpriced']) &&
    (durationMs === undefined || isAmount(durationMs))
  )
}

function hasAmounts(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => isAmount(value[name]))
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
