import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Measurement } from '@plimsoll/core/session'
import { isRecord, parseJson } from '@plimsoll/core/text'
import type { DecisionKey, GatewayConversation } from './gateway-record.ts'
import { type Branch, type BranchState, type StoredOriginal, StoreError } from './gateway-store.ts'

/** A conversation as both databases return it: the texts that clients wrote are JSON. */
export type ConversationRow = Omit<GatewayConversation, 'isHeldOut'> & { readonly isHeldOut: number }

export interface BranchRow {
  readonly chain: string
  readonly conversation: string
  readonly requests: number
  readonly at: number
  readonly state: string
}

export const conversationColumns = `id, label, dialect, model, mode, held_out as "isHeldOut", first, last, requests, dollars,
  untrimmed_dollars as "untrimmedDollars", unpriced`

export function conversationOf(row: ConversationRow): GatewayConversation {
  const { id, label, dialect, model, mode, first, last, requests, dollars, untrimmedDollars, unpriced } = row
  const named = {
    label: label === null ? null : (readJson(label) as string),
    dialect,
    model: model === null ? null : (readJson(model) as string),
  }
  const isHeldOut = row.isHeldOut === 1
  return { id, ...named, mode, isHeldOut, first, last, requests, dollars, untrimmedDollars, unpriced }
}

/** Null if the row is damaged. */
export function branchOf(tenant: string, { chain, conversation, requests, at, state }: BranchRow): Branch | null {
  const read = readRow(state, 'branches', tenant, chain)
  return read === undefined ? null : { conversation, chain, requests, state: soundState(read as BranchState), at }
}

/** Drops what another version or program may have written into its lists. */
function soundState({ measurements, behind, ...state }: BranchState): BranchState {
  const known: readonly unknown[] = Array.isArray(measurements) ? measurements : []
  return {
    ...state,
    ...(known.length === 0 ? {} : { measurements: known.filter(isMeasurement) }),
    ...(isRecord(behind) ? { behind: Object.fromEntries(Object.entries(behind).filter(([, level]) => level >= 0)) } : {}),
  }
}

function isMeasurement(value: unknown): value is Measurement {
  if (!isRecord(value) || !isRecord(value['usage'])) return false
  const { input, cacheRead, cacheWrite, output } = value['usage']
  return [value['estimate'], input, cacheRead, cacheWrite, output].every(Number.isFinite)
}

/** The text of a value; it has no character that a database would refuse. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw new StoreError('broken', 'The request is nested too deeply to be stored. Nothing was written.')
  }
}

type Table = 'branches' | 'decisions' | 'originals' | 'requests' | 'messages' | 'texts'

/**
 * The text of an object for a row, with a checksum over it and the row's place as its last field. Older versions read it as one more
 * field, and their rows have none.
 */
export function writeRow(value: object, table: Table, tenant: string, key: string): string {
  const json = writeJson(value)
  if (json === '{}') return json
  const text = `${sealed}${json.slice(1)}`
  return `${text.slice(0, -1)},"sum":"${rowSum(text, table, tenant, key)}"}`
}

/** So begins a row with a checksum: a row that lost its end, and the checksum with it, is not taken for an older one. */
const sealed = '{ '

/** The object of a row; undefined if the row is damaged, or has the content of another one. */
export function readRow(text: string, table: Table, tenant: string, key: string): unknown {
  const field = text.slice(-sumField.length)
  const isSealed = isNearly(field, sumField)
  if (!isSealed && text.startsWith(sealed)) return undefined
  const whole = isSealed ? `${text.slice(0, -sumField.length)}}` : text
  if (isSealed && field !== sumField.replace('????????', rowSum(whole, table, tenant, key))) return undefined
  const value = parseJson(whole)
  return isRecord(value) ? value : undefined
}

const sumField = ',"sum":"????????"}'

/** Whether a text is such a field, or was one: damage may have hit the field itself. */
function isNearly(text: string, field: string): boolean {
  let same = 0
  for (let index = 0; index < field.length; index += 1) if (text[index] === field[index]) same += 1
  return same >= field.length - '????????'.length - 3
}

function rowSum(text: string, table: Table, tenant: string, key: string): string {
  return crc32(text, crc32(`${table} ${tenant} ${key} `))
    .toString(16)
    .padStart(8, '0')
}

/** The key of a message's row. */
export function messageKey(conversation: string, id: string): string {
  return `${conversation} ${id}`
}

/** The objects of those rows that are not damaged. */
export function readRows(
  rows: readonly { readonly body: string; readonly id: string }[],
  table: Table,
  tenant: string,
): readonly unknown[] {
  return rows.flatMap(({ id, body }) => readRow(body, table, tenant, id) ?? [])
}

export function readJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text))
  } catch {
    throw new StoreError('broken', 'The store is damaged: it contains invalid JSON. Use another store.')
  }
}

/**
 * An id as a column: unchanged if it is short and plain, else its hash. Clients choose some ids, and databases refuse NUL characters,
 * lone surrogates and keys longer than an index takes.
 */
export function columnKey(id: string): string {
  return plain.test(id) ? id : `sha256:${hashOf(id)}`
}

export function decisionId({ key, part, original }: DecisionKey): string {
  return hashOf(JSON.stringify([key, part, original]))
}

/** The same text in another conversation is another original. */
export function originalId({ handle, conversation, message }: StoredOriginal): string {
  return hashOf(JSON.stringify([handle, conversation, message.id]))
}

/** The range of handles with this beginning, in the order of bytes; null if no handle can have it. */
export function handleRange(beginning: string): { readonly from: string; readonly below: string } | null {
  // The character after the last plain one sorts after every longer handle.
  return beginning === '' || plain.test(beginning) ? { from: beginning, below: `${beginning}\u007f` } : null
}

const plain = /^[!-~]{1,200}$/

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url')
}
