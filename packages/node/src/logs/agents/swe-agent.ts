import { codecs, type Message } from '@plimsoll/core'
import { isRecord, messageText } from '@plimsoll/core/text'
import { type Draft, resultPart, settleDrafts, type TextCall, withCall } from '../draft.ts'
import { type Fields, fieldsAt, fieldsOf, listAt, parseFields, textAt } from '../fields.ts'
import { createRecordReader, readSessionOf } from '../log-reader.ts'
import { type ListedMessage, lastModel, readMessageList, usagesOf, withTimes } from './message-list.ts'

/**
 * SWE-agent: one object for each run, with the messages under `history` and the steps under `trajectory`. Older versions have the
 * call in the answer's text, and again as `action`. Usage is only reported for the complete run.
 */
export const sweAgent = createRecordReader({
  name: 'swe-agent',
  detect: (entry) => Array.isArray(entry['trajectory']) && Array.isArray(entry['history']),
  read(entry, notes, take) {
    const listed = readMessageList(listAt(entry, 'history'), codecs['openai-chat'], notes)
    const paired = withTextCalls(listed, actionOf, ({ source }) => source['is_demo'] !== true)
    // A demonstration is in the user's role, but the user did not write it.
    const drafts: Draft[] = paired.map(({ message, source }) => {
      return { message, added: source['is_demo'] === true && message.role === 'user' }
    })
    const last = lastResult(paired, listAt(entry, 'trajectory').findLast(isRecord))
    if (last !== null) drafts.push({ message: last })
    const config = fieldsOrJson(entry['replay_config'])
    const model = textAt(fieldsAt(fieldsAt(config, 'agent'), 'model'), 'name')
    const name = textAt(entry, 'environment')
    return readSessionOf({
      id: name === 'swe_main' || name === 'main' ? null : name,
      model: model !== null && notModels.has(model) ? null : model,
      root: textAt(fieldsOrJson(fieldsOf(listAt(entry, 'trajectory')[0])['state']), 'working_dir'),
      messages: settleDrafts(drafts).map(take),
    })
  },
})

/** Names of runs that were repeated or written by a person. */
const notModels = new Set(['replay', 'human', 'human_thought', 'instant_empty_submit'])

