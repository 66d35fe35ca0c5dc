import { applyEdits, type Edit, type Message } from '@plimsoll/core'
import { isPlainPath, type Patch, patchText, type Reading } from '@plimsoll/core/wire'
import type { Splice } from '../planner.ts'
import type { BodyField, ByteSpan, ReadBody } from './read-body.ts'

interface SpliceInput {
  readonly body: ReadBody
  readonly reading: Reading
  /** The messages of the reading with other ids, one for one. */
  readonly messages: readonly Message[]
  readonly edits: readonly Edit[]
  readonly patches: readonly Patch[]
}

/** The bytes of a request that change with these edits; null if there is any doubt which ones. */
export function spliceView({ body, reading, messages, edits, patches }: SpliceInput): readonly Splice[] | null {
  if (edits.length === 0 && patches.length === 0) return []
  try {
    const view = applyEdits(messages, edits)
    return spliceBody(body, [...reading.patches(asRead(reading, messages, view)), ...patches])
  } catch {
    return null
  }
}

/** Drops the edits that cannot be placed, and counts them: the others may have been sent before and have to hold. */
export function spliceableEdits(request: Omit<SpliceInput, 'edits' | 'patches'>, edits: readonly Edit[]) {
  const splicesOf = (some: readonly Edit[]) => spliceView({ ...request, edits: some, patches: [] })
  const splices = splicesOf(edits)
  if (splices !== null) return { edits, splices, dropped: 0 }
  const possible = edits.filter((edit) => splicesOf([edit]) !== null)
  return { edits: possible, splices: splicesOf(possible), dropped: edits.length - possible.length }
}

function asRead(reading: Reading, messages: readonly Message[], view: readonly Message[]): readonly Message[] {
  return reading.messages.map((message, index) => {
    const shown = view[index]
    return shown === undefined || shown === messages[index] || shown.parts === messages[index]?.parts
      ? message
      : withParts(message, shown)
  })
}

const read = new WeakMap<Message, { readonly shown: Message; readonly made: Message }>()

function withParts(message: Message, shown: Message): Message {
  const known = read.get(message)
  if (known?.shown === shown) return known.made
  const made = { ...message, parts: shown.parts }
  read.set(message, { shown, made })
  return made
}

/** The ranges of a body's bytes that change with these patches: every other byte stays. Null if there is any doubt about a place. */
export function spliceBody(body: ReadBody, patches: readonly Patch[]): readonly Splice[] | null {
  if (patches.length > 0 && body.hasTwins) return null
  const groups = new Map<string | number, Group>()
  for (const patch of patches) {
    const group = groupOf(body, patch)
    if (group === null) return null
    const known = groups.get(group.name)
    if (known === undefined) groups.set(group.name, group)
    else if (known.kind === 'inside' && group.kind === 'inside') known.patches.push(...group.patches)
    else return null
  }
  const splices: Splice[] = []
  for (const group of groups.values()) {
    const splice = group.kind === 'field' ? removal(body, group.field) : spliceInside(body, group)
    if (splice === null) return null
    splices.push(splice)
  }
  return splices.sort((one, other) => one.start - other.start)
}

/** Patches inside one message or one other field; or a field that is removed. Messages are named by their numbers. */
type Group =
  | {
      readonly kind: 'inside'
      readonly name: string | number
      readonly span: ByteSpan
      readonly value: unknown
      readonly patches: Patch[]
    }
  | { readonly kind: 'field'; readonly name: string; readonly field: BodyField }

function groupOf(body: ReadBody, patch: Patch): Group | null {
  const [name, index] = patch.path
  const { list } = body
  if (list !== null && list.name === name && patch.path.length > 1) {
    const span = typeof index === 'number' ? list.spans[index] : undefined
    // Messages are neither added nor removed.
    if (span === undefined || patch.path.length < 3) return null
    return { name: index as number, kind: 'inside', span, value: list.values[index as number], patches: [patch] }
  }
  const field = body.fields.find((each) => each.name === name)
  if (field === undefined) return null
  if (patch.path.length === 1) return patch.op === 'remove' ? { name: field.name, kind: 'field', field } : null
  return { name: field.name, kind: 'inside', span: field, value: null, patches: [patch] }
}

/** A message that is the same object has the same bytes, so that the same patches give the same ones. */
const written = new WeakMap<object, { readonly patches: readonly Patch[]; readonly bytes: Uint8Array }>()

function spliceInside({ bytes }: ReadBody, group: Extract<Group, { readonly kind: 'inside' }>): Splice | null {
  const { value, patches } = group
  const { start, end } = group.span
  const key = typeof value === 'object' ? value : null
  const known = key === null ? undefined : written.get(key)
  if (known !== undefined && isSameList(known.patches, patches)) return { start, end, bytes: known.bytes }
  const text = bytes.toString('utf8', start, end)
  const depth = typeof group.name === 'number' ? 2 : 1
  const inside = patches.map((patch) => ({ ...patch, path: patch.path.slice(depth) }))
  if (!inside.every(({ path }) => isPlainPath(text, path))) return null
  try {
    const made = new TextEncoder().encode(patchText(text, inside))
    if (key !== null) written.set(key, { patches, bytes: made })
    return { start, end, bytes: made }
  } catch {
    return null
  }
}

function isSameList(one: readonly Patch[], other: readonly Patch[]): boolean {
  return one.length === other.length && one.every((patch, index) => patch === other[index])
}

function removal({ fields }: ReadBody, field: BodyField): Splice {
  const place = fields.indexOf(field)
  const next = fields[place + 1]
  const before = fields[place - 1]
  const start = next === undefined && before !== undefined ? before.end : field.nameStart
  return { start, end: next?.nameStart ?? field.end, bytes: new Uint8Array(0) }
}
