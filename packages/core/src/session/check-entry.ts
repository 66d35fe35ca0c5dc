import { isRecord } from '../message.ts'
import { describeValue } from '../text/json.ts'
import type { Entry } from './entry.ts'

/** Whether an entry can be relied on: the entry itself, what is wrong with it, or what about it is newer than this code. */
export type Checked =
  | { readonly entry: Entry; readonly wrong?: never; readonly newer?: never }
  | { readonly wrong: string; readonly entry?: never; readonly newer?: never }
  | { readonly newer: string; readonly entry?: never; readonly wrong?: never }

/** Checks every field of a parsed line that is used later, so that no one has to doubt an entry again. */
export function checkEntry(given: object): Checked {
  const { type, id, parentId, at, message: held } = given as Fields
  if (typeof type !== 'string' || !Object.hasOwn(entries, type)) return { newer: `an entry of type ${describeValue(type)}` }
  try {
    text(id, 'id')
    orNull(text)(parentId, 'parentId')
    if ((parentId === null) !== (type === 'header')) wrong('parentId', 'null for the header alone', parentId)
    time(at, 'at')
    entries[type as Entry['type']](given, type)
    if (type === 'message' && (held as Fields)['id'] !== id) wrong('message.id', 'the id of its entry', (held as Fields)['id'])
    return { entry: given as Entry }
  } catch (error) {
    if (error instanceof NewerField) return { newer: error.message }
    if (error instanceof WrongField) return { wrong: error.message }
    throw error
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Throws if a value is not what the field of this name has to hold. */
type Check = (value: unknown, name: string) => void

/** Leaves a check of any depth at once; never leaves this file. */
class WrongField extends Error {}
class NewerField extends Error {}

const text = must('a text', (value) => typeof value === 'string')
const texts = must('a list of texts', (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'))
/** JSON has no infinity, but a number that is too long to write down becomes it. */
const number = must('a number', Number.isFinite)
/** Sums of larger numbers could not be written down any more. */
const amount = must(
  `a number up to ${Number.MAX_SAFE_INTEGER}`,
  (value) => typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER,
)
const version = must('a whole number from 1', (value) => Number.isSafeInteger(value) && (value as number) >= 1)
const time = must('milliseconds', (value) => Number.isSafeInteger(value) && (value as number) >= 0)
const flag = must('true or false', (value) => typeof value === 'boolean')
const isTrue = must('true or nothing', (value) => value === true)
const record = must('an object', isRecord)

const said = object({ text })
const media = object({ mediaType: text })

const result = object({
  callId: orNull(text),
  tool: orNull(text),
  content: oneOf('type', 'type', ['type'], {
    text: said,
    json: record,
    list: object({ items: list(oneOf('type', 'type', ['type'], { text: said, media })) }),
  }),
  isError: optional(flag),
  status: optional(text),
  blob: optional(object({ sha256: text, bytes: number, handle: optional(text), form: optional(text) })),
})

const part = oneOf('type', 'a part of type', ['type'], {
  text: said,
  reasoning: said,
  media,
  'tool-call': object({ callId: text, tool: text, pending: optional(isTrue) }),
  'tool-result': result,
})

const message = object({
  id: text,
  role: known('system', 'user', 'assistant', 'tool'),
  parts: list(part),
  at: optional(number),
  summary: optional(isTrue),
})

const reference = object({ ...all(number, ['line', 'from', 'count']), part: text, shows: text })

const edit = oneOf('kind', 'an edit of kind', ['id', 'policy', 'why'], {
  replace: object({ message: text, part: number, refers: optional(list(reference)), with: part }),
  fold: object({ first: text, last: text, into: orNull(message) }),
  insert: object({ after: orNull(text), message }),
})

const reported = object({
  ...all(text, ['id', 'policy', 'kind', 'message', 'why', 'cache']),
  ...all(number, ['part', 'tokensBefore', 'tokensAfter']),
  tool: orNull(text),
})

const ledger = object({
  debts: valuesOf(amount),
  bank: amount,
  cacheLifetimeSeconds: orNull(amount),
  untrimmed: optional(amount),
  at: optional(amount),
  model: optional(text),
  prefix: optional(text),
  summaries: optional(texts),
  learned: optional(object({ atLeastSeconds: orNull(amount), atMostSeconds: orNull(amount), zeroReads: amount })),
  expected: optional(object({ gapSeconds: amount, tokens: amount })),
})

const entries: Readonly<Record<Entry['type'], Check>> = {
  header: object({
    version,
    session: text,
    root: optional(text),
    title: optional(text),
    from: optional(object({ session: text, entry: text })),
  }),
  message: object({ message }),
  edits: object({
    apply: optional(list(edit)),
    withdraw: optional(texts),
    pin: optional(texts),
    unpin: optional(texts),
    report: optional(list(reported)),
  }),
  request: object({
    model: text,
    parameters: optional(record),
    tools: optional(text),
    policies: optional(texts),
    layers: optional(valuesOf(text)),
    last: orNull(text),
    view: text,
    estimate: number,
    ledger: optional(ledger),
  }),
  usage: object({ request: text, usage: object(all(number, ['input', 'cacheRead', 'cacheWrite', 'output'])) }),
  failure: object({ kind: text, message: text, request: optional(text) }),
  note: object({ code: text, text: optional(text), data: optional(record) }),
  rewind: object({ left: text }),
}

function must(expected: string, holds: (value: unknown) => boolean): Check {
  return (value, name) => {
    if (!holds(value)) wrong(name, expected, value)
  }
}

function wrong(name: string, expected: string, came: unknown): never {
  throw new WrongField(`${name}: expected ${expected}, got ${describeValue(came)}`)
}

/** An object with these fields, checked in this order. */
function object(checks: Readonly<Record<string, Check>>): Check {
  const rows = Object.entries(checks)
  return (value, name) => {
    record(value, name)
    for (const [field, check] of rows) check((value as Fields)[field], field)
  }
}

function all(check: Check, names: readonly string[]): Readonly<Record<string, Check>> {
  return Object.fromEntries(names.map((name) => [name, check]))
}

/** An object whose fields depend on one of them, after the texts that all kinds have. */
function oneOf(tag: string, what: string, common: readonly string[], kinds: Readonly<Record<string, Check>>): Check {
  const head = object(all(text, common))
  return (value, name) => {
    head(value, name)
    const kind = (value as Fields)[tag]
    const check = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (check === undefined) throw new NewerField(`${what} ${describeValue(kind)}`)
    check(value, name)
  }
}

function known(...values: readonly string[]): Check {
  return (value, name) => {
    text(value, name)
    if (!values.includes(value as string)) throw new NewerField(`${name} ${describeValue(value)}`)
  }
}

function list(check: Check): Check {
  return (value, name) => {
    if (!Array.isArray(value) || !value.every(isRecord)) return wrong(name, 'a list of objects', value)
    for (const item of value) check(item, name)
  }
}

function valuesOf(check: Check): Check {
  return (value, name) => {
    record(value, name)
    for (const field of Object.keys(value as Fields)) check((value as Fields)[field], field)
  }
}

function optional(check: Check): Check {
  return (value, name) => (value === undefined ? undefined : check(value, name))
}

function orNull(check: Check): Check {
  return (value, name) => (value === null ? undefined : check(value, name))
}
