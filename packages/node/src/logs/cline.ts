import { codecs, type Message } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { isClineTextList, withClineCalls } from './cline-text-calls.ts'
import { settleDrafts } from './draft.ts'
import { listAt, textAt } from './entry-fields.ts'
import type { Fields, LogNotes, ReadSession, Take } from './log-reader.ts'
import { lastModel, readMessageList, usagesOf, withTimes } from './message-list.ts'
import { readSessionOf } from './read-session-of.ts'
import { createRecordReader } from './record-reader.ts'

/** Cline: Anthropic's messages with their time (`ts`), the model and what each response used, in an object that names the session. */
export const cline = createRecordReader({
  name: 'cline',
  detect: (entry) => isClineList(listAt(entry, 'messages')),
  read: (entry, notes, take) => clineSession(entry, listAt(entry, 'messages'), notes, take),
})

/** Whether messages are Cline's. The older file holds nothing but such a list. */
export function isClineList(list: readonly unknown[]): boolean {
  return isTimedList(list) || isClineTextList(list)
}

function isTimedList(list: readonly unknown[]): boolean {
  return list
    .slice(0, 20)
    .some(
      (message) =>
        isMapping(message) &&
        (message['role'] === 'user' || message['role'] === 'assistant') &&
        (typeof message['ts'] === 'number' || (isMapping(message['modelInfo']) && isMapping(message['metrics']))) &&
        (Array.isArray(message['content']) || typeof message['content'] === 'string'),
    )
}

/** The conversation of such a list. */
export function clineSession(entry: Fields, list: readonly unknown[], notes: LogNotes, take: Take): ReadSession {
  const listed = withTimes(readMessageList(list.map(withFiles), codecs.anthropic, notes))
  const prompt = textAt(entry, 'system_prompt')
  const system: readonly Message[] =
    prompt === null
      ? []
      : [{ id: 'system', role: 'system', parts: [{ type: 'text', text: prompt }], ...timeOf(listed[0]?.message) }]
  const model = lastModel(listed)
  return readSessionOf({
    id: textAt(entry, 'sessionId'),
    model,
    messages: [...system, ...settleDrafts(withClineCalls(listed.map(({ message }) => message)))].map(take),
    usages: usagesOf(listed, model),
  })
}

function timeOf(message: Message | undefined): { readonly at?: number } {
  return message?.at === undefined ? {} : { at: message.at }
}

/** A file that a person attached is kept as a block of its own; the model gets its text. */
function withFiles(message: unknown): unknown {
  if (!isMapping(message) || !listAt(message, 'content').some(isFile)) return message
  const content = listAt(message, 'content').map((block) =>
    isFile(block) ? { type: 'text', text: `${textAt(block, 'path') ?? ''}\n${String(block['content'])}` } : block,
  )
  return { ...message, content }
}

function isFile(block: unknown): block is Fields {
  return isMapping(block) && block['type'] === 'file' && typeof block['content'] === 'string'
}
