import { codecs } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { settleDrafts } from '../draft.ts'
import { type Fields, fieldsAt, fieldsOf, listAt, textAt } from '../fields.ts'
import { createRecordReader, type LogNotes, type ReadSession, readSessionOf, type Take } from '../log-reader.ts'
import { lastModel, readMessageList, usagesOf, withTimes } from './message-list.ts'

/** Snow-cli: OpenAI's messages with their time and status, in an object that names the session and counts its messages. */
export const snowCli = createRecordReader({
  name: 'snow-cli',
  detect: (entry) => isSnowList(listAt(entry, 'messages')) || isSession(entry),
  read: (entry, notes, take) => snowSession(entry, listAt(entry, 'messages'), notes, take),
})

/** Whether messages are snow-cli's: each has its time, and a result its status or a tool its name. */
export function isSnowList(list: readonly unknown[]): boolean {
  return list.slice(0, 50).some((item) => {
    const message = fieldsOf(item)
    if (typeof message['timestamp'] !== 'number' || typeof message['role'] !== 'string') return false
    const calls = listAt(message, 'tool_calls').map((call) => textAt(fieldsAt(fieldsOf(call), 'function'), 'name') ?? '')
    return statuses.has(message['messageStatus']) || calls.some((name) => tools.test(name))
  })
}

const statuses: ReadonlySet<unknown> = new Set(['pending', 'success', 'error'])
const tools = /^(?:terminal-execute|(?:filesystem|ace)-[a-z_]{1,40})$/

function isSession(entry: Fields): boolean {
  const isCounted = ['createdAt', 'updatedAt', 'messageCount'].every((key) => typeof entry[key] === 'number')
  return isCounted && listAt(entry, 'messages').some((message) => typeof fieldsOf(message)['role'] === 'string')
}

export function snowSession(entry: Fields, list: readonly unknown[], notes: LogNotes, take: Take): ReadSession {
  // Messages of an agent that this one started are in the same file, and never sent.
  const own = list.filter((message) => fieldsOf(message)['subAgentInternal'] !== true)
  const listed = withTimes(readMessageList(own.map(asRequested), codecs['openai-chat'], notes))
  const model = lastModel(listed)
  const title = textAt(entry, 'title')
  return readSessionOf({
    id: textAt(entry, 'id'),
    title: title === 'New Chat' ? null : title,
    root: textAt(entry, 'projectPath'),
    model,
    messages: settleDrafts(listed).map(take),
    usages: usagesOf(listed, model),
    sidechains: list.length - own.length,
  })
}

/** Images and reasoning are in fields of their own; a provider takes them as content. */
function asRequested(message: unknown): unknown {
  if (!isRecord(message)) return message
  const images = listAt(message, 'images').filter(isImage)
  const thinking = textAt(fieldsAt(message, 'thinking'), 'thinking')
  const text = textAt(message, 'content')
  const content = [
    ...(text === null ? [] : [{ type: 'text', text }]),
    ...images.map(({ data, mimeType }) => ({ type: 'image_url', image_url: { url: dataUrl(String(data), String(mimeType)) } })),
  ]
  return {
    ...(thinking === null ? {} : { reasoning_content: thinking }),
    ...message,
    ...(images.length === 0 || Array.isArray(message['content']) ? {} : { content }),
  }
}

function isImage(image: unknown): image is Fields {
  return isRecord(image) && typeof image['data'] === 'string' && typeof image['mimeType'] === 'string'
}

function dataUrl(data: string, mimeType: string): string {
  return data.startsWith('data:') ? data : `data:${mimeType};base64,${data}`
}
