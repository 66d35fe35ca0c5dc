import { hash } from 'node:crypto'
import type { Message, Part } from '@plimsoll/core'
import { type Patch, type Path, patchValue } from '@plimsoll/core/wire'
import type { Fields } from '../logs/fields.ts'
import type { LogReader, ReadSession } from '../logs/log-reader.ts'
import { planRows } from './plan-rows.ts'
import type { Repair } from './repair.ts'
import { placesById, type Row, type RowFormat, type RowPlan } from './row-format.ts'

export interface CollectedRows {
  readonly plan: RowPlan
  /** Changes to ids and references to them, in addition to the plan. */
  readonly patches: ReadonlyMap<number, readonly Patch[]>
  readonly repairs: readonly Repair[]
  /** The place of the first entry if it has to be moved to the front. */
  readonly lateHead: number | null
  /** A new first entry, for a log that has lost its own. */
  readonly newHead: Fields | null
}

/** Names from which a lost first entry is made. */
export interface LogNames {
  readonly file: string
  readonly folder: string
}

/** Collects the entries of a log and reads them with its reader; null if the caller reads the log. */
export function collectRows(format: RowFormat, reader: LogReader | null, names: LogNames) {
  const rows: Row[] = []
  const lines: number[] = []
  const dropped = new Set<number>()
  const patches = new Map<number, readonly Patch[]>()
  const repairs: Repair[] = []
  const book = createIdBook(format.newId)
  const called = new Set<string>()
  const answered = new Set<string>()
  let head = -1
  let first: Fields | null = null
  const reading = reader?.start({ skip: (line) => drop(line - 1, 'dropped-entry'), pass: () => undefined }, slimMessage)
  return { add, finish }

  function drop(row: number, kind: Repair['kind']): void {
    if (dropped.has(row)) return
    dropped.add(row)
    repairs.push({ kind, line: lines[row] ?? row + 1 })
  }

  function add(entry: Fields, text: string, line: number): void {
    const place = rows.length
    lines.push(line)
    const row = format.rowOf(entry)
    const changes: Patch[] = []
    const own = named(entry, row, text, changes)
    rows.push(own)
    if (own !== row) repairs.push({ kind: 'new-id', line })
    if (format.head?.is(entry) === true && head < 0) head = place
    if (dropped.has(place)) return
    first ??= entry
    const parent = own.parent === null ? null : book.meant(own.parent)
    if (format.parentPath !== null && parent !== own.parent && parent !== own.id) {
      changes.push({ op: 'set', path: format.parentPath, value: parent })
      rows[place] = { ...own, parent }
    }
    if (changes.length > 0) patches.set(place, changes)
    reading?.add((changes.length > 0 ? patchValue(entry, changes) : entry) as Fields, place + 1)
  }

  /** Gives a row a unique id, or drops it as a duplicate. */
  function named(entry: Fields, row: Row, text: string, changes: Patch[]): Row {
    const place = rows.length
    const paths: readonly Path[] = row.id === null ? [] : format.idPaths(entry)
    if (paths.length > 0 && row.id !== null) {
      const taken = book.take(row.id, hash('sha256', text, 'base64url'))
      if (taken === null) drop(place, 'repeated-entry')
      else if (taken !== row.id) {
        for (const path of paths) changes.push({ op: 'set', path, value: taken })
        return { ...row, id: taken }
      }
    }
    if (format.answersOnce !== true || dropped.has(place)) return row
    if (row.calls.length > 0 && row.calls.every(({ callId }) => called.has(callId))) drop(place, 'repeated-entry')
    if (row.results.length > 0 && row.results.every(({ callId }) => callId !== null && answered.has(callId)))
      drop(place, 'doubled-result')
    for (const { callId } of row.calls) called.add(callId)
    for (const { callId } of row.results) if (callId !== null) answered.add(callId)
    return row
  }

  function finish(sessions: readonly ReadSession[] = reading?.finish() ?? []): CollectedRows {
    const places = placesById(rows, dropped)
    const plan = planRows({
      rows,
      dropped,
      conversations: sessions.map(({ messages }) => messages),
      rowOf: (message) => rowOfMessage(message, places, rows.length),
      form: format.form,
      newId: format.newId,
    })
    const isLost = format.head !== undefined && (head < 0 || dropped.has(head)) && first !== null
    const newHead = isLost ? (format.head?.make(first as Fields, names) ?? null) : null
    const firstKept = rows.findIndex((_, row) => !dropped.has(row))
    const lateHead = head > 0 && firstKept < head && !dropped.has(head) ? head : null
    const lineOf = (row: number) => lines[row] ?? row + 1
    for (const { kind, row, to, tool } of plan.repairs) {
      const target = to === undefined ? {} : { to: to === null ? null : lineOf(to) }
      repairs.push({ kind, line: lineOf(row), ...target, ...(tool === undefined ? {} : { tool }) })
    }
    if (newHead !== null) repairs.push({ kind: 'new-head', line: 1 })
    if (lateHead !== null) repairs.push({ kind: 'moved-head', line: lineOf(lateHead) })
    return { plan, patches, repairs, lateHead, newHead }
  }
}

/** The entry of a message. Readers build message ids from the entry's id or line, and number several from one entry. */
function rowOfMessage(message: string, places: ReadonlyMap<string, number>, length: number): number | undefined {
  for (const name of [message, message.replace(/~\d+$/, ''), message.replace(/\.[\d.]{1,60}(?:~\d{1,9})?$/, '')]) {
    const row = places.get(name)
    if (row !== undefined) return row
    const line = /^line-(\d+)$/.exec(name)?.[1]
    if (line !== undefined && Number(line) <= length) return Number(line) - 1
  }
  return undefined
}

/** Strips a message to its ids, to keep the text of long logs out of memory. */
export function slimMessage(message: Message): Message {
  return { ...message, parts: message.parts.map(slimPart) }
}

function slimPart(part: Part): Part {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: '-' }
    case 'reasoning':
      return { type: 'reasoning', text: '-' }
    case 'media':
      return { type: 'media', mediaType: 'vendor/slim', data: null }
    case 'tool-call': {
      const { callId, tool, pending } = part
      return { type: 'tool-call', callId, tool, input: null, ...(pending === true ? { pending } : {}) }
    }
    case 'tool-result':
      return { type: 'tool-result', callId: part.callId, tool: part.tool, content: { type: 'text', text: '' } }
  }
}

function createIdBook(newId: (about: string) => string) {
  const taken = new Map<string, Set<string>>()
  const renamed = new Map<string, string>()
  return {
    /** Returns the id to store an entry under: a new one if another entry has its id, null if the entry is a duplicate. */
    take(id: string, fingerprint: string): string | null {
      const known = taken.get(id)
      if (known === undefined) {
        taken.set(id, new Set([fingerprint]))
        return id
      }
      if (known.has(fingerprint)) return null
      known.add(fingerprint)
      let free = newId(`${id} ${known.size}`)
      for (let number = 2; taken.has(free); number += 1) free = newId(`${id} ${known.size} ${number}`)
      taken.set(free, new Set([fingerprint]))
      renamed.set(id, free)
      return free
    },
    /** The id that later references to this one mean. */
    meant: (id: string) => renamed.get(id) ?? id,
  }
}
