import { codecs, type Message } from '@plimsoll/core'
import { isMapping } from '../config/mapping.ts'
import { type Draft, settleDrafts } from './draft.ts'
import { fieldsAt, listAt, textAt } from './entry-fields.ts'
import type { Fields } from './log-reader.ts'
import { type ListedMessage, readMessageList } from './message-list.ts'
import { parseFields } from './parse-fields.ts'
import { readSessionOf } from './read-session-of.ts'
import { createRecordReader } from './record-reader.ts'
import { type TextCall, withTextCalls } from './text-calls.ts'

/**
 * SWE-agent: one object for each run, with the messages under `history` and the steps under `trajectory`. Older versions have the
 * call in the answer's text, and beside it as `action`. What a run used is only told for all of it.
 */
export const sweAgent = createRecordReader({
  name: 'swe-agent',
  detect: (entry) => Array.isArray(entry['trajectory']) && Array.isArray(entry['history']),
  read(entry, notes, take) {
    const listed = readMessageList(listAt(entry, 'history'), codecs['openai-chat'], notes)
    const paired = withTextCalls(listed, actionOf, ({ source }) => source['is_demo'] !== true)
    const drafts = paired.map((one) => draftOf(one))
    const last = lastResult(paired, listAt(entry, 'trajectory').findLast(isMapping))
    if (last !== null) drafts.push({ message: last })
    const config = fieldsOf(entry['replay_config'])
    const model = textAt(fieldsAt(fieldsAt(config, 'agent'), 'model'), 'name')
    const name = textAt(entry, 'environment')
    return readSessionOf({
      id: name === 'swe_main' || name === 'main' ? null : name,
      model: model !== null && notModels.has(model) ? null : model,
      root: firstFolder(listAt(entry, 'trajectory')),
      messages: settleDrafts(drafts).map(take),
    })
  },
})

/** What stands for a model when a run is repeated or written by a person. */
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

/** A demonstration stands in the user's role and nobody said it. */
function draftOf({ message, source }: ListedMessage): Draft {
  return source['is_demo'] === true && message.role === 'user' ? { message, added: true } : { message }
}

/** The answer to the last call was never sent, so that only the steps have it. */
function lastResult(paired: readonly ListedMessage[], step: Fields | undefined): Message | null {
  const last = paired.at(-1)
  const call = last?.message.parts.findLast((part) => part.type === 'tool-call')
  const observation = step?.['observation']
  if (last === undefined || call === undefined || typeof observation !== 'string') return null
  if (textAt(last.source, 'action') !== textAt(step ?? {}, 'action')) return null
  const content = { type: 'text', text: observation } as const
  const { at } = last.message
  const id = `${last.message.id}.result`
  const parts = [{ type: 'tool-result', callId: call.callId, tool: call.tool, content }] as const
  return { id, role: 'tool', parts, ...(at === undefined ? {} : { at }) }
}

function firstFolder(steps: readonly unknown[]): string | null {
  const [first] = steps
  return isMapping(first) ? textAt(fieldsOf(first['state']), 'working_dir') : null
}

/** Some versions write a mapping as text. */
function fieldsOf(value: unknown): Fields {
  return typeof value === 'string' ? parseFields(value) : isMapping(value) ? value : {}
}
