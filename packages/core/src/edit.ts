import {
  changedPlaces,
  type Earlier,
  eachRun,
  perChange,
  perFew,
  perItem,
  perList,
  perPair,
  rememberChanges,
  unchanging,
} from './derive.ts'
import type { Message, Part } from './message.ts'

/** A decision about the view. An edit names messages and cannot reorder them; only pair repair and `fit-window` may remove one or show it elsewhere. */
export type Edit = ReplaceEdit | FoldEdit | InsertEdit

interface EditBase {
  readonly id: string
  readonly policy: string
  /** One sentence for the user. */
  readonly why: string
}

/** Shows another part instead of one part of a message. */
export interface ReplaceEdit extends EditBase {
  readonly kind: 'replace'
  readonly message: string
  readonly part: number
  readonly with: Part
  /** Lines of its text that say other lines are shown elsewhere. The engine keeps them true. Default: none. */
  readonly refers?: readonly Reference[]
}

/** A line of an edit that says other lines are shown elsewhere in the same view. */
export interface Reference {
  /** The line of the edit's text, counted from 0. */
  readonly line: number
  /** The part that shows the lines, as `message.part`: one before the edit, or the edit's own further up. */
  readonly part: string
  /** Where the lines started there when the reference was made, counted from 0. */
  readonly from: number
  readonly count: number
  /** The handle of the lines without their line numbers. */
  readonly shows: string
}

/** Shows one message, or none, instead of a run of messages. */
export interface FoldEdit extends EditBase {
  readonly kind: 'fold'
  readonly first: string
  readonly last: string
  /** Null removes: only for pair repair and `fit-window`. */
  readonly into: Message | null
}

/** Shows one more message after another one. */
export interface InsertEdit extends EditBase {
  readonly kind: 'insert'
  /** Null puts it before the first message. */
  readonly after: string | null
  readonly message: Message
}

export function replaceEdit(policy: string, message: string, part: number, shown: Part, why: string): ReplaceEdit {
  return { id: `${policy}:${message}.${part}`, policy, kind: 'replace', message, part, with: shown, why }
}

export function isReplacement(edit: Edit): edit is ReplaceEdit {
  return edit.kind === 'replace'
}

/** The same list if it has nothing else. */
export function replacementsIn(edits: readonly Edit[]): readonly ReplaceEdit[] {
  return structuralIn(edits).length === 0 ? (edits as readonly ReplaceEdit[]) : edits.filter(isReplacement)
}

/** The edits that add and remove messages: in most lists, none. */
export const structuralIn = perFew((edit: Edit): edit is FoldEdit | InsertEdit => edit.kind !== 'replace')

export function placeOf(edit: Edit): string | null {
  switch (edit.kind) {
    case 'replace':
      return edit.message
    case 'fold':
      return edit.first
    case 'insert':
      return edit.after
  }
}

/** Applies edits in order. Untouched messages keep their identity; no edits return the same array. Throws if a message or part is missing. */
export function applyEdits(messages: readonly Message[], edits: readonly Edit[]): readonly Message[] {
  const edited = editedMessages(messages, edits)
  return edited === messages ? messages : edited.slice()
}

/** The same for the engine. The list is remembered, so nobody may change it. */
export function editedMessages(messages: readonly Message[], edits: readonly Edit[]): readonly Message[] {
  if (structuralIn(edits).length === 0 && edits.length > 0)
    return applyReplacements(messages, edits as readonly ReplaceEdit[]).result
  let current = messages
  for (let start = 0; start < edits.length; ) {
    const replacing = edits[start]?.kind === 'replace'
    let end = start
    while (end < edits.length && (edits[end]?.kind === 'replace') === replacing) end += 1
    const run = edits.slice(start, end)
    current = replacing
      ? applyReplacements(current, run as readonly ReplaceEdit[]).result
      : applyStructural(current, run as readonly (FoldEdit | InsertEdit)[])
    start = end
  }
  return current
}

/** Finds messages by id. Edits mostly come in message order, so the next few messages are tried before an index is built. */
export function createLocator(messages: readonly Message[]): (id: string, from: number) => number {
  let places: Places | undefined
  return (id, from) => {
    const near = Math.min(messages.length, from + (places === undefined ? 200 : 4))
    for (let index = from; index < near; index += 1) if (messages[index]?.id === id) return index
    places ??= placesOf(messages)
    return places.get(id) ?? -1
  }
}

