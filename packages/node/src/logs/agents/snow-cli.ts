import { codecs } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { settleDrafts } from '../draft.ts'
import { type Fields, fieldsAt, fieldsOf, listAt, textAt } from '../fields.ts'
import { createRecordReader, type LogNotes, type ReadSession, readSessionOf, type Take } from '../log-reader.ts'
import { lastModel, readMessageList, usagesOf, withTimes } from './message-list.ts'

/** Snow-cli: OpenAI's messages with their time and status, in an object that names the session and counts its messages. */
export const snowCli = createRecordReader({
  name: 'snow-cli',
  // A bare list of its messages is a list of messages: nothing in it names the agent.
  detect: isSession,
  read: (entry, notes, take) => snowSession(entry, listAt(entry, 'messages'), notes, take),
})

function isSession(entry: Fields): boolean {
  const isCounted = ['createdAt', 'updatedAt', 'messageCount'].every((key) => typeof entry[key] === 'number')
  return isCounted && listAt(entry, 'messages').some((message) => typeof fieldsOf(message)['role'] === 'string')
}

function snowSession(entry: Fields, list: readonly unknown[], notes: LogNotes, take: Take): ReadSession {
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
