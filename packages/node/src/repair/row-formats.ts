import { formatVersion, writeLine } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import type { Fields } from '../logs/fields.ts'
import { fieldsAt, listAt, textAt } from '../logs/fields.ts'
import { claudeCodeRows, piRows } from './claude-code-rows.ts'
import { codexRows, copilotRows } from './codex-rows.ts'
import { geminiChatRows } from './gemini-chat-rows.ts'
import { callsAmong, madeHex, plainRow, type RowFormat, resultsAmong } from './row-format.ts'

/** Plimsoll's own log. Each line states how many bytes follow, so a changed line needs a new count. */
const plimsollRows: RowFormat = {
  name: 'plimsoll',
  form: 'tree',
  isEntry: (value) =>
    typeof value['type'] === 'string' && typeof value['id'] === 'string' && 'parentId' in value && 'at' in value,
  rowOf(entry) {
    const row = plainRow(textAt(entry, 'id'), textAt(entry, 'parentId'))
    if (entry['type'] !== 'message') return row
    const parts = listAt(fieldsAt(entry, 'message'), 'parts')
    const results = resultsAmong(parts, 'tool-result', 'callId', ['message', 'parts'])
    const calls = callsAmong(parts, 'tool-call', 'callId', 'tool')
    return { ...row, calls, results, holdsMore: results.length < parts.length }
  },
  idPaths: (entry) => (entry['type'] === 'message' ? [['id'], ['message', 'id']] : [['id']]),
  parentPath: ['parentId'],
  newId: (about) => `repaired-${madeHex(about, 12)}`,
  answer(entry, { callId, tool }, { id, parent, text }) {
    const { at } = entry
    const part = { type: 'tool-result', callId, tool, content: { type: 'text', text }, isError: true }
    return { entry: { type: 'message', id, parentId: parent, at, message: { id, role: 'tool', parts: [part], at } } }
  },
  head: {
    is: (entry) => entry['type'] === 'header',
    make(first, { folder }) {
      const id = textAt(first, 'parentId') ?? `repaired-${madeHex(folder, 12)}`
      const session = /^\d{8}-\d{6}-\w{6}$/.test(folder) ? folder : id
      const at = typeof first['at'] === 'number' ? first['at'] : 0
      return { type: 'header', id, parentId: null, at, version: formatVersion, session }
    },
  },
  settle(text) {
    const { bytes: _, sum: __, ...entry } = JSON.parse(text) as Fields
    return writeLine(entry as never)
  },
}

/** The messages of an exported opencode session. A tool part holds call and result; an unfinished one becomes failed. */
export const opencodeRows: RowFormat = {
  name: 'opencode',
  form: 'in-place',
  isEntry: (value) => isRecord(value['info']) && Array.isArray(value['parts']),
  rowOf(entry) {
    const calls = callsAmong(listAt(entry, 'parts'), 'tool', 'callID', 'tool')
    return { ...plainRow(textAt(fieldsAt(entry, 'info'), 'id'), null), calls }
  },
  idPaths: () => [['info', 'id']],
  parentPath: null,
  newId: (about) => `msg_${madeHex(about, 26)}`,
  answer: (entry, { callId }, { text }) => ({
    patches: listAt(entry, 'parts').flatMap((part, index) => {
      if (!isRecord(part) || part['type'] !== 'tool' || part['callID'] !== callId) return []
      const state = fieldsAt(part, 'state')
      if (state['status'] === 'completed' || state['status'] === 'error') return []
      const start = fieldsAt(state, 'time')['start'] ?? fieldsAt(fieldsAt(entry, 'info'), 'time')['created'] ?? 0
      const value = { status: 'error', input: state['input'] ?? {}, error: text, time: { start, end: start } }
      return [{ op: 'set', path: ['parts', index, 'state'], value } as const]
    }),
  }),
}

/** The logs that are repaired entry by entry. Lists of messages and requests are repaired by the codec of their API format. */
const rowFormats: readonly RowFormat[] = [
  plimsollRows,
  claudeCodeRows,
  copilotRows,
  codexRows,
  piRows,
  geminiChatRows,
  opencodeRows,
]

/** How the log of a reader is repaired; null if it is not a log of entries. */
export function rowFormatOf(reader: string): RowFormat | null {
  return rowFormats.find(({ name }) => name === reader) ?? null
}
