import { codecs, type Message, type Part } from '@plimsoll/core'
import { isRecord, messageText } from '@plimsoll/core/text'
import { type Draft, resultPart, settleDrafts, type TextCall, textParts, withCall } from '../draft.ts'
import { type Fields, fieldsOf, listAt, textAt } from '../fields.ts'
import { createRecordReader, type LogNotes, type ReadSession, readSessionOf, type Take } from '../log-reader.ts'
import { lastModel, readMessageList, usagesOf, withTimes } from './message-list.ts'

/** Cline: Anthropic's messages with their time (`ts`), the model and what each response used, in an object that names the session. */
export const cline = createRecordReader({
  name: 'cline',
  detect: (entry) => isClineList(listAt(entry, 'messages')),
  read: (entry, notes, take) => clineSession(entry, listAt(entry, 'messages'), notes, take),
})

/** Whether messages are Cline's. The older file holds only such a list. */
export function isClineList(list: readonly unknown[]): boolean {
  return isTimedList(list) || isClineTextList(list)
}

function isTimedList(list: readonly unknown[]): boolean {
  return list.slice(0, 20).some((message) => {
    if (!isRecord(message) || (message['role'] !== 'user' && message['role'] !== 'assistant')) return false
    const isTimed = typeof message['ts'] === 'number' || (isRecord(message['modelInfo']) && isRecord(message['metrics']))
    return isTimed && (Array.isArray(message['content']) || typeof message['content'] === 'string')
  })
}

export function clineSession(entry: Fields, list: readonly unknown[], notes: LogNotes, take: Take): ReadSession {
  const listed = withTimes(readMessageList(list.map(withFiles), codecs.anthropic, notes))
  const parts = textParts(entry, 'system_prompt')
  const at = listed[0]?.message.at
  const system: readonly Message[] =
    parts.length === 0 ? [] : [{ id: 'system', role: 'system', parts, ...(at === undefined ? {} : { at }) }]
  const model = lastModel(listed)
  return readSessionOf({
    id: textAt(entry, 'sessionId'),
    model,
    messages: [...system, ...settleDrafts(withClineCalls(listed.map(({ message }) => message)))].map(take),
    usages: usagesOf(listed, model),
  })
}

/** Turns the block of a file that the user attached into its text, as the model gets it. */
function withFiles(message: unknown): unknown {
  if (!isRecord(message) || !listAt(message, 'content').some(isFile)) return message
  const content = listAt(message, 'content').map((block) =>
    isFile(block) ? { type: 'text', text: `${textAt(block, 'path') ?? ''}\n${String(block['content'])}` } : block,
  )
  return { ...message, content }
}

function isFile(block: unknown): block is Fields {
  return isRecord(block) && block['type'] === 'file' && typeof block['content'] === 'string'
}

/** Whether messages are those of an older Cline, which wrote calls as XML into its answers: the answer to one shows it. */
function isClineTextList(list: readonly unknown[]): boolean {
  return list.slice(0, 20).some((message, index) => {
    const before = list[index - 1]
    if (!isRecord(message) || !isRecord(before) || message['role'] !== 'user' || before['role'] !== 'assistant') return false
    const tool = answeredTool(textsIn(message['content'])[0] ?? '')
    return tool !== null && callIn(textsIn(before['content']).join('\n'), tool) !== null
  })
}

/**
 * Turns such messages into calls and results. The message after an answer names the tool it called, `[tool for '…'] Result:`; without
 * that, or if the user replies, both stay text. Text that the client adds about the editor does not belong to the result.
 */
function withClineCalls(messages: readonly Message[]): readonly Draft[] {
  const drafts: Draft[] = []
  messages.forEach((message, index) => {
    const tool = toolBehind(message, messages[index + 1])
    const call = tool === null ? null : callIn(messageText(message), tool)
    if (call !== null) return void drafts.push({ message: withCall(message, call, callIdOf(message)) })
    const previous = drafts.at(-1)?.message
    const asked = previous?.role === 'assistant' ? previous.parts.at(-1) : undefined
    const isAnswer = message.role === 'user' && asked?.type === 'tool-call' && asked.callId === callIdOf(previous as Message)
    if (!isAnswer) return void drafts.push({ message })
    drafts.push(...answerDrafts(message, asked.callId, asked.tool))
  })
  return drafts
}

/** The user replies to these. */
const talk = /^(?:ask_followup_question|attempt_completion|(?:plan|act)_mode_respond|new_task|condense)$/

function toolBehind(message: Message, next: Message | undefined): string | null {
  if (message.role !== 'assistant' || next?.role !== 'user' || message.parts.some(({ type }) => type === 'tool-call')) return null
  const [first] = next.parts
  return first?.type === 'text' ? answeredTool(first.text) : null
}

/** The tool in `[read_file for 'a.ts'] Result:`, with which the answer to a call starts. */
function answeredTool(text: string): string | null {
  const tool = /^\[([a-z_]{2,40})(?: for '|\])/.exec(text)?.[1]
  return tool === undefined || talk.test(tool) || !/\] Result:/.test(text.slice(0, 2000)) ? null : tool
}

/** The only call of a tool in a text. Searched without regular expressions, since a text may be long and hold only half of one. */
function callIn(text: string, tool: string): TextCall | null {
  const opening = `<${tool}>`
  const start = text.indexOf(opening)
  const end = text.lastIndexOf(`</${tool}>`)
  if (start < 0 || end < start) return null
  const words = `${text.slice(0, start)}${text.slice(end + opening.length + 1)}`.trim()
  return { words, tool, input: parametersIn(text.slice(start + opening.length, end)) }
}

function parametersIn(text: string): Readonly<Record<string, string>> {
  const input = new Map<string, string>()
  const opening = /<([a-z_]{1,40})>/g
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const [tag, name = ''] = found
    const start = found.index + tag.length
    // The content of a file may itself hold the closing tag.
    const end = long.has(name) ? text.lastIndexOf(`</${name}>`) : text.indexOf(`</${name}>`, start)
    if (end < start) break
    input.set(name, text.slice(start, end).replace(/^\n/, '').replace(/\n$/, ''))
    opening.lastIndex = end + tag.length + 1
  }
  return Object.fromEntries(input)
}

const long: ReadonlySet<string> = new Set(['content', 'diff', 'arguments'])

function callIdOf({ id }: Message): string {
  return `call-${id}`
}

function answerDrafts(message: Message, callId: string, tool: string): readonly Draft[] {
  const isAbout = (part: Part) => part.type === 'text' && part.text.trimStart().startsWith('<environment_details>')
  const items = message.parts.filter((part) => !isAbout(part)).filter((part) => part.type === 'text' || part.type === 'media')
  const about = message.parts.filter(isAbout)
  const content = items.every((part) => part.type === 'text')
    ? items.map(({ text }) => text).join('\n')
    : ({ type: 'list', items } as const)
  const result: Message = { ...message, role: 'tool', parts: [resultPart(callId, tool, content)] }
  if (about.length === 0) return [{ message: result }]
  return [{ message: result }, { message: { ...message, id: `${message.id}.about`, parts: about }, added: true }]
}

function textsIn(content: unknown): readonly string[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks.map((block) => (typeof block === 'string' ? block : (textAt(fieldsOf(block), 'text') ?? '')))
}
