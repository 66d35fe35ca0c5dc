import { isRecord } from '@plimsoll/core/text'
import { fieldsAt, listAt, textAt } from '../logs/draft.ts'
import type { Fields } from '../logs/log-reader.ts'
import { madeHex } from './made-ids.ts'
import type { Row } from './row.ts'
import { plainRow, type RowFormat } from './row-format.ts'

/** The messages of an exported opencode session. A tool's part holds call and result; one that never ended failed. */
export const opencodeRows: RowFormat = {
  name: 'opencode',
  form: 'in-place',
  isEntry: (value) => isRecord(value['info']) && Array.isArray(value['parts']),
  rowOf,
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

function rowOf(entry: Fields): Row {
  const calls = listAt(entry, 'parts').flatMap((part) => {
    const callId = isRecord(part) && part['type'] === 'tool' ? textAt(part, 'callID') : null
    return callId === null || !isRecord(part) ? [] : [{ callId, tool: textAt(part, 'tool') ?? '' }]
  })
  return { ...plainRow(textAt(fieldsAt(entry, 'info'), 'id'), null), calls }
}
