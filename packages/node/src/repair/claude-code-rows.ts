import { isRecord } from '@plimsoll/core/text'
import { fieldsAt, listAt, textAt } from '../logs/draft.ts'
import type { Fields } from '../logs/log-reader.ts'
import { madeUuid } from './made-ids.ts'
import type { Row } from './row.ts'
import type { RowFormat } from './row-format.ts'

/** Claude Code walks from the last message up by `parentUuid`: what it does not come by there is gone for it. */
export const claudeCodeRows: RowFormat = {
  name: 'claude-code',
  form: 'tree',
  isEntry: (value) =>
    typeof value['type'] === 'string' && ['uuid', 'sessionId', 'leafUuid', 'isSnapshotUpdate'].some((field) => field in value),
  rowOf,
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

function rowOf(entry: Fields): Row {
  const message = fieldsAt(entry, 'message')
  const content = listAt(message, 'content')
  const isSpoken = entry['type'] === 'assistant'
  const results = isSpoken
    ? []
    : content.flatMap((block, index) =>
        isRecord(block) && block['type'] === 'tool_result'
          ? [{ callId: textAt(block, 'tool_use_id'), path: ['message', 'content', index] }]
          : [],
      )
  return {
    id: textAt(entry, 'uuid'),
    parent: textAt(entry, 'parentUuid'),
    chain: entry['isSidechain'] === true ? `side ${textAt(entry, 'agentId') ?? ''}` : '',
    group: isSpoken ? textAt(message, 'id') : null,
    calls: isSpoken
      ? content.flatMap((block) => {
          const callId = isRecord(block) && block['type'] === 'tool_use' ? textAt(block, 'id') : null
          return callId === null || !isRecord(block) ? [] : [{ callId, tool: textAt(block, 'name') ?? '' }]
        })
      : [],
    results,
    holdsMore: results.length < content.length || results.length === 0,
  }
}

/** The fields of these names that an entry has. */
export function pick(entry: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(entry, name) ? [[name, entry[name]]] : [])))
}
