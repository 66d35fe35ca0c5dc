import { isMapping } from '../config/mapping.ts'
import { titleText } from '../session/title.ts'
import { listAt, textAt } from './entry-fields.ts'
import { isGeminiRecord } from './gemini-record.ts'
import { createGeminiThread, type GeminiThread } from './gemini-thread.ts'
import type { Fields, LogNotes, LogReader, LogReading, ReadSession, Take } from './log-reader.ts'
import { readSessionOf } from './read-session-of.ts'

/**
 * The chats that Gemini CLI keeps for itself. Newer versions write lines: a header, then records, of which a later one with the
 * same id takes the place of the earlier; `$set` changes what is known of the chat, or puts another list of records in place of
 * those the model gets; `$rewindTo` takes a record and all behind it back. Older versions write one object with all `messages`.
 */
export const geminiChat: LogReader = {
  name: 'gemini-chat',
  detect: (entry) =>
    (textAt(entry, 'sessionId') !== null && textAt(entry, 'projectHash') !== null) ||
    isMapping(entry['$set']) ||
    typeof entry['$rewindTo'] === 'string' ||
    (entry['type'] === 'gemini' && textAt(entry, 'id') !== null && isGeminiRecord(entry)) ||
    listAt(entry, 'messages')
      .slice(0, 20)
      .some((message) => isMapping(message) && !('role' in message) && isGeminiRecord(message)),
  start,
}

interface Chat {
  readonly thread: GeminiThread
  id: string | null
  title: string | null
  root: string | null
}

function start(notes: LogNotes, take: Take): LogReading {
  const chats: Chat[] = []
  return { add, finish: () => chats.flatMap(sessionOf) }

  function add(entry: Fields, line: number): void {
    const target = textAt(entry, '$rewindTo')
    if (target !== null) {
      if (!current().thread.rewind(target)) notes.skip(line, 'no-message')
    } else if (isMapping(entry['$set'])) {
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

  /** What begins another chat, where a file holds several; a chat that was gone on with may have a header of its own. */
  function addHeader(entry: Fields): void {
    const last = chats.at(-1)
    if (last === undefined || (last.id !== null && last.id !== textAt(entry, 'sessionId'))) chats.push(createChat())
    describe(current(), entry)
    listAt(entry, 'messages').forEach((record, index) => {
      if (!isMapping(record)) notes.skip(index + 1, 'not-an-object')
      else if (isGeminiRecord(record)) current().thread.add(record, index + 1)
      else addOther(record, index + 1)
    })
  }

  /** What the client tells the person is not for the model. */
  function addOther(entry: Fields, line: number): void {
    const type = textAt(entry, 'type')
    if (type !== null && 'content' in entry) notes.pass(type)
    else notes.skip(line, 'no-message')
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

function sessionOf({ thread, id, title, root }: Chat): readonly ReadSession[] {
  const read = thread.finish()
  return read.messages.length === 0 ? [] : [readSessionOf({ ...read, id, title: title ?? read.title ?? null, root })]
}
