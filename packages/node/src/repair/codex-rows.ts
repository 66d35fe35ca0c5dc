import { isRecord } from '@plimsoll/core/text'
import { fieldsAt, textAt } from '../logs/draft.ts'
import type { Fields } from '../logs/log-reader.ts'
import { pick } from './claude-code-rows.ts'
import { madeUuid } from './made-ids.ts'
import type { Row } from './row.ts'
import { plainRow, type RowFormat } from './row-format.ts'

/** Codex reads its items in order, and does not open a file that does not begin with what is known of the session. */
export const codexRows: RowFormat = {
  name: 'codex',
  form: 'list',
  isEntry: (value) =>
    (isRecord(value['payload']) && typeof value['type'] === 'string') ||
    'record_type' in value ||
    'call_id' in value ||
    'instructions' in value ||
    typeof value['role'] === 'string',
  rowOf,
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
      const timestamp = textAt(first, 'timestamp') ?? '1970-01-01T00:00:00.000Z'
      const cwd = textAt(fieldsAt(first, 'payload'), 'cwd') ?? '/'
      const payload = { id, timestamp, cwd, originator: 'codex_cli_rs', cli_version: '0.0.0', instructions: null, source: 'cli' }
      return { timestamp, type: 'session_meta', payload }
    },
  },
}

function rowOf(entry: Fields): Row {
  const item = itemOf(entry)
  const type = entry['type'] === 'event_msg' ? '' : (textAt(item, 'type') ?? '')
  const callId = textAt(item, 'call_id')
  if (callId === null) return plainRow(null, null)
  if (type.endsWith('_output')) return { ...plainRow(null, null), results: [{ callId, path: [] }], holdsMore: false }
  if (!type.endsWith('_call')) return plainRow(null, null)
  return { ...plainRow(null, null), calls: [{ callId, tool: textAt(item, 'name') ?? type.slice(0, -'_call'.length) }] }
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