/** The index of each message of a list, by id. */
export interface Places {
  readonly get: (id: string) => number | undefined
  /** Whether two messages have the same id: the later one counts. */
  readonly hasDoubles: boolean
}

export const placesOf = perList({
  start: () => ({ places: new Map<string, number>(), length: 0 }),
  add(state, { id }: Message, index) {
    state.places.set(id, index)
    state.length = index + 1
  },
  change: (_state, _index, was, is) => was.id === is.id,
  // The map continues to grow with the conversation.
  finish: ({ places, length }): Places => ({
    get: (id) => {
      const place = places.get(id) ?? length
      return place < length ? place : undefined
    },
    hasDoubles: places.size < length,
  }),
})()

export type MessagesAndEdits = readonly [messages: readonly Message[], edits: readonly ReplaceEdit[]]

interface Replaced {
  readonly result: readonly Message[]
  readonly places: Int32Array
}

const applyReplacements = perChange(function replaceParts(
  [messages, edits]: MessagesAndEdits,
  earlier: Earlier<MessagesAndEdits, Replaced> | null,
): Replaced {
  const locate = createLocator(messages)
  const { places, isChanged } = placeEdits(messages, edits, earlier, (edit, from) => {
    const index = locate(edit.message, from)
    if (index < 0) throw new Error(missing(edit, edit.message))
    return index
  })
  const before = earlier?.answer.result ?? []
  const isNew = before.length === 0 || before.length > messages.length
  const result = isNew ? messages.slice() : before.concat(messages.slice(before.length))
  for (let index = isNew ? -1 : isChanged.indexOf(1); index >= 0; index = isChanged.indexOf(1, index + 1))
    result[index] = messages[index] as Message
  for (let at = 0; at < edits.length; at += 1) {
    const index = places[at] as number
    if (isChanged[index] === 0) continue
    let edit = edits[at] as ReplaceEdit
    let chain: EditChain | null = null
    // Many edits of one message copy its parts once. A few are applied one by one: those of two policies give the same message together and in turn.
    if (edits[at + maxCopies]?.message === edit.message)
      for (; edits[at + 1]?.message === edit.message; edit = edits[at] as ReplaceEdit) {
        chain = chainOf(edit, chain)
        at += 1
      }
    result[index] = withReplacement(edit, result[index] as Message, chain)
  }
  unchanging(result, 'own')
  if (!isNew) {
    const changes: number[] = []
    for (let index = isChanged.lastIndexOf(1); index >= 0; index = index === 0 ? -1 : isChanged.lastIndexOf(1, index - 1))
      if (index < before.length && result[index] !== before[index]) changes.push(index)
    rememberChanges(result, before, changes)
  }
  return { result, places }
})()

/** Where edits of parts belong in a list of messages. */
export interface PlacedEdits {
  /** The index of each edit's message; -1 for none. */
  readonly places: Int32Array
  /** By message: 0 if it is the same as earlier, with the same edits. */
  readonly isChanged: Uint8Array
}

/** Finds the messages of edits. What an earlier list of edits has in common with this one is not looked up again. */
export function placeEdits(
  messages: readonly Message[],
  edits: readonly ReplaceEdit[],
  earlier: Earlier<MessagesAndEdits, Pick<PlacedEdits, 'places'>> | null,
  locate: (edit: ReplaceEdit, from: number) => number,
): PlacedEdits {
  const [messagesBefore, editsBefore] = earlier?.lists ?? [[], []]
  const known = earlier?.answer.places ?? new Int32Array(0)
  const places = new Int32Array(edits.length)
  const isChanged = new Uint8Array(messages.length)
  const changes = changedPlaces(messages, messagesBefore)
  isChanged.fill(1, changes === null ? 0 : messagesBefore.length)
  for (const index of changes ?? []) isChanged[index] = 1
  const isOther = isChanged.slice()
  // Writing beyond its end does nothing.
  const mark = (index: number) => {
    if (index >= 0) isChanged[index] = 1
  }
  const areAllThere = changes?.length === 0 && !known.includes(-1)
  let from = 0
  const lookUp = (at: number) => {
    const index = locate(edits[at] as ReplaceEdit, from)
    mark(index)
    places[at] = index
    if (index >= 0) from = index
  }
  eachRun(edits, editsBefore, {
    gone: (before) => mark(known[before] as number),
    added: lookUp,
    kept(start, before, count) {
      places.set(known.subarray(before, before + count), start)
      const end = start + count
      if (!areAllThere)
        for (let at = start; at < end; at += 1) {
          if (isOther[places[at] as number] === 0) from = places[at] as number
          else lookUp(at)
        }
      from = Math.max(0, places[end - 1] as number)
    },
  })
  return { places, isChanged }
}

