import { type Message, resultText } from '@plimsoll/core'
import type { EntryHead } from '@plimsoll/core/session'
import type { ResultContent } from '@plimsoll/core/wire'
import { branchMessages } from '../session/branch.ts'
import type { StoredSession } from '../session/session.ts'
import { shownContent, shownMessage, titleOf, titleText } from '../session/shown-message.ts'
import type { AgentEvent } from '../shared/event.ts'
import type { ChatMessage, LiveState, SessionSnapshot } from '../shared/server-api.ts'

/** The latest messages that a snapshot holds. */
const mostMessages = 200
/** Characters of one answer, about: as many messages as have room, and at least one. */
const mostCharacters = 8_000_000
/** Characters of one result in a list. */
const mostResult = 65_536
/** Characters of a result in an event; the client can ask for the whole. */
const maxStreamed = 262_144
/** Titles are looked for in the first messages only. */
const mostLookedAt = 20

/** A session as it stands. `event` and `live` are what only its agent can tell. */
export function sessionSnapshot(session: StoredSession, event: string, live: LiveState): SessionSnapshot {
  const heads = branchMessages(session).map(({ head }) => head)
  const { header } = session.state()
  const latest = numbersBetween(Math.max(0, heads.length - mostMessages), heads.length)
  // From the last one back, so that the latest are those that have room.
  const messages = chatMessages(session, heads, latest.toReversed()).toReversed()
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

/** Messages of the active branch by number, from one up to and without another; fewer where they would not have room. */
export function messagesBetween(session: StoredSession, from: number, to: number): readonly ChatMessage[] {
  const heads = branchMessages(session).map(({ head }) => head)
  return chatMessages(session, heads, numbersBetween(from, Math.min(to, heads.length)))
}

function numbersBetween(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

function chatMessages(session: StoredSession, heads: readonly EntryHead[], numbers: readonly number[]): readonly ChatMessage[] {
  const { messages, folds } = session.state()
  const shown = new Set(messages.map(({ id }) => id))
  const summaries = new Map<string, Message>()
  // A summary of summaries stands where the last of them did.
  for (const { last, into } of folds) if (into !== null && shown.has(into.id)) summaries.set(lastOf(last, folds), into)
  const found: ChatMessage[] = []
  let characters = 0
  for (const number of numbers) {
    const id = heads[number]?.id ?? ''
    const entry = session.entry(id)
    if (entry?.type !== 'message') continue
    const message = forPage(entry.message)
    characters += JSON.stringify(message).length
    if (characters > mostCharacters && found.length > 0) break
    const summary = summaries.get(id)
    found.push({ number, message, isFolded: !shown.has(id), ...(summary === undefined ? {} : { summary }) })
  }
  return found
}

type Fold = ReturnType<StoredSession['state']>['folds'][number]

/** The stored message that a fold ends with, which it may name by the summary of an earlier one. */
function lastOf(last: string, folds: readonly Fold[]): string {
  let id = last
  for (const { into, last: inner } of folds.toReversed()) if (into?.id === id) id = inner
  return id
}

function forPage(message: Message): Message {
  const shown = shownMessage(message)
  const parts = shown.parts.map((part) => (part.type === 'tool-result' ? cutResult(part, mostResult) : part))
  return parts.every((part, index) => part === shown.parts[index]) ? shown : { ...shown, parts }
}

function firstSaid(session: StoredSession, heads: readonly EntryHead[]): string | null {
  const first = heads.slice(0, mostLookedAt).flatMap(({ id }) => {
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

/** A result, or what a tool answered before it became one. */
interface Cuttable {
  readonly content: ResultContent
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * A result whose text is too long for a page, cut to its beginning, with `metadata.cut` saying how long it is; any other comes back as it
 * is. Pictures in it are left alone.
 */
export function cutResult<Result extends Cuttable>(result: Result, mostCharacters: number): Result {
  const { content } = result
  if (hasPicture(content)) return result
  const text = resultText({ type: 'tool-result', callId: null, tool: null, content })
  if (text.length <= mostCharacters) return result
  const kept: ResultContent = { type: 'text', text: text.slice(0, mostCharacters).replace(/[\ud800-\udbff]$/, '') }
  const media = content.type === 'list' ? content.items.filter(({ type }) => type === 'media') : []
  return {
    ...result,
    content: media.length === 0 ? kept : { type: 'list', items: [kept, ...media] },
    metadata: { ...result.metadata, cut: { characters: text.length } },
  }
}

/** A picture that a tool made stands in its result as a data URL, until the result is kept. */
function hasPicture(content: ResultContent): boolean {
  if (content.type !== 'json') return false
  const { value } = content
  const metadata = typeof value === 'object' && value !== null && 'metadata' in value ? value.metadata : null
  return typeof metadata === 'object' && metadata !== null && 'imageBase64' in metadata
}
