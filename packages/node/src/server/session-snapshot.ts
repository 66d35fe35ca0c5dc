import { type Message, resultText } from '@plimsoll/core'
import type { EntryHead } from '@plimsoll/core/session'
import type { ResultContent } from '@plimsoll/core/wire'
import { branchMessages } from '../session/branch.ts'
import type { StoredSession } from '../session/session.ts'
import { shownContent, shownMessage, titleOf, titleText } from '../session/shown-message.ts'
import type { AgentEvent } from '../shared/event.ts'
import type { ChatMessage, LiveState, SessionSnapshot } from '../shared/server-api.ts'
import { shownNotes } from './session-notes.ts'

const maxMessages = 200
/** Characters of one answer, about; at least one message is sent. */
const maxCharacters = 8_000_000
const maxResult = 65_536
/** Characters of a result in an event; the client can ask for the whole. */
const maxStreamed = 262_144
/** Titles are looked for in the first messages only. */
const maxLookedAt = 20

/** A session as it is now. Only its agent knows `event` and `live`. */
export function sessionSnapshot(session: StoredSession, event: string, live: LiveState): SessionSnapshot {
  const heads = branchMessages(session).map(({ head }) => head)
  const { header } = session.state()
  const latest = numbersBetween(Math.max(0, heads.length - maxMessages), heads.length)
  // From the last one back, so that the latest are included.
  const messages = chatMessages(session, heads, latest.toReversed(), event).toReversed()
  return {
    id: session.id,
    title: header.title === undefined ? firstSaid(session, heads) : titleText(header.title),
    from: header.from === undefined ? null : { session: header.from.session, reason: header.from.reason },
    count: heads.length,
    start: messages[0]?.number ?? heads.length,
    messages,
    event,
    live,
    troubles: session.troubles().map(({ message }) => message),
  }
}

/** Messages of the active branch from one number up to another; fewer if they would be too long. */
export function messagesBetween(session: StoredSession, from: number, to: number): readonly ChatMessage[] {
  const heads = branchMessages(session).map(({ head }) => head)
  return chatMessages(session, heads, numbersBetween(from, Math.min(to, heads.length)))
}

function numbersBetween(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

function chatMessages(
  session: StoredSession,
  heads: readonly EntryHead[],
  numbers: readonly number[],
  /** Events after it are sent again. Null: none are. */
  event: string | null = null,
): readonly ChatMessage[] {
  const notes = shownNotes(session, new Set(numbers.map((number) => heads[number]?.id ?? '')), event)
  const { messages, folds } = session.state()
  const shown = new Set(messages.map(({ id }) => id))
  const summaries = new Map<string, Message>()
  // A summary of summaries takes the place of the last of them.
  for (const { last, into } of folds) if (into !== null && shown.has(into.id)) summaries.set(lastOf(last, folds), into)
  const found: ChatMessage[] = []
  let characters = 0
  for (const number of numbers) {
    const id = heads[number]?.id ?? ''
    const entry = session.entry(id)
    if (entry?.type !== 'message') continue
    const message = forPage(entry.message)
    characters += JSON.stringify(message).length
    if (characters > maxCharacters && found.length > 0) break
    const summary = summaries.get(id)
    const after = notes.get(id)
    found.push({
      number,
      message,
      isFolded: !shown.has(id),
      ...(summary === undefined ? {} : { summary }),
      ...(after === undefined ? {} : { notes: after }),
    })
  }
  return found
}

type Fold = ReturnType<StoredSession['state']>['folds'][number]

/** The stored message that a fold ends with; the fold may name it by the summary of an earlier one. */
function lastOf(last: string, folds: readonly Fold[]): string {
  let id = last
  for (const { into, last: inner } of folds.toReversed()) if (into?.id === id) id = inner
  return id
}

function forPage(message: Message): Message {
  const shown = shownMessage(message)
  const parts = shown.parts.map((part) => (part.type === 'tool-result' ? cutResult(part, maxResult) : part))
  return parts.every((part, index) => part === shown.parts[index]) ? shown : { ...shown, parts }
}

function firstSaid(session: StoredSession, heads: readonly EntryHead[]): string | null {
  const first = heads.slice(0, maxLookedAt).flatMap(({ id }) => {
    const entry = session.entry(id)
    return entry?.type === 'message' ? [entry.message] : []
  })
  return titleOf(first)
}

/** An event of the agent as it goes out: with complete images, and long results cut. */
export function streamedEvent(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool_call_end') return event
  const { result } = event.data
  const shown = cutResult({ ...result, content: shownContent(result.content) }, maxStreamed)
  return { ...event, data: { ...event.data, result: shown } }
}

interface Cuttable {
  readonly content: ResultContent
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** Cuts a result whose text is too long to its beginning; `metadata.cut` has the whole length. Images in it stay. */
export function cutResult<Result extends Cuttable>(result: Result, max: number): Result {
  const { content } = result
  if (hasImage(content)) return result
  const text = resultText({ type: 'tool-result', callId: null, tool: null, content })
  if (text.length <= max) return result
  const kept: ResultContent = { type: 'text', text: text.slice(0, max).replace(/[\ud800-\udbff]$/, '') }
  const media = content.type === 'list' ? content.items.filter(({ type }) => type === 'media') : []
  return {
    ...result,
    content: media.length === 0 ? kept : { type: 'list', items: [kept, ...media] },
    metadata: { ...result.metadata, cut: { characters: text.length } },
  }
}

/** An image that a tool made is a data URL in its result, until the result is stored. */
function hasImage(content: ResultContent): boolean {
  if (content.type !== 'json') return false
  const { value } = content
  const metadata = typeof value === 'object' && value !== null && 'metadata' in value ? value.metadata : null
  return typeof metadata === 'object' && metadata !== null && 'imageBase64' in metadata
}
