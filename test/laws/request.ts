import type { Message, Report } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'

/** The messages of one request before and after the engine. */
export interface ShownRequest {
  /** The full history, as passed by the caller. */
  readonly originals: readonly Message[]
  /** The messages as the model sees them. */
  readonly view: readonly Message[]
  readonly report: ShownReport
  /** How the report names a part of an original message. */
  readonly place: (message: number, part: number) => Place
}

/** The place of an edit in a report. */
export interface Place {
  readonly message: string
  readonly part: number
}

/** A report, with the fields that only newer engines have. */
export type ShownReport = Pick<Report, 'edits' | 'waiting'> & {
  /** Edits that were active at the last request but no longer are. */
  readonly withdrawn?: readonly ReportedEdit[]
  readonly rewrite?: { readonly reason: string; readonly tokens: number } | null
}

/** The bytes of a message as far as a provider reads them. */
function bytesOf({ role, parts, summary }: Message): string {
  return JSON.stringify([role, summary === true, parts.map(({ ...part }) => ({ ...part, metadata: undefined, blob: undefined }))])
}

const known = new WeakMap<Message, string>()

/** `bytesOf`, computed once for each message. */
export function rememberedBytes(message: Message): string {
  const bytes = known.get(message) ?? bytesOf(message)
  known.set(message, bytes)
  return bytes
}

/** Whether two messages have the same bytes. */
export function isSame(one: Message | undefined, other: Message | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return one === other || one.parts === other.parts || rememberedBytes(one) === rememberedBytes(other)
}

/** How many messages two lists have in common at their start. */
export function commonStart(one: readonly Message[], other: readonly Message[]): number {
  let length = 0
  while (length < one.length && isSame(one[length], other[length])) length += 1
  return length
}

/**
 * For each message of a view, the place of the original it shows, or null if the engine put it in. Ids name the same message on both
 * sides in a conversation without a codec; with one, they are only places in a list, so messages are matched by what no edit changes.
 */
export function originsOf(
  originals: readonly Message[],
  view: readonly Message[],
  by: 'id' | 'content',
): readonly (number | null)[] {
  if (by === 'id') {
    const places = new Map(originals.map(({ id }, index) => [id, index]))
    return view.map(({ id }) => places.get(id) ?? null)
  }
  const places = new Map<string, number[]>()
  for (const [index, message] of originals.entries()) {
    const key = keyOf(message)
    const list = places.get(key)
    if (list === undefined) places.set(key, [index])
    else list.push(index)
  }
  let next = 0
  return view.map((message) => {
    const list = places.get(keyOf(message)) ?? []
    const found = list.find((index) => index >= next)
    if (found === undefined) return null
    next = found + 1
    return found
  })
}

const keys = new WeakMap<Message, string>()

/** The parts of a message that no edit changes: its role, its calls, the call it answers. */
function keyOf(message: Message): string {
  const remembered = keys.get(message)
  if (remembered !== undefined) return remembered
  const parts = message.parts.map((part) => {
    if (part.type === 'tool-call' || part.type === 'tool-result') return `${part.type} ${part.callId}`
    return part.type === 'text' && message.role !== 'assistant' ? part.text : part.type
  })
  const key = JSON.stringify([message.role, ...parts.filter((part) => part !== 'reasoning')])
  keys.set(message, key)
  return key
}
