import { type Message, normaliseUsage, type Part } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { createUniqueIds } from './draft.ts'
import { fieldsAt, listAt, textAt, timeAt } from './entry-fields.ts'
import type { Fields, ReportedUsage } from './log-reader.ts'
import { readSessionOf } from './read-session-of.ts'
import { createRecordReader } from './record-reader.ts'

/** The chats that Gemini CLI keeps for itself: answers with their calls, the results of these, thoughts and tokens. */
export const geminiChat = createRecordReader({
  name: 'gemini-chat',
  detect: (entry) =>
    listAt(entry, 'messages')
      .slice(0, 20)
      .some(
        (message) => isMapping(message) && !('role' in message) && types.has(String(message['type'])) && 'content' in message,
      ),
  read(entry, notes, take) {
    const unique = createUniqueIds()
    const messages: Message[] = []
    const usages: ReportedUsage[] = []
    let model: string | null = null
    listAt(entry, 'messages').forEach((raw, index) => {
      const type = isMapping(raw) ? textAt(raw, 'type') : null
      if (!isMapping(raw) || type === null) return notes.skip(index + 1, isMapping(raw) ? 'no-message' : 'not-an-object')
      // What the client tells the person is not for the model.
      if (!types.has(type)) return notes.pass(type)
      const time = timeAt(raw, 'timestamp')
      const isAnswer = type !== 'user'
      const calls = isAnswer ? listAt(raw, 'toolCalls').filter(isMapping) : []
      const parts = [...(isAnswer ? thoughtParts(raw) : []), ...saidParts(raw['content']), ...calls.map(callPart)]
      if (parts.length === 0) return notes.pass('message without content')
      const id = unique(textAt(raw, 'id') ?? `message-${index + 1}`)
      messages.push(take({ id, role: isAnswer ? 'assistant' : 'user', parts, ...time }))
      if (!isAnswer) return
      model = textAt(raw, 'model') ?? model
      const usage = normaliseUsage(raw['tokens'])
      if (usage !== null) usages.push({ after: id, usage, model })
      for (const [place, call] of calls.entries()) {
        const result = resultMessage(call, place, { ...time, ...timeAt(call, 'timestamp') })
        if (result !== null) messages.push(take({ ...result, id: unique(`${id}.${place}`) }))
      }
    })
    return messages.length === 0 ? null : readSessionOf({ id: textAt(entry, 'sessionId'), model, messages, usages })
  },
})

const types: ReadonlySet<string> = new Set(['user', 'gemini'])

function saidParts(content: unknown): readonly Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  const list: readonly unknown[] = Array.isArray(content) ? content : [content]
  return list.flatMap((part): readonly Part[] => {
    if (!isMapping(part)) return []
    const text = textAt(part, 'text')
    if (text !== null) return [{ type: 'text', text }]
    const data = fieldsAt(part, 'inlineData')
    const mediaType = textAt(data, 'mimeType')
    return mediaType === null ? [] : [{ type: 'media', mediaType, data: part }]
  })
}

function thoughtParts(raw: Fields): readonly Part[] {
  return listAt(raw, 'thoughts').flatMap((thought): readonly Part[] => {
    if (!isMapping(thought)) return []
    const text = [textAt(thought, 'subject'), textAt(thought, 'description')].filter((line) => line !== null).join('\n')
    return text === '' ? [] : [{ type: 'reasoning', text }]
  })
}

function callId(call: Fields, place: number): string {
  return textAt(call, 'id') ?? `call-${place}`
}

function callPart(call: Fields, place: number): Part {
  return { type: 'tool-call', callId: callId(call, place), tool: textAt(call, 'name') ?? '', input: call['args'] ?? {} }
}

function resultMessage(call: Fields, place: number, time: { readonly at?: number }): Omit<Message, 'id'> | null {
  const results = Array.isArray(call['result']) ? listAt(call, 'result') : [call['result']]
  const responses = results.flatMap((result) =>
    isMapping(result) ? [fieldsAt(fieldsAt(result, 'functionResponse'), 'response')] : [],
  )
  const [response] = responses
  if (response === undefined) return null
  const said = textAt(response, 'output') ?? textAt(response, 'error')
  const content = said === null ? ({ type: 'json', value: response } as const) : ({ type: 'text', text: said } as const)
  const failed = call['status'] === 'error' || 'error' in response
  return {
    role: 'tool',
    parts: [
      {
        type: 'tool-result',
        callId: callId(call, place),
        tool: textAt(call, 'name'),
        content,
        ...(failed ? { isError: true } : {}),
      },
    ],
    ...time,
  }
}
