import { codecs, detectCodec } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { heldRequest } from '../../files/parse-conversations.ts'
import { settleDrafts } from '../draft.ts'
import { type Fields, fieldsOf, listAt, textAt } from '../fields.ts'
import { type LogNotes, type LogReader, type ReadSession, readSessionOf, type Take } from '../log-reader.ts'
import { clineSession, isClineList } from './cline.ts'
import { lastModel, readMessageList, usagesOf } from './message-list.ts'

/** Messages as a provider's API has them, one to a line. Tried only if no other reader recognizes an entry. */
export const messageLines: LogReader = {
  name: 'messages',
  detect: (entry) => typeof entry['role'] === 'string' && !Array.isArray(entry['parts']) && heldMessages(entry) === null,
  start(notes, take) {
    const list: Fields[] = []
    let format = codecs['openai-chat'].name
    return {
      add(entry, line) {
        if (messageLines.detect(entry)) list.push(entry)
        else notes.skip(line, 'no-message')
      },
      finish() {
        const session = requestSession(list, notes, take)
        format = session?.format ?? format
        return session === null ? [] : [session.session]
      },
      format: () => format,
    }
  },
}

/** Requests and other objects that hold a list of messages, one to a line. Tried only if no other reader recognizes an entry. */
export const requestLines: LogReader = {
  name: 'requests',
  detect: (entry) => heldMessages(entry) !== null,
  start(notes, take) {
    const sessions: ReadSession[] = []
    let format = codecs['openai-chat'].name
    return {
      add(entry, line) {
        const session = heldMessages(entry) === null ? null : requestSession(entry, notes, take)
        if (session === null) return notes.skip(line, 'no-message')
        format = session.format
        sessions.push(session.session)
      },
      finish: () => sessions,
      format: () => format,
    }
  },
}

interface FoundSession {
  readonly format: string
  readonly session: ReadSession
}

/** The conversation of a list of messages or of an object that holds one; null if no message can be read. */
export function requestSession(request: unknown, notes: LogNotes, take: Take): FoundSession | null {
  const fields = isRecord(request) ? request : {}
  if (heldRequest(request) !== null) return itemSession(fields, take)
  const list: readonly unknown[] = isRecord(request) ? (heldMessages(request) ?? []) : Array.isArray(request) ? request : []
  if (isClineList(list)) {
    const session = clineSession(fields, list, notes, take)
    return session.messages.length === 0 ? null : { format: 'cline', session }
  }
  const codec = detectCodec(isRecord(request) && !Array.isArray(fields['messages']) ? list : request) ?? codecs['openai-chat']
  const listed = readMessageList(list, codec, notes)
  if (listed.length === 0) return null
  const model = textAt(fields, 'model') ?? lastModel(listed)
  const system = codec === codecs.anthropic ? codec.read({ system: fields['system'], messages: [] }).messages : []
  const messages = [...system, ...settleDrafts(listed)].map(take)
  return { format: codec.name, session: readSessionOf({ model, messages, usages: usagesOf(listed, model) }) }
}

/** The conversation of a request whose dialect lists no messages. */
function itemSession(request: Fields, take: Take): FoundSession | null {
  const codec = detectCodec(request)
  if (codec === null) return null
  const messages = codec
    .read(request)
    .messages.filter(({ parts }) => parts.length > 0)
    .map(take)
  if (messages.length === 0) return null
  return { format: codec.name, session: readSessionOf({ model: textAt(request, 'model'), messages }) }
}

function heldMessages(entry: Fields): readonly unknown[] | null {
  const lists = ['messages', 'history', 'traj'].map((key) => listAt(entry, key))
  return lists.find((list) => list.some((message) => typeof fieldsOf(message)['role'] === 'string')) ?? null
}
