import type { WindowCategory } from '@plimsoll/core/bill'
import type { Role } from '@plimsoll/core/wire'
import type { Inspection, MessageTable } from '../../../../node/src/shared/inspection/inspection.ts'
import { firstPlace } from '../../parts/first-place.ts'

/** States that messages can be chosen by. */
export const messageStates = ['edited', 'folded', 'pinned', 'left-out', 'whole'] as const

export type MessageState = (typeof messageStates)[number]

/** Which messages are listed, and in which order. Null: any. */
export interface MessageFilter {
  readonly role: Role | null
  readonly category: WindowCategory | null
  readonly tool: string | null
  readonly state: MessageState | null
  readonly order: 'written' | 'largest'
}

export const everyMessage: MessageFilter = { role: null, category: null, tool: null, state: null, order: 'written' }

/** The numbers of the messages that a filter lets through, in its order. */
export function filterMessages(
  table: MessageTable,
  marks: MessageMarks,
  filter: MessageFilter,
  /** Only these, if something was searched for. */
  hits: readonly number[] | null = null,
): Uint32Array {
  const { role, category, state } = filter
  const tool = filter.tool === null ? null : table.toolNames.indexOf(filter.tool)
  // -1 is what messages without a tool have.
  if (tool === -1) return new Uint32Array(0)
  const chosen = new Uint32Array(table.ids.length)
  let count = 0
  for (const number of hits ?? table.ids.keys()) {
    if (role !== null && table.roles[number] !== role) continue
    if (category !== null && table.categories[number] !== category) continue
    if (tool !== null && table.tools[number] !== tool) continue
    if (state !== null && !marks[state](number)) continue
    chosen[count] = number
    count += 1
  }
  const listed = chosen.subarray(0, count)
  return filter.order === 'largest' ? largestFirst(listed, table.tokens) : listed
}

/** Whether a filter lets everything through. */
export function isEveryMessage({ role, category, tool, state }: MessageFilter): boolean {
  return role === null && category === null && tool === null && state === null
}

/** The place of a message's number in a list, or -1. */
export function placeOf(listed: Uint32Array, number: number, { order }: MessageFilter): number {
  if (order === 'largest') return listed.indexOf(number)
  const place = firstPlace(listed.length, (index) => (listed[index] as number) < number)
  return listed[place] === number ? place : -1
}

/** Numbers sort ten times as fast without a function to compare them, so size and place become one number each. */
function largestFirst(listed: Uint32Array, tokens: readonly number[]): Uint32Array {
  const places = 2 ** 22
  const keys = Float64Array.from(listed, (number) => (2 ** 30 - Math.min(tokens[number] as number, 2 ** 30)) * places + number)
  return Uint32Array.from(keys.sort(), (key) => key % places)
}

/** Whether a message, by its number, is in a state. */
export type MessageMarks = Readonly<Record<MessageState, (number: number) => boolean>>

/** The states of each message of a session, computed once. */
export function messageMarks({ messages, edits, session, requests }: Inspection): MessageMarks {
  const edited = new Uint8Array(messages.ids.length)
  const foldsBegin = new Int32Array(messages.ids.length + 1)
  for (const { state, kind, number, lastNumber } of edits) {
    if (state !== 'in-force' || !(number >= 0 && number < messages.ids.length)) continue
    if (kind === 'replace') edited[number] = 1
    else if (kind === 'fold' && lastNumber >= number) {
      foldsBegin[number] = (foldsBegin[number] as number) + 1
      const behind = Math.min(lastNumber + 1, messages.ids.length)
      foldsBegin[behind] = (foldsBegin[behind] as number) - 1
    }
  }
  const folded = new Uint8Array(messages.ids.length)
  let open = 0
  for (let number = 0; number < messages.ids.length; number += 1) {
    open += foldsBegin[number] as number
    if (open > 0) folded[number] = 1
  }
  const pins = new Set(session.pins)
  // A message after the last request was not omitted by it.
  const sent = requests.at(-1)?.last ?? -1
  const isLeftOut = (number: number) => number <= sent && messages.shown[number] === 0 && (messages.tokens[number] as number) > 0
  return {
    edited: (number) => edited[number] === 1,
    /** A summary replaces it. */
    folded: (number) => folded[number] === 1,
    pinned: (number) => pins.size > 0 && pins.has(messages.ids[number] as string),
    /** The last request went without it. */
    'left-out': isLeftOut,
    whole: (number) => edited[number] !== 1 && folded[number] !== 1 && !isLeftOut(number),
  }
}