function actionOf({ source }: ListedMessage, text: string): TextCall | null {
  const action = textAt(source, 'action')
  if (action === null || action.trim() === '') return null
  const thought = textAt(source, 'thought')
  const at = text.lastIndexOf(action.trim())
  if (at < 0) return null
  const words = thought !== null && text.startsWith(thought) ? thought : text.slice(0, at).replace(/(?:```\w*|<command>)\s*$/, '')
  return { words, tool: 'bash', input: { command: action.trim() } }
}

/** The answer to the last call was never sent, so only the steps have it. */
function lastResult(paired: readonly ListedMessage[], step: Fields | undefined): Message | null {
  const last = paired.at(-1)
  const call = last?.message.parts.findLast((part) => part.type === 'tool-call')
  const observation = step?.['observation']
  if (last === undefined || call === undefined || typeof observation !== 'string') return null
  if (textAt(last.source, 'action') !== textAt(step ?? {}, 'action')) return null
  const { at, id } = last.message
  const parts = [resultPart(call.callId, call.tool, observation)]
  return { id: `${id}.result`, role: 'tool', parts, ...(at === undefined ? {} : { at }) }
}

/** Some versions write a mapping as text. */
function fieldsOrJson(value: unknown): Fields {
  return typeof value === 'string' ? parseFields(value) : fieldsOf(value)
}

/** SWE-smith's chats for training: `messages` in which an answer ends with `<function=name>` and its `<parameter=name>`s. */
export const sweSmith = createRecordReader({
  name: 'swe-smith',
  detect: (entry) => {
    const answers = listAt(entry, 'messages')
      .map(fieldsOf)
      .filter(({ role }) => role === 'assistant')
    // Other logs may quote a call; this format has one in most answers.
    const written = answers.filter((answer) => functionIn(textAt(answer, 'content') ?? '') !== null)
    return written.length > 0 && written.length * 2 >= answers.length
  },
  read(entry, notes, take) {
    const listed = readMessageList(listAt(entry, 'messages'), codecs['openai-chat'], notes)
    const paired = withTextCalls(listed, (_, text) => functionIn(text))
    const messages = settleDrafts(paired).map(take)
    return readSessionOf({ id: textAt(entry, 'instance_id'), model: textAt(entry, 'model'), messages })
  },
})

const opening = '<function='
const closing = '</function>'

/** The only call in a text. Searched without regular expressions, since a text may be long and hold only half of one. */
export function functionIn(text: string): TextCall | null {
  const start = text.indexOf(opening)
  if (start < 0 || text.indexOf(opening, start + 1) >= 0) return null
  const named = text.indexOf('>', start)
  const end = text.indexOf(closing, start)
  const tool = named < 0 ? '' : text.slice(start + opening.length, named).trim()
  if (named < 0 || end < named || !/^[\w.:-]{1,100}$/.test(tool)) return null
  const words = `${text.slice(0, start)}${text.slice(end + closing.length)}`
  return { words, tool, input: parametersIn(text.slice(named + 1, end)) }
}

const parameterOpening = '<parameter='
const parameterClosing = '</parameter>'

function parametersIn(text: string): Readonly<Record<string, unknown>> {
  const input = new Map<string, unknown>()
  for (let start = text.indexOf(parameterOpening); start >= 0; ) {
    const named = text.indexOf('>', start)
    const end = named < 0 ? -1 : text.indexOf(parameterClosing, named)
    if (end < 0) break
    const name = text.slice(start + parameterOpening.length, named).trim()
    const value = text.slice(named + 1, end)
    input.set(name.slice(0, 100), value.replace(/^\n/, '').replace(/\n$/, ''))
    start = text.indexOf(parameterOpening, end)
  }
  return Object.fromEntries(input)
}

/**
 * Mini-swe-agent: one object for each run. An answer holds one command in a fenced block, and the next message of the user's role is
 * its output; an answer with none or several was rejected, and stays text. The provider's responses are stored with the answers.
 */
export const miniSweAgent = createRecordReader({
  name: 'mini-swe-agent',
  detect: (entry) => {
    if (!Array.isArray(entry['messages'])) return false
    const info = fieldsAt(entry, 'info')
    return textAt(entry, 'trajectory_format')?.startsWith('mini-swe-agent') === true || 'mini_version' in info
  },
  read(entry, notes, take) {
    // Newer versions end a run with a message that is not sent to the model.
    const sent = listAt(entry, 'messages').filter((message) => !isRecord(message) || message['role'] !== 'exit')
    const listed = withTimes(withTextCalls(readMessageList(sent, codecs['openai-chat'], notes), (_, text) => commandIn(text)))
    const config = fieldsAt(fieldsAt(entry, 'info'), 'config')
    const model = lastModel(listed) ?? textAt(fieldsAt(config, 'model'), 'model_name')
    // Only the task is the user's own; later messages in this role that are not outputs complain about the form of an answer.
    const asked = listed.findIndex(({ message }) => message.role === 'user')
    const drafts = listed.map(({ message }, index) => ({ message, added: message.role === 'user' && index > asked }))
    return readSessionOf({
      id: textAt(entry, 'instance_id'),
      model,
      root: textAt(fieldsAt(config, 'environment'), 'cwd'),
      messages: settleDrafts(drafts).map(take),
      usages: usagesOf(listed, model),
    })
  },
})

const fences = ['```bash', '```mswea_bash_command']

/** The only command in a text, by the agent's own rule: a fence with its name, a line end, and the text up to a closing fence. */
export function commandIn(text: string): TextCall | null {
  const blocks = fences.flatMap((fence) => blocksIn(text, fence))
  const [only] = blocks
  if (blocks.length !== 1 || only === undefined) return null
  const words = `${text.slice(0, only.start)}${text.slice(only.end)}`
  return { words, tool: 'bash', input: { command: only.command.trim() } }
}

function blocksIn(text: string, fence: string) {
  const blocks: { readonly start: number; readonly end: number; readonly command: string }[] = []
  let start = text.indexOf(fence)
  while (start >= 0 && blocks.length < 2) {
    const line = text.indexOf('\n', start)
    if (line < 0) break
    const isOpening = text.slice(start + fence.length, line).trim() === ''
    const close = isOpening ? text.indexOf('\n```', line + 1) : line
    if (close < 0) break
    const end = isOpening ? close + 4 : line
    if (isOpening) blocks.push({ start, end, command: text.slice(line + 1, close) })
    start = text.indexOf(fence, end)
  }
  return blocks
}

/** The model writes its call as text, which `find` returns if there is only one, and the next user message is its result. */
function withTextCalls(
  listed: readonly ListedMessage[],
  find: (answer: ListedMessage, text: string) => TextCall | null,
  mayAnswer: (message: ListedMessage) => boolean = () => true,
): readonly ListedMessage[] {
  let open: { readonly callId: string; readonly tool: string } | null = null
  return listed.map((one, index): ListedMessage => {
    const { message } = one
    if (open !== null && message.role === 'user' && mayAnswer(one)) {
      const result = resultOf(message, open.callId, open.tool)
      open = null
      return { ...one, message: result }
    }
    open = null
    if (message.role !== 'assistant' || message.parts.some((part) => part.type === 'tool-call')) return one
    const next = listed[index + 1]
    if (next !== undefined && !(next.message.role === 'user' && mayAnswer(next))) return one
    const call = find(one, messageText(message))
    if (call === null) return one
    open = { callId: `call-${message.id}`, tool: call.tool }
    return { ...one, message: withCall(message, call, open.callId) }
  })
}

function resultOf(message: Message, callId: string, tool: string): Message {
  const items = message.parts.filter((part) => part.type === 'text' || part.type === 'media')
  const isText = items.every((part) => part.type === 'text')
  const content = isText ? messageText(message) : ({ type: 'list', items } as const)
  return { ...message, role: 'tool', parts: [resultPart(callId, tool, content)] }
}
