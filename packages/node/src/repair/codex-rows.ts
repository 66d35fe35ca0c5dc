import { isRecord } from '@plimsoll/core/text'
import type { Fields } from '../logs/fields.ts'
import { fieldsAt, listAt, textAt } from '../logs/fields.ts'
import { callsAmong, madeUuid, pick, plainRow, type RowFormat, timestampOf } from './row-format.ts'

/** Codex reads its items in order, and does not open a file that does not start with `session_meta`. */
export const codexRows: RowFormat = {
  name: 'codex',
  form: 'list',
  isEntry: (value) =>
    (isRecord(value['payload']) && typeof value['type'] === 'string') ||
    'record_type' in value ||
    'call_id' in value ||
    'instructions' in value ||
    typeof value['role'] === 'string',
  rowOf(entry) {
    const item = itemOf(entry)
    const type = entry['type'] === 'event_msg' ? '' : (textAt(item, 'type') ?? '')
    const callId = textAt(item, 'call_id')
    if (callId === null) return plainRow(null, null)
    if (type.endsWith('_output')) return { ...plainRow(null, null), results: [{ callId, path: [] }], holdsMore: false }
    if (!type.endsWith('_call')) return plainRow(null, null)
    return { ...plainRow(null, null), calls: [{ callId, tool: textAt(item, 'name') ?? type.slice(0, -'_call'.length) }] }
  },
  idPaths: () => [],
  parentPath: null,
  answersOnce: true,
  newId: madeUuid,
  answer(entry, { callId }, { text }) {
    const item = answerItem(textAt(itemOf(entry), 'type') ?? '', callId, text)
    return { entry: itemOf(entry) === entry ? item : { ...pick(entry, ['timestamp']), type: 'response_item', payload: item } }
  },
  head: {
    is: (entry) => entry['type'] === 'session_meta' || (entry['type'] === undefined && 'instructions' in entry),
    make(first, { file }) {
      // The first versions wrote items bare, and had no such thing to say.
      if (!isRecord(first['payload'])) return null
      const id = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(file)?.[0] ?? madeUuid(file)
      const timestamp = timestampOf(first)
      const cwd = textAt(fieldsAt(first, 'payload'), 'cwd') ?? '/'
      const payload = { id, timestamp, cwd, originator: 'codex_cli_rs', cli_version: '0.0.0', instructions: null, source: 'cli' }
      return { timestamp, type: 'session_meta', payload }
    },
  },
}

function itemOf(entry: Fields): Fields {
  return isRecord(entry['payload']) ? entry['payload'] : entry
}

function answerItem(type: string, callId: string, text: string): Fields {
  if (type === 'tool_search_call')
    return { type: 'tool_search_output', call_id: callId, status: 'completed', execution: 'client', tools: [] }
  return {
    type: type === 'custom_tool_call' ? 'custom_tool_call_output' : 'function_call_output',
    call_id: callId,
    output: text,
  }
}

/** Copilot CLI: events in order, each with the one before it as its parent. */
export const copilotRows: RowFormat = {
  name: 'copilot',
  form: 'tree',
  isEntry: (value) => isRecord(value['data']) && typeof value['type'] === 'string',
  rowOf(entry) {
    const data = fieldsAt(entry, 'data')
    const isInner = textAt(data, 'parentToolCallId') !== null || textAt(entry, 'agentId') !== null
    const row = plainRow(textAt(entry, 'id'), textAt(entry, 'parentId'))
    if (isInner) return row
    const answered = entry['type'] === 'tool.execution_complete' ? textAt(data, 'toolCallId') : null
    if (answered !== null && data['isUserRequested'] !== true)
      return { ...row, results: [{ callId: answered, path: [] }], holdsMore: false }
    if (entry['type'] !== 'assistant.message') return row
    const calls = callsAmong(listAt(data, 'toolRequests'), null, 'toolCallId', 'name')
    return { ...row, group: textAt(data, 'apiCallId'), calls }
  },
  idPaths: () => [['id']],
  parentPath: ['parentId'],
  answersOnce: true,
  newId: madeUuid,
  answer: (entry, { callId, tool }, { id, parent, text }) => ({
    entry: {
      type: 'tool.execution_complete',
      data: { toolCallId: callId, toolName: tool, success: false, error: { message: text } },
      id,
      ...pick(entry, ['timestamp']),
      parentId: parent,
    },
  }),
  head: {
    is: (entry) => entry['type'] === 'session.start' || entry['type'] === 'session.resume',
    make(first, { folder }) {
      const sessionId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(folder) ? folder : madeUuid(folder)
      const timestamp = timestampOf(first)
      const data = { sessionId, version: 1, producer: 'copilot-agent', copilotVersion: '', startTime: timestamp }
      return {
        type: 'session.start',
        data,
        id: textAt(first, 'parentId') ?? madeUuid(`start ${folder}`),
        timestamp,
        parentId: null,
      }
    },
  },
}
