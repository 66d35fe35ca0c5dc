import { fieldsAt, listAt, textAt, timeAt } from '../logs/fields.ts'
import { callsAmong, madeHex, madeUuid, pick, plainRow, type RowFormat, resultsAmong, timestampOf } from './row-format.ts'

/** Claude Code walks from the last message up by `parentUuid`, and does not see entries that are not on this way. */
export const claudeCodeRows: RowFormat = {
  name: 'claude-code',
  form: 'tree',
  isEntry: (value) =>
    typeof value['type'] === 'string' && ['uuid', 'sessionId', 'leafUuid', 'isSnapshotUpdate'].some((field) => field in value),
  rowOf(entry) {
    const message = fieldsAt(entry, 'message')
    const content = listAt(message, 'content')
    const isSpoken = entry['type'] === 'assistant'
    const results = isSpoken ? [] : resultsAmong(content, 'tool_result', 'tool_use_id', ['message', 'content'])
    return {
      id: textAt(entry, 'uuid'),
      parent: textAt(entry, 'parentUuid'),
      chain: entry['isSidechain'] === true ? `side ${textAt(entry, 'agentId') ?? ''}` : '',
      group: isSpoken ? textAt(message, 'id') : null,
      calls: isSpoken ? callsAmong(content, 'tool_use', 'id', 'name') : [],
      results,
      holdsMore: results.length < content.length || results.length === 0,
    }
  },
  idPaths: () => [['uuid']],
  parentPath: ['parentUuid'],
  newId: madeUuid,
  answer: (entry, call, { id, parent, text }) => ({
    entry: {
      parentUuid: parent,
      ...pick(entry, ['isSidechain', 'agentId', 'userType', 'entrypoint', 'cwd', 'sessionId', 'version', 'gitBranch', 'slug']),
      type: 'user',
      message: { role: 'user', content: [{ tool_use_id: call.callId, type: 'tool_result', content: text, is_error: true }] },
      uuid: id,
      ...pick(entry, ['timestamp']),
      toolUseResult: text,
      sourceToolAssistantUUID: entry['uuid'],
    },
  }),
}

/** Pi walks from the last entry up by `parentId`, and takes a file without its header for an empty one. */
export const piRows: RowFormat = {
  name: 'pi',
  form: 'tree',
  isEntry: (value) => typeof value['type'] === 'string' && ('timestamp' in value || 'parentId' in value),
  rowOf(entry) {
    const id = entry['type'] === 'session' ? null : textAt(entry, 'id')
    const message = entry['type'] === 'message' ? fieldsAt(entry, 'message') : {}
    const row = plainRow(id, textAt(entry, 'parentId'))
    if (message['role'] === 'toolResult')
      return { ...row, results: [{ callId: textAt(message, 'toolCallId'), path: [] }], holdsMore: false }
    if (message['role'] !== 'assistant') return row
    return { ...row, calls: callsAmong(listAt(message, 'content'), 'toolCall', 'id', 'name') }
  },
  idPaths: () => [['id']],
  parentPath: ['parentId'],
  newId: (about) => madeHex(about, 8),
  answer(entry, { callId, tool }, { id, parent, text }) {
    const at = timeAt(fieldsAt(entry, 'message'), 'timestamp').at ?? timeAt(entry, 'timestamp').at ?? 0
    const message = {
      role: 'toolResult',
      toolCallId: callId,
      toolName: tool,
      content: [{ type: 'text', text }],
      isError: true,
      timestamp: at,
    }
    // The first versions knew neither ids nor parents.
    const place = textAt(entry, 'id') === null ? {} : { id, parentId: parent }
    return { entry: { type: 'message', ...place, ...pick(entry, ['timestamp']), message } }
  },
  head: {
    is: (entry) => entry['type'] === 'session',
    make: (first, { file }) => ({
      type: 'session',
      ...('parentId' in first ? { version: 3 } : {}),
      id: /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(file)?.[0] ?? madeUuid(file),
      timestamp: timestampOf(first),
      cwd: '',
    }),
  },
}
