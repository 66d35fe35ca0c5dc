import { isRecord } from '../message.ts'
import { describeValue } from '../text/json.ts'
import type { Entry } from './entry.ts'

export type Checked =
  | { readonly entry: Entry; readonly wrong?: never; readonly newer?: never }
  | { readonly wrong: string; readonly entry?: never; readonly newer?: never }
  | { readonly newer: string; readonly entry?: never; readonly wrong?: never }

/** Checks every field of a parsed line that is used later. */
export function checkEntry(given: object): Checked {
  const { type, id, parentId, message: held } = given as Fields
  if (typeof type !== 'string' || !Object.hasOwn(entries, type)) return { newer: `an entry of type ${describeValue(type)}` }
  try {
    checkFields(given, 'id:text parentId:text|null')
    if ((parentId === null) !== (type === 'header')) wrong('parentId', 'null for the header alone', parentId)
    checkFields(given, 'at:time')
    checkFields(given, entries[type as Entry['type']])
    if (type === 'message' && (held as Fields)['id'] !== id) wrong('message.id', 'the id of its entry', (held as Fields)['id'])
    return { entry: given as Entry }
  } catch (error) {
    if (error instanceof NewerField) return { newer: error.message }
    if (error instanceof WrongField) return { wrong: error.message }
    throw error
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Fields of an object as `name:kind`. `kind[]` is a list, `kind{}` a map; `|null` may be null, `?` may be missing. */
type Shape = string

const entries: Readonly<Record<Entry['type'], Shape>> = {
  header: 'version:version session:text root:text? title:text? strings:text? from:origin?',
  message: 'message:message',
  edits: 'apply:edit[]? withdraw:texts? pin:texts? unpin:texts? hide:texts? unhide:texts? report:row[]?',
  request:
    'model:text parameters:object? tools:text? policies:texts? layers:text{}? last:text|null view:text estimate:number ledger:ledger?',
  usage: 'request:text usage:usage',
  failure: 'kind:text message:text request:text?',
  note: 'code:text text:text? data:object?',
  rewind: 'left:text',
}

const objects: Readonly<Record<string, Shape>> = {
  object: '',
  origin: 'session:text entry:text',
  message: 'id:text role:role parts:part[] at:number? summary:true?',
  blob: 'sha256:text bytes:number handle:text? form:text?',
  reference: 'line:number from:number count:number part:text shows:text',
  row: 'id:text policy:text kind:text message:text why:text cache:text part:number tokensBefore:number tokensAfter:number tool:text|null',
  ledger:
    'debts:amount{} bank:amount cacheLifetimeSeconds:amount|null untrimmed:amount? at:amount? model:text? prefix:text? summaries:texts? signedBy:text? learned:learned? expected:expected? kept:kept?',
  kept: 'balance:amount carried:amount since:amount?',
  learned: 'atLeastSeconds:amount|null atMostSeconds:amount|null zeroReads:amount',
  expected: 'gapSeconds:amount tokens:amount',
  usage: 'input:number cacheRead:number cacheWrite:number output:number',
}

/** Objects whose fields depend on a tag, with their common fields. An unknown tag comes from a newer version. */
const unions: Readonly<
  Record<string, { readonly tag: string; readonly called: string; readonly all: Shape; readonly kinds: Fields }>
> = {
  part: {
    tag: 'type',
    called: 'a part of type',
    all: 'type:text',
    kinds: {
      text: 'text:text',
      reasoning: 'text:text',
      media: 'mediaType:text',
      'tool-call': 'callId:text tool:text pending:true?',
      'tool-result': 'callId:text|null tool:text|null content:content isError:flag? status:text? blob:blob?',
    },
  },
  content: { tag: 'type', called: 'type', all: 'type:text', kinds: { text: 'text:text', json: '', list: 'items:item[]' } },
  item: { tag: 'type', called: 'type', all: 'type:text', kinds: { text: 'text:text', media: 'mediaType:text' } },
  edit: {
    tag: 'kind',
    called: 'an edit of kind',
    all: 'id:text policy:text why:text',
    kinds: {
      replace: 'message:text part:number refers:reference[]? with:part',
      fold: 'first:text last:text into:message|null',
      insert: 'after:text|null message:message',
    },
  },
}

const maxAmount = Number.MAX_SAFE_INTEGER

const values: Readonly<Record<string, readonly [expected: string, holds: (value: unknown) => boolean]>> = {
  text: ['a text', (value) => typeof value === 'string'],
  role: ['a text', (value) => typeof value === 'string'],
  texts: ['a list of texts', (value) => Array.isArray(value) && value.every((item) => typeof item === 'string')],
  // JSON has no infinity, but a number with too many digits parses as one.
  number: ['a number', Number.isFinite],
  // Sums of larger numbers could not be written any more.
  amount: [`a number up to ${maxAmount}`, (value) => typeof value === 'number' && Math.abs(value) <= maxAmount],
  version: ['a whole number from 1', (value) => Number.isSafeInteger(value) && (value as number) >= 1],
  time: ['milliseconds', (value) => Number.isSafeInteger(value) && (value as number) >= 0],
  flag: ['true or false', (value) => typeof value === 'boolean'],
  true: ['true or nothing', (value) => value === true],
}

const roles: readonly unknown[] = ['system', 'user', 'assistant', 'tool']

class WrongField extends Error {}
class NewerField extends Error {}

function wrong(name: string, expected: string, came: unknown): never {
  throw new WrongField(`${name}: expected ${expected}, got ${describeValue(came)}`)
}

function checkFields(fields: object, shape: Shape): void {
  for (const { name, kind, many, orNull, isOptional } of fieldsOf(shape)) {
    const value = (fields as Fields)[name]
    if ((value === null && orNull) || (value === undefined && isOptional)) continue
    if (many === '[]' && !(Array.isArray(value) && value.every(isRecord))) wrong(name, 'a list of objects', value)
    if (many === '[]') for (const item of value as readonly unknown[]) check(item, name, kind)
    else if (many === '{}') for (const [key, each] of Object.entries(record(value, name))) check(each, key, kind)
    else check(value, name, kind)
  }
}

const parsed = new Map<Shape, readonly ReturnType<typeof parseField>[]>()

function fieldsOf(shape: Shape) {
  let fields = parsed.get(shape)
  if (fields === undefined) {
    fields = shape === '' ? [] : shape.split(' ').map(parseField)
    parsed.set(shape, fields)
  }
  return fields
}

function parseField(field: string) {
  const [, name = '', kind = '', many, orNull, optional] = /^(\w+):(\w+)(\[\]|\{\})?(\|null)?(\?)?$/.exec(field) ?? []
  return { name, kind, many, orNull: orNull !== undefined, isOptional: optional !== undefined }
}

function check(value: unknown, name: string, kind: string): void {
  const known = values[kind]
  if (known !== undefined) {
    if (!known[1](value)) wrong(name, known[0], value)
    if (kind === 'role' && !roles.includes(value)) throw new NewerField(`${name} ${describeValue(value)}`)
    return
  }
  const fields = record(value, name)
  const union = unions[kind]
  if (union === undefined) return checkFields(fields, objects[kind] as Shape)
  checkFields(fields, union.all)
  const tag = fields[union.tag]
  if (typeof tag !== 'string' || !Object.hasOwn(union.kinds, tag)) throw new NewerField(`${union.called} ${describeValue(tag)}`)
  checkFields(fields, union.kinds[tag] as Shape)
}

function record(value: unknown, name: string): Fields {
  return isRecord(value) ? value : wrong(name, 'an object', value)
}
