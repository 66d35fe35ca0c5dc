import { isRecord } from '@plimsoll/core/text'
import type { Path } from '@plimsoll/core/wire'
import { isGeminiRecord } from '../logs/agents/gemini-record.ts'
import type { Fields } from '../logs/fields.ts'
import { fieldsAt, listAt, textAt } from '../logs/fields.ts'
import { madeUuid, pick, plainRow, type RowFormat, type RowResult, timestampOf } from './row-format.ts'

/** Gemini CLI keeps a call's result with the call, and writes a record again when it changes: the latest of an id counts. */
export const geminiChatRows: RowFormat = {
  name: 'gemini-chat',
  form: 'in-place',
  isEntry: (value) =>
    isRecord(value['$set']) ||
    typeof value['$rewindTo'] === 'string' ||
    typeof value['sessionId'] === 'string' ||
    (typeof value['type'] === 'string' && typeof value['id'] === 'string' && 'timestamp' in value),
  rowOf(entry) {
    const row = plainRow(textAt(entry, 'id'), null)
    const records = recordsIn(entry)
    const results = records.flatMap(({ record, path }) => resultsIn(record, path))
    const isAll = records.length === 1 && records[0]?.record === entry && results.length === listOf(entry['content']).length
    return {
      ...row,
      calls: records.flatMap(({ record }) => callsIn(record).map(({ callId, tool }) => ({ callId, tool }))),
      results,
      holdsMore: !(isAll && results.length > 0),
    }
  },
  idPaths: () => [],
  parentPath: null,
  newId: madeUuid,
  answer(entry, { callId, tool }, { text }) {
    const result = { functionResponse: { id: callId, name: tool, response: { error: text } } }
    const [found] = recordsIn(entry).flatMap(({ record, path }) =>
      callsIn(record).flatMap((call) => (call.callId === callId ? [{ ...call, record, path }] : [])),
    )
    if (found === undefined) return { patches: [] }
    const { index, path, record } = found
    if (index !== null) {
      return {
        patches: [
          { op: 'set', path: [...path, 'toolCalls', index, 'status'], value: 'cancelled' },
          { op: 'set', path: [...path, 'toolCalls', index, 'result'], value: [result] },
        ],
      }
    }
    // A call among the parts is answered by a record of the user's role.
    const answer = { id: madeUuid(`${callId} answer`), ...pick(record, ['timestamp']), type: 'user', content: [result] }
    const last = path.at(-1)
    if (typeof last !== 'number') return { entry: answer }
    return { patches: [{ op: 'insert', path: [...path.slice(0, -1), last + 1], value: answer }] }
  },
  head: {
    is: (entry) => typeof entry['sessionId'] === 'string',
    make(first, { file }) {
      const timestamp = timestampOf(first)
      return { sessionId: madeUuid(file), projectHash: '', startTime: timestamp, lastUpdated: timestamp }
    },
  },
}

function recordsIn(entry: Fields): readonly { readonly record: Fields; readonly path: Path }[] {
  if (isGeminiRecord(entry)) return [{ record: entry, path: [] }]
  return listAt(fieldsAt(entry, '$set'), 'messages').flatMap((record, index) =>
    isRecord(record) && isGeminiRecord(record) ? [{ record, path: ['$set', 'messages', index] }] : [],
  )
}

interface HeldCall {
  readonly callId: string
  readonly tool: string
  /** The place among the record's own calls; null if it is among its parts. */
  readonly index: number | null
}

function callsIn(record: Fields): readonly HeldCall[] {
  if (record['type'] !== 'gemini') return []
  const named = (call: unknown, index: number | null) => {
    const callId = isRecord(call) ? textAt(call, 'id') : null
    return callId === null || !isRecord(call) ? [] : [{ callId, tool: textAt(call, 'name') ?? '', index }]
  }
  const told = listAt(record, 'toolCalls').flatMap((call, index) => named(call, index))
  if (told.length > 0) return told
  return listOf(record['content']).flatMap((part) => (isRecord(part) ? named(part['functionCall'], null) : []))
}

function resultsIn(record: Fields, path: Path): readonly RowResult[] {
  if (record['type'] !== 'user') return []
  return listOf(record['content']).flatMap((part, index) => {
    const answer = isRecord(part) ? part['functionResponse'] : null
    return isRecord(answer) ? [{ callId: textAt(answer, 'id'), path: [...path, 'content', index] }] : []
  })
}

function listOf(content: unknown): readonly unknown[] {
  return Array.isArray(content) ? (content as readonly unknown[]) : content === undefined || content === null ? [] : [content]
}
