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
    const parts = view[index]?.parts ?? message.parts
    return parts === messages[index]?.parts ? message : { ...message, parts }
  })
}

/** The ranges of a body's bytes that change with these patches: every other byte stays. Null if there is any doubt about a place. */
export function spliceBody(body: ReadBody, patches: readonly Patch[]): readonly Splice[] | null {
  if (patches.length > 0 && body.hasTwins) return null
  const groups = new Map<string, Group>()
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
    const splice = group.kind === 'field' ? removal(body, group.field) : spliceInside(body, group.span, group.patches)
    if (splice === null) return null
    splices.push(splice)
  }
  return splices.sort((one, other) => one.start - other.start)
}

/** Patches inside one message or one other field; or a field that is removed. */
type Group = { readonly name: string } & (
  | { readonly kind: 'inside'; readonly span: ByteSpan; readonly patches: Patch[] }
  | { readonly kind: 'field'; readonly field: BodyField }
)

function groupOf(body: ReadBody, patch: Patch): Group | null {
  const [name, index] = patch.path
  const field = body.fields.find((each) => each.name === name)
  if (field === undefined) return null
  if (patch.path.length === 1) return patch.op === 'remove' ? { name: field.name, kind: 'field', field } : null
  if (body.list?.name !== field.name)
    return { name: field.name, kind: 'inside', span: field, patches: [{ ...patch, path: patch.path.slice(1) }] }
  const span = typeof index === 'number' ? body.list.spans[index] : undefined
  // Messages are neither added nor removed.
  if (span === undefined || patch.path.length < 3) return null
  return { name: `${field.name}.${index}`, kind: 'inside', span, patches: [{ ...patch, path: patch.path.slice(2) }] }
}

function spliceInside({ bytes }: ReadBody, { start, end }: ByteSpan, patches: readonly Patch[]): Splice | null {
  const text = bytes.toString('utf8', start, end)
  if (!patches.every(({ path }) => isPlainPath(text, path))) return null
  try {
    return { start, end, bytes: new TextEncoder().encode(patchText(text, patches)) }
  } catch {
    return null
  }
}

function removal({ fields }: ReadBody, field: BodyField): Splice {
  const place = fields.indexOf(field)
  const next = fields[place + 1]
  const before = fields[place - 1]
  const start = next === undefined && before !== undefined ? before.end : field.nameStart
  return { start, end: next?.nameStart ?? field.end, bytes: new Uint8Array(0) }
}
