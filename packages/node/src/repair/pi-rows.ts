import { isRecord } from '@plimsoll/core/text'
import { fieldsAt, listAt, textAt, timeAt } from '../logs/draft.ts'
import type { Fields } from '../logs/log-reader.ts'
import { pick } from './claude-code-rows.ts'
import { madeHex, madeUuid } from './made-ids.ts'
import type { Row } from './row.ts'
import { plainRow, type RowFormat } from './row-format.ts'

/** Pi walks from the last entry up by `parentId`, and takes a file without its header for an empty one. */
export const piRows: RowFormat = {
  name: 'pi',
  form: 'tree',
  isEntry: (value) => typeof value['type'] === 'string' && ('timestamp' in value || 'parentId' in value),
  rowOf,
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
      timestamp: textAt(first, 'timestamp') ?? '1970-01-01T00:00:00.000Z',
      cwd: '',
    }),
  },
}

function rowOf(entry: Fields): Row {
  const id = entry['type'] === 'session' ? null : textAt(entry, 'id')
  const message = entry['type'] === 'message' ? fieldsAt(entry, 'message') : {}
  const row = plainRow(id, textAt(entry, 'parentId'))
  if (message['role'] === 'toolResult')
    return { ...row, results: [{ callId: textAt(message, 'toolCallId'), path: [] }], holdsMore: false }
  if (message['role'] !== 'assistant') return row
  const calls = listAt(message, 'content').flatMap((block) => {
    const callId = isRecord(block) && block['type'] === 'toolCall' ? textAt(block, 'id') : null
    return callId === null || !isRecord(block) ? [] : [{ callId, tool: textAt(block, 'name') ?? '' }]
  })
  return { ...row, calls }
}
