import type { Message } from '@plimsoll/core'
import { isRecord, messageText } from '@plimsoll/core/text'
import { titleText } from '../../session/shown-message.ts'
import { createUniqueIds, type Draft, settleDrafts } from '../draft.ts'
import { type Fields, listAt, textAt } from '../fields.ts'
import { type FoundUsage, type LogNotes, type LogReader, readSessionOf, type Take } from '../log-reader.ts'
import { type GeminiRecord, isGeminiRecord, readGeminiRecord } from './gemini-record.ts'

/**
 * The chats of Gemini CLI. Newer versions write lines: a header, then records, of which a later one replaces an earlier one with the
 * same id; `$set` changes facts about the chat, or replaces the list of records that the model gets; `$rewindTo` reverts a record
 * and all after it. Older versions write one object with all `messages`.
 */
export const geminiChat: LogReader = {
  name: 'gemini-chat',
  detect: (entry) =>
    (textAt(entry, 'sessionId') !== null && textAt(entry, 'projectHash') !== null) ||
    isRecord(entry['$set']) ||
    typeof entry['$rewindTo'] === 'string' ||
    (entry['type'] === 'gemini' && textAt(entry, 'id') !== null && isGeminiRecord(entry)) ||
    listAt(entry, 'messages')
      .slice(0, 20)
      .some((message) => isRecord(message) && !('role' in message) && isGeminiRecord(message)),
  start,
}

interface Chat {
  readonly thread: ReturnType<typeof createGeminiThread>
  id: string | null
  title: string | null
  root: string | null
}

function start(notes: LogNotes, take: Take) {
  const chats: Chat[] = []
  return { add, finish }

  function add(entry: Fields, line: number): void {
    const target = textAt(entry, '$rewindTo')
    if (target !== null) {
      if (!current().thread.rewind(target)) notes.skip(line, 'no-message')
    } else if (isRecord(entry['$set'])) {
      describe(current(), entry['$set'])
      const records = listAt(entry['$set'], 'messages')
      if (records.length > 0) current().thread.replace(records)
      else notes.pass('$set')
    } else if (textAt(entry, 'sessionId') !== null && !isGeminiRecord(entry)) {
      addHeader(entry)
    } else if (isGeminiRecord(entry)) {
      current().thread.add(entry, line)
    } else addOther(entry, line)
  }

  /** Starts another chat if a file holds several; a chat that was resumed may have a second header. */
  function addHeader(entry: Fields): void {
    const last = chats.at(-1)
    if (last === undefined || (last.id !== null && last.id !== textAt(entry, 'sessionId'))) chats.push(createChat())
    describe(current(), entry)
    listAt(entry, 'messages').forEach((record, index) => {
      if (!isRecord(record)) notes.skip(index + 1, 'not-an-object')
      else if (isGeminiRecord(record)) current().thread.add(record, index + 1)
      else addOther(record, index + 1)
    })
  }

  /** Other entries are for the user, not for the model. */
  function addOther(entry: Fields, line: number): void {
    const type = textAt(entry, 'type')
    if (type !== null && 'content' in entry) notes.pass(type)
    else notes.skip(line, 'no-message')
  }

  function finish() {
    return chats.flatMap(({ thread, id, title, root }) => {
      const read = thread.finish()
      return read.messages.length === 0 ? [] : [readSessionOf({ ...read, id, title: title ?? read.title ?? null, root })]
    })
  }

  function current(): Chat {
    const last = chats.at(-1) ?? createChat()
    if (chats.length === 0) chats.push(last)
    return last
  }

  function createChat(): Chat {
    return { thread: createGeminiThread(notes, take), id: null, title: null, root: null }
  }
}

function describe(chat: Chat, fields: Fields): void {
  const summary = textAt(fields, 'summary')
  chat.id = textAt(fields, 'sessionId') ?? chat.id
  chat.title = summary === null ? chat.title : titleText(summary)
  const [folder] = listAt(fields, 'directories')
  chat.root = typeof folder === 'string' ? folder : chat.root
}

interface Place {
  record: GeminiRecord
  /** For a summary, the first of the older records that stayed in the context. */
  readonly summary?: { readonly keptFrom: string | null }
}

