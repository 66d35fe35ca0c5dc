import { isRecord } from '../message.ts'
import { describeValue } from '../text/json.ts'
import type { Entry } from './entry.ts'

/** Whether an entry can be relied on: the entry itself, what is wrong with it, or what about it is newer than this code. */
export type Checked =
  | { readonly entry: Entry; readonly wrong?: never; readonly newer?: never }
  | { readonly wrong: string; readonly entry?: never; readonly newer?: never }
  | { readonly newer: string; readonly entry?: never; readonly wrong?: never }

/** Checks every field of a parsed line that is used later, so that nobody has to doubt an entry again. */
export function checkEntry(given: object): Checked {
  const value = given as Fields
  const { type } = value
  if (typeof type !== 'string' || !isEntryType(type)) return { newer: `an entry of type ${describeValue(type)}` }
  const check = checks[type]
  try {
    expectHead(value)
    check(value)
    return { entry: given as Entry }
  } catch (error) {
    if (error instanceof NewerField) return { newer: error.message }
    if (error instanceof WrongField) return { wrong: error.message }
    throw error
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Leaves a check of any depth at once; never leaves this file. */
class WrongField extends Error {}
class NewerField extends Error {}

const checks: Readonly<Record<Entry['type'], (entry: Fields) => void>> = {
  header(entry) {
    const { version, from } = entry
    if (!Number.isSafeInteger(version) || (version as number) < 1) wrong('version', 'a whole number from 1', version)
    text(entry, 'session')
    optional(entry, 'root', text)
    optional(entry, 'title', text)
    if (from === undefined) return
    const origin = record(entry, 'from')
    text(origin, 'session')
    text(origin, 'entry')
  },
  message(entry) {
    const message = record(entry, 'message')
    expectMessage(message)
    if (message['id'] !== entry['id']) wrong('message.id', 'the id of its entry', message['id'])
  },
  edits(entry) {
    optional(entry, 'apply', (fields, key) => records(fields, key).forEach(expectEdit))
    for (const key of ['withdraw', 'pin', 'unpin']) optional(entry, key, texts)
    optional(entry, 'report', (fields, key) => records(fields, key).forEach(expectReported))
  },
  request(entry) {
    text(entry, 'model')
    optional(entry, 'parameters', record)
    optional(entry, 'tools', text)
    optional(entry, 'policies', texts)
    optional(entry, 'layers', (fields, key) => {
      const layers = record(fields, key)
      for (const name of Object.keys(layers)) text(layers, name)
    })
    textOrNull(entry, 'last')
    text(entry, 'view')
    number(entry, 'estimate')
    optional(entry, 'ledger', (fields, key) => expectLedger(record(fields, key)))
  },
  usage(entry) {
    text(entry, 'request')
    const usage = record(entry, 'usage')
    for (const key of ['input', 'cacheRead', 'cacheWrite', 'output']) number(usage, key)
  },
  failure(entry) {
    text(entry, 'kind')
    text(entry, 'message')
    optional(entry, 'request', text)
  },
  note(entry) {
    text(entry, 'code')
    optional(entry, 'text', text)
    optional(entry, 'data', record)
  },
  rewind(entry) {
    text(entry, 'left')
  },
}

function isEntryType(type: string): type is Entry['type'] {
  return Object.hasOwn(checks, type)
}

function expectHead(entry: Fields): void {
  const { type, at } = entry
  text(entry, 'id')
  textOrNull(entry, 'parentId')
  if ((entry['parentId'] === null) !== (type === 'header')) wrong('parentId', 'null for the header alone', entry['parentId'])
  if (!Number.isSafeInteger(at) || (at as number) < 0) wrong('at', 'milliseconds', at)
}

function expectMessage(message: Fields): void {
  text(message, 'id')
  oneOf(message, 'role', ['system', 'user', 'assistant', 'tool'])
  records(message, 'parts').forEach(expectPart)
  optional(message, 'at', number)
  optional(message, 'summary', isTrue)
}

function expectPart(part: Fields): void {
  text(part, 'type')
  switch (part['type']) {
    case 'text':
    case 'reasoning':
      return text(part, 'text')
    case 'media':
      return text(part, 'mediaType')
    case 'tool-call':
      text(part, 'callId')
      text(part, 'tool')
      return optional(part, 'pending', isTrue)
    case 'tool-result':
      return expectResult(part)
    default:
      throw new NewerField(`a part of type ${describeValue(part['type'])}`)
  }
}

function expectResult(part: Fields): void {
  textOrNull(part, 'callId')
  textOrNull(part, 'tool')
  const content = record(part, 'content')
  oneOf(content, 'type', ['text', 'json', 'list'])
  if (content['type'] === 'text') text(content, 'text')
  if (content['type'] === 'list') {
    for (const item of records(content, 'items')) {
      oneOf(item, 'type', ['text', 'media'])
      text(item, item['type'] === 'text' ? 'text' : 'mediaType')
    }
  }
  if (part['isError'] !== undefined && typeof part['isError'] !== 'boolean') wrong('isError', 'true or false', part['isError'])
  optional(part, 'status', text)
  optional(part, 'blob', (fields, key) => {
    const blob = record(fields, key)
    text(blob, 'sha256')
    number(blob, 'bytes')
    optional(blob, 'handle', text)
    optional(blob, 'form', text)
  })
}

function expectEdit(edit: Fields): void {
  for (const key of ['id', 'policy', 'why']) text(edit, key)
  switch (edit['kind']) {
    case 'replace':
      text(edit, 'message')
      number(edit, 'part')
      optional(edit, 'refers', (fields, key) => records(fields, key).forEach(expectReference))
      return expectPart(record(edit, 'with'))
    case 'fold':
      text(edit, 'first')
      text(edit, 'last')
      return edit['into'] === null ? undefined : expectMessage(record(edit, 'into'))
    case 'insert':
      textOrNull(edit, 'after')
      return expectMessage(record(edit, 'message'))
    default:
      throw new NewerField(`an edit of kind ${describeValue(edit['kind'])}`)
  }
}

function expectReference(reference: Fields): void {
  for (const key of ['line', 'from', 'count']) number(reference, key)
  for (const key of ['part', 'shows']) text(reference, key)
}

function expectReported(row: Fields): void {
  for (const key of ['id', 'policy', 'kind', 'message', 'why', 'cache']) text(row, key)
  for (const key of ['part', 'tokensBefore', 'tokensAfter']) number(row, key)
  textOrNull(row, 'tool')
}

function expectLedger(ledger: Fields): void {
  const debts = record(ledger, 'debts')
  for (const key of Object.keys(debts)) amount(debts, key)
  amount(ledger, 'bank')
  amountOrNull(ledger, 'cacheLifetimeSeconds')
  optional(ledger, 'untrimmed', amount)
  optional(ledger, 'at', amount)
  optional(ledger, 'model', text)
  optional(ledger, 'prefix', text)
  optional(ledger, 'summaries', texts)
  optional(ledger, 'learned', (fields, key) => {
    const learned = record(fields, key)
    amountOrNull(learned, 'atLeastSeconds')
    amountOrNull(learned, 'atMostSeconds')
    amount(learned, 'zeroReads')
  })
  optional(ledger, 'expected', (fields, key) => {
    const expected = record(fields, key)
    amount(expected, 'gapSeconds')
    amount(expected, 'tokens')
  })
}

/** Sums of what is larger could not be written down any more. */
function amount(fields: Fields, key: string): void {
  const value = fields[key]
  if (typeof value !== 'number' || !(Math.abs(value) <= Number.MAX_SAFE_INTEGER))
    wrong(key, `a number up to ${Number.MAX_SAFE_INTEGER}`, value)
}

function amountOrNull(fields: Fields, key: string): void {
  if (fields[key] !== null) amount(fields, key)
}

function optional(fields: Fields, key: string, check: (fields: Fields, key: string) => unknown): void {
  if (fields[key] !== undefined) check(fields, key)
}

function text(fields: Fields, key: string): void {
  if (typeof fields[key] !== 'string') wrong(key, 'a text', fields[key])
}

function textOrNull(fields: Fields, key: string): void {
  if (fields[key] !== null) text(fields, key)
}

function texts(fields: Fields, key: string): void {
  const list = fields[key]
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) wrong(key, 'a list of texts', list)
}

/** JSON has no number without end, but one that is too long to write down becomes it. */
function number(fields: Fields, key: string): void {
  if (typeof fields[key] !== 'number' || !Number.isFinite(fields[key])) wrong(key, 'a number', fields[key])
}

function isTrue(fields: Fields, key: string): void {
  if (fields[key] !== true) wrong(key, 'true or nothing', fields[key])
}

function oneOf(fields: Fields, key: string, known: readonly string[]): void {
  text(fields, key)
  if (!known.includes(fields[key] as string)) throw new NewerField(`${key} ${describeValue(fields[key])}`)
}

function record(fields: Fields, key: string): Fields {
  const value = fields[key]
  return isRecord(value) ? value : wrong(key, 'an object', value)
}

function records(fields: Fields, key: string): readonly Fields[] {
  const list = fields[key]
  return Array.isArray(list) && list.every(isRecord) ? list : wrong(key, 'a list of objects', list)
}

function wrong(key: string, expected: string, came: unknown): never {
  throw new WrongField(`${key}: expected ${expected}, got ${describeValue(came)}`)
}
