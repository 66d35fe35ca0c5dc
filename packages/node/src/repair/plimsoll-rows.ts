import { formatVersion, writeLine } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import { fieldsAt, listAt, textAt } from '../logs/draft.ts'
import type { Fields } from '../logs/log-reader.ts'
import { madeHex } from './made-ids.ts'
import type { Row } from './row.ts'
import { plainRow, type RowFormat } from './row-format.ts'

/** Plimsoll's own log. Each line says how many bytes of it follow, so a changed one is written anew. */
export const plimsollRows: RowFormat = {
  name: 'plimsoll',
  form: 'tree',
  isEntry: (value) =>
    typeof value['type'] === 'string' && typeof value['id'] === 'string' && 'parentId' in value && 'at' in value,
  rowOf,
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
    const { bytes: _, ...entry } = JSON.parse(text) as Fields
    return writeLine(entry as never)
  },
}

function rowOf(entry: Fields): Row {
  const row = plainRow(textAt(entry, 'id'), textAt(entry, 'parentId'))
  if (entry['type'] !== 'message') return row
  const parts = listAt(fieldsAt(entry, 'message'), 'parts')
  const results = parts.flatMap((part, index) =>
    isRecord(part) && part['type'] === 'tool-result'
      ? [{ callId: textAt(part, 'callId'), path: ['message', 'parts', index] }]
      : [],
  )
  const calls = parts.flatMap((part) => {
    const callId = isRecord(part) && part['type'] === 'tool-call' ? textAt(part, 'callId') : null
    return callId === null || !isRecord(part) ? [] : [{ callId, tool: textAt(part, 'tool') ?? '' }]
  })
  return { ...row, calls, results, holdsMore: results.length < parts.length }
}