function createGeminiThread(notes: LogNotes, take: Take) {
  const places = new Map<string, Place>()
  let context: string[] = []
  const copies = new Map<string, string>()
  let abandoned = 0
  const reverted: FoundUsage[] = []

  return { add, rewind, replace, finish }

  function add(raw: Fields, line: number): void {
    const given = textAt(raw, 'id') ?? `line-${line}`
    const id = copies.get(given) ?? given
    const record = readGeminiRecord(raw, id, take)
    const known = places.get(id)
    if (record === null) return notes.pass('message without content')
    if (known !== undefined && known.summary === undefined) {
      // Written again when its calls were answered or counted.
      known.record = { ...record, reported: record.reported ?? known.record.reported, model: record.model ?? known.record.model }
      notes.pass('record written again')
      return
    }
    if (known === undefined) append(id, { record })
  }

  function append(id: string, place: Place): void {
    places.set(id, place)
    context.push(id)
  }

  /** Reverts a record and all after it. Returns false if there is none of that name. */
  function rewind(given: string): boolean {
    const id = copies.get(given) ?? given
    if (!places.has(id)) return false
    let isBehind = false
    for (const name of places.keys()) {
      isBehind ||= name === id
      if (isBehind) takeBack(name)
    }
    context = context.filter((name) => places.has(name))
    return true
  }

  function takeBack(id: string): void {
    const { record } = places.get(id) as Place
    abandoned += record.results.length + (record.message === null ? 0 : 1)
    if (record.reported !== null) reverted.push({ ...record.reported, model: record.model, at: record.message?.at })
    places.delete(id)
  }

  /** Replaces the records that the model gets. The missing ones show what was summarized or reverted. */
  function replace(list: readonly unknown[]): void {
    const held = new Set<string>()
    // A list may hold a record twice, and the later one counts.
    const named = new Map<string, GeminiRecord>()
    const alike = Map.groupBy(context.toReversed(), (id) => places.get(id)?.record.sameness)
    list.forEach((raw, index) => {
      if (!isRecord(raw) || !isGeminiRecord(raw)) return
      const given = textAt(raw, 'id') ?? `message-${index + 1}`
      const known = copies.get(given) ?? given
      if (places.has(known)) return void held.add(known)
      const record = readGeminiRecord(raw, given, take)
      // Results alone are copies of those with the calls.
      if (record?.message == null) return
      const same = nextOf(alike.get(record.sameness), held)
      if (same === undefined) return void named.set(given, record)
      held.add(same)
      copies.set(given, same)
    })
    const fresh = [...named].map(([id, record]) => ({ id, record }))
    const gone = context.filter((id) => !held.has(id))
    const summary = gone.length === 0 ? undefined : fresh.find(({ record }) => !(record.isResponse || record.isAdded))
    if (summary !== undefined) return sumUp(summary, fresh, gone)
    const isTail = gone.every((id, index) => id === context[context.length - gone.length + index])
    if (isTail) for (const id of gone) takeBack(id)
    else notes.pass('records taken out of the context')
    context = context.filter((id) => places.has(id) && (isTail || held.has(id)))
    for (const { id, record } of fresh) append(id, { record })
  }

  function sumUp({ id, record }: NamedRecord, fresh: readonly NamedRecord[], gone: readonly string[]): void {
    const left = new Set(gone)
    const keptFrom = context[context.findLastIndex((name) => left.has(name)) + 1] ?? null
    context = context.filter((name) => !left.has(name))
    append(id, { record, summary: { keptFrom } })
    for (const other of fresh) {
      if (other.id === id) continue
      // The client answers its own summary in the model's name.
      if (other.record.isResponse) copies.set(other.id, id)
      else append(other.id, { record: other.record })
    }
  }

  function finish() {
    const unique = createUniqueIds()
    const drafts: Draft[] = []
    const usages: FoundUsage[] = [...reverted]
    const keptFrom = new Map<string, string>()
    const first = new Map<string, string>()
    // The user's role may repeat results that calls have with them.
    const known = [...places.values()].flatMap(({ record }) => (record.isResponse ? record.results : []))
    const answered = new Set(
      known.flatMap(({ parts }) => parts.map((part) => (part.type === 'tool-result' ? part.callId : null))),
    )
    let model: string | null = null
    let title: string | null = null
    for (const [id, { record, summary }] of places) {
      const { message, results } = record
      const before = drafts.length
      if (message !== null) {
        const own: Message = {
          ...message,
          id: unique(message.id),
          ...(summary === undefined ? {} : { role: 'system', summary: true }),
        }
        drafts.push({ message: own, added: record.isAdded && summary === undefined })
      }
      const said = drafts[before]?.message
      model = record.model ?? model
      if (record.reported !== null) usages.push({ ...(said === undefined ? {} : { after: said.id }), ...record.reported, model })
      const kept = first.get(summary?.keptFrom ?? '')
      if (kept !== undefined && said !== undefined) keptFrom.set(said.id, kept)
      for (const result of results) {
        const isKnown = result.parts.every(
          (part) => part.type === 'tool-result' && part.callId !== null && answered.has(part.callId),
        )
        if (record.isResponse || !isKnown) drafts.push({ message: { ...result, id: unique(result.id) } })
      }
      const made = drafts[before]?.message.id
      if (made !== undefined) first.set(id, made)
      if (message?.role === 'user' && !record.isAdded && summary === undefined)
        title ??= titleText(record.typed ?? messageText(message)) || null
    }
    return { title, model, messages: settleDrafts(drafts), usages, abandoned, keptFrom }
  }
}

interface NamedRecord {
  readonly id: string
  readonly record: GeminiRecord
}

/** The first of these that is not held yet; they are in reverse order. */
function nextOf(ids: string[] | undefined, held: ReadonlySet<string>): string | undefined {
  let id = ids?.pop()
  while (id !== undefined && held.has(id)) id = ids?.pop()
  return id
}
