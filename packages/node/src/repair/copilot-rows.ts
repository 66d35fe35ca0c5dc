import { isRecord } from '@plimsoll/core/text'
import { fieldsAt, listAt, textAt } from '../logs/draft.ts'
import type { Fields } from '../logs/log-reader.ts'
import { pick } from './claude-code-rows.ts'
import { madeUuid } from './made-ids.ts'
import type { Row } from './row.ts'
import { plainRow, type RowFormat } from './row-format.ts'

/** Copilot CLI: events in order, each with the one before it as its parent. */
export const copilotRows: RowFormat = {
  name: 'copilot',
  form: 'tree',
  isEntry: (value) => isRecord(value['data']) && typeof value['type'] === 'string',
  rowOf,
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
      const timestamp = textAt(first, 'timestamp') ?? '1970-01-01T00:00:00.000Z'
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

function rowOf(entry: Fields): Row {
  const data = fieldsAt(entry, 'data')
  const isInner = textAt(data, 'parentToolCallId') !== null || textAt(entry, 'agentId') !== null
  const row = plainRow(textAt(entry, 'id'), textAt(entry, 'parentId'))
  if (isInner) return row
  const answered = entry['type'] === 'tool.execution_complete' ? textAt(data, 'toolCallId') : null
  if (answered !== null && data['isUserRequested'] !== true)
    return { ...row, results: [{ callId: answered, path: [] }], holdsMore: false }
  if (entry['type'] !== 'assistant.message') return row
  const calls = listAt(data, 'toolRequests').flatMap((call) => {
    const callId = isRecord(call) ? textAt(call, 'toolCallId') : null
    return callId === null || !isRecord(call) ? [] : [{ callId, tool: textAt(call, 'name') ?? '' }]
  })
  return { ...row, group: textAt(data, 'apiCallId'), calls }
}
