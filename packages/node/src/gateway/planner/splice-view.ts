import { applyEdits, type Edit, type Message } from '@plimsoll/core'
import { type Holder, isPlainPath, type Patch, patchText, type Reading } from '@plimsoll/core/wire'
import type { Splice } from '../planner.ts'
import { placesIn } from './decisions.ts'
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
    const groups = patches.length === 0 ? groupEdits({ body, reading, messages, edits }) : null
    if (groups !== null) return spliceGroups(body, groups)
    const view = applyEdits(messages, edits)
    return spliceBody(body, [...reading.patches(asRead(reading, messages, view)), ...patches])
  } catch {
    return null
  }
}

/** The edits of the messages that one object of the request's list holds; a client may put several results into one. */
interface EditGroup {
  readonly holder: Holder
  /** Of one of its messages. */
  readonly place: number
  readonly edits: Edit[]
}

interface EditGroups {
  readonly groups: Iterable<EditGroup>
  readonly patches: (group: EditGroup) => readonly Patch[]
}

/** Null if an edit is about something else than a message of the list. */
function groupEdits({ body, reading, messages, edits }: Omit<SpliceInput, 'patches'>): EditGroups | null {
  const { holders, patchesIn } = reading
  if (body.list === null || body.hasTwins || holders === undefined || patchesIn === undefined) return null
  const places = placesIn(messages)
  const groups = new Map<Holder, EditGroup>()
  for (const edit of edits) {
    const place = edit.kind === 'replace' ? places.get(edit.message) : undefined
    const holder = place === undefined ? undefined : holders[place]
    if (place === undefined || holder === undefined || holder.index < 0) return null
    const known = groups.get(holder)
    if (known !== undefined) known.edits.push(edit)
    else groups.set(holder, { holder, place, edits: [edit] })
  }
  return {
    groups: groups.values(),
    patches: (group) => patchesIn(group.holder, applyEdits(heldBy(group.holder, group.place, holders, messages), group.edits)),
  }
}

/** The messages of a holder, of which one is in this place. */
function heldBy(holder: Holder, place: number, holders: readonly Holder[], messages: readonly Message[]): readonly Message[] {
  let first = place
  while (holders[first - 1] === holder) first -= 1
  let end = place + 1
  while (holders[end] === holder) end += 1
  return messages.slice(first, end)
}

/** The last splices of a holder. The same object has the same bytes, so that the same edits give the same ones in the same place. */
const placed = new WeakMap<
  Holder,
  { readonly edits: readonly Edit[]; readonly spans: readonly ByteSpan[]; readonly splices: readonly Splice[] }
>()

/** Works out only what no earlier request had. */
function spliceGroups(body: ReadBody, { groups, patches }: EditGroups): readonly Splice[] | null {
  const all: Splice[] = []
  for (const group of groups) {
    const { holder, edits } = group
    const known = placed.get(holder)
    let splices = known !== undefined && isSameList(known.edits, edits) && isAt(body, holder, known.spans) ? known.splices : null
    if (splices === null) {
      splices = spliceBody(body, patches(group))
      if (splices === null) return null
      placed.set(holder, { edits, spans: spansOf(body, holder), splices })
    }
    for (const splice of splices) all.push(splice)
  }
  return all.sort((one, other) => one.start - other.start)
}

function spansOf({ list }: ReadBody, { index, entries }: Holder): readonly ByteSpan[] {
  return list?.spans.slice(index, index + entries.length) ?? []
}

function isAt({ list }: ReadBody, { index }: Holder, spans: readonly ByteSpan[]): boolean {
  for (let offset = 0; offset < spans.length; offset += 1) {
    const [known, span] = [spans[offset] as ByteSpan, list?.spans[index + offset]]
    // While a conversation continues, they are the same objects.
    if (span === undefined || (span !== known && (span.start !== known.start || span.end !== known.end))) return false
  }
  return true
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
      : { ...message, parts: shown.parts }
  })
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
    return { name: index as number, kind: 'inside', span, patches: [patch] }
  }
  const field = body.fields.find((each) => each.name === name)
  if (field === undefined) return null
  if (patch.path.length === 1) return patch.op === 'remove' ? { name: field.name, kind: 'field', field } : null
  return { name: field.name, kind: 'inside', span: field, patches: [patch] }
}

function spliceInside({ bytes }: ReadBody, group: Extract<Group, { readonly kind: 'inside' }>): Splice | null {
  const { start, end } = group.span
  const text = bytes.toString('utf8', start, end)
  const depth = typeof group.name === 'number' ? 2 : 1
  const inside = group.patches.map((patch) => ({ ...patch, path: patch.path.slice(depth) }))
  if (!inside.every(({ path }) => isPlainPath(text, path))) return null
  try {
    return { start, end, bytes: new TextEncoder().encode(patchText(text, inside)) }
  } catch {
    return null
  }
}

function isSameList(one: readonly Edit[], other: readonly Edit[]): boolean {
  return one.length === other.length && one.every((edit, index) => edit === other[index])
}

function removal({ fields }: ReadBody, field: BodyField): Splice {
  const place = fields.indexOf(field)
  const next = fields[place + 1]
  const before = fields[place - 1]
  const start = next === undefined && before !== undefined ? before.end : field.nameStart
  return { start, end: next?.nameStart ?? field.end, bytes: new Uint8Array(0) }
}