const maxCopies = 8

interface EditChain {
  readonly edit: ReplaceEdit
  readonly earlier: EditChain | null
}

const chainOf = perPair((edit: ReplaceEdit, earlier: EditChain | null): EditChain => ({ edit, earlier }))

/** The same edit gives the same object at every request, so that what is remembered about the object (tokens, errors) stays valid. */
const withReplacement = perPair((last: ReplaceEdit, message: Message, earlier: EditChain | null): Message => {
  const parts = message.parts.slice()
  const edits = [last]
  for (let chain = earlier; chain !== null; chain = chain.earlier) edits.push(chain.edit)
  for (const { policy, id, part, with: shown } of edits.reverse()) {
    if (parts[part] === undefined)
      throw new Error(`${policy}: edit ${id} names part ${part} of message ${message.id}, which has ${parts.length} parts`)
    parts[part] = shown
  }
  return { ...message, parts }
})

interface Link {
  readonly message: Message
  next: Link | null
  before: Link | null
}

function applyStructural(messages: readonly Message[], edits: readonly (FoldEdit | InsertEdit)[]): readonly Message[] {
  const head: Link = { message: { id: '', role: 'system', parts: [] }, next: null, before: null }
  const links = new Map<string, Link>()
  let tail = head
  for (const message of messages) tail = linkAfter(tail, message, links)
  for (const edit of edits) {
    if (edit.kind === 'insert') linkAfter(edit.after === null ? head : find(links, edit.after, edit), edit.message, links)
    else fold(edit, links)
  }
  const result: Message[] = []
  for (let link = head.next; link !== null; link = link.next) result.push(link.message)
  return result
}

function linkAfter(before: Link, message: Message, links: Map<string, Link>): Link {
  const link: Link = { message, next: before.next, before }
  if (before.next !== null) before.next.before = link
  before.next = link
  links.set(message.id, link)
  return link
}

function fold(edit: FoldEdit, links: Map<string, Link>): void {
  const first = find(links, edit.first, edit)
  const last = find(links, edit.last, edit)
  for (let link = first; link !== last; ) {
    links.delete(link.message.id)
    if (link.next === null)
      throw new Error(`${edit.policy}: fold ${edit.id} ends at message ${edit.last}, before its start ${edit.first}`)
    link = link.next
  }
  links.delete(last.message.id)
  const before = first.before as Link
  before.next = last.next
  if (last.next !== null) last.next.before = before
  if (edit.into !== null) linkAfter(before, edit.into, links)
}

function find(links: ReadonlyMap<string, Link>, id: string, edit: Edit): Link {
  const link = links.get(id)
  if (link === undefined) throw new Error(missing(edit, id))
  return link
}

function missing(edit: Edit, id: string): string {
  return `${edit.policy}: edit ${edit.id} names message ${JSON.stringify(id)}, which is not in the conversation`
}

/** The part that an edit replaces, as `message.part`. Built once per edit. */
export const partKey = perItem(({ message, part }: ReplaceEdit) => `${message}.${part}`)()

/** Whether two edits have the same content, ignoring name and reason, as after one was read back from a file. Remembered per pair. */
export function isSameDecision(one: Edit, other: Edit): boolean {
  return one === other || hasSameContent(one, other)
}

/** Whether two replacements show the same part. Remembered per pair. */
export function isSamePart(one: ReplaceEdit, other: ReplaceEdit): boolean {
  return one.with === other.with || showsTheSame(one, other)
}

const hasSameContent = perPair((one: Edit, other: Edit) => content(one) === content(other))

const showsTheSame = perPair((one: ReplaceEdit, other: ReplaceEdit) => JSON.stringify(one.with) === JSON.stringify(other.with))

function content(edit: Edit): string {
  const { id: _id, why: _why, ...rest } = edit
  return JSON.stringify(rest)
}
