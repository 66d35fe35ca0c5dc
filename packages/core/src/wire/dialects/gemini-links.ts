import { handleOf } from '../../text/hash.ts'
import { jsonText } from '../../text/json-text.ts'
import type { RawMessage } from '../dialect.ts'
import { textField } from '../message-fields.ts'
import { objectIn } from './gemini-fields.ts'

/**
 * Says for each content which call every call and answer of it is about, as a list in JSON with null for other parts; null where it has
 * neither. A call without an id gets one of our own, made of what it asks for, which is never written. An answer without one, or with
 * one that no call has, belongs to the nearest call of its name that nobody answered yet, in the order of the calls.
 */
export function linkContents(): (raw: RawMessage) => string | null {
  const asked = new Map<string, OpenCall>()
  const turns = new Map<string, Turn[]>()
  const made = new Map<string, number>()

  return (raw) => {
    const parts: readonly unknown[] = Array.isArray(raw['parts']) ? raw['parts'] : []
    if (raw['role'] === 'model') return linkOf(parts, 'functionCall', createAsking())
    return linkOf(parts, 'functionResponse', answer)
  }

  function createAsking(): (call: RawMessage) => string {
    const here = new Map<string, Turn>()
    return (call) => {
      const name = nameOf(call)
      const given = textField(call, 'id')
      const open: OpenCall = { id: given ?? ownId(call), isOwn: given === null, isAnswered: false }
      if (given !== null) asked.set(given, open)
      const turn = here.get(name)
      if (turn !== undefined) turn.calls.push(open)
      else {
        const first: Turn = { calls: [open], next: 0, nextOwn: 0 }
        here.set(name, first)
        const known = turns.get(name)
        if (known === undefined) turns.set(name, [first])
        else known.push(first)
      }
      return open.id
    }
  }

  function ownId(call: RawMessage): string {
    const handle = contentHandle(call)
    const count = (made.get(handle) ?? 0) + 1
    made.set(handle, count)
    return count === 1 ? `function:${handle}` : `function:${handle}:${count}`
  }

  function answer(response: RawMessage): string | null {
    const given = textField(response, 'id')
    const known = given === null ? undefined : asked.get(given)
    if (known !== undefined) {
      known.isAnswered = true
      return known.id
    }
    const open = takeOpen(turns.get(nameOf(response)) ?? [], given === null)
    return open?.id ?? given
  }
}

interface OpenCall {
  readonly id: string
  /** Whether the id is ours. */
  readonly isOwn: boolean
  isAnswered: boolean
}

/** The calls of one name in one content. */
interface Turn {
  readonly calls: OpenCall[]
  /** All before it are answered. */
  next: number
  /** All before it are answered, or have an id of their own. */
  nextOwn: number
}

function takeOpen(turns: Turn[], takesAny: boolean): OpenCall | null {
  for (let turn = turns.at(-1); turn !== undefined; turn = turns.at(-1)) {
    while (turn.calls[turn.next]?.isAnswered === true) turn.next += 1
    if (turn.next < turn.calls.length) return takeFrom(turn, takesAny)
    turns.pop()
  }
  return null
}

function takeFrom(turn: Turn, takesAny: boolean): OpenCall | null {
  const isTaken = ({ isAnswered, isOwn }: OpenCall) => isAnswered || !isOwn
  while (turn.nextOwn < turn.calls.length && isTaken(turn.calls[turn.nextOwn] as OpenCall)) turn.nextOwn += 1
  const open = turn.calls[takesAny ? turn.next : turn.nextOwn]
  if (open === undefined) return null
  open.isAnswered = true
  return open
}

function linkOf(
  parts: readonly unknown[],
  field: 'functionCall' | 'functionResponse',
  idOf: (value: RawMessage) => string | null,
): string | null {
  let isAny = false
  const ids = parts.map((part) => {
    const value = objectIn(part, field)
    if (value === null) return null
    isAny = true
    return idOf(value)
  })
  return isAny ? JSON.stringify(ids) : null
}

function nameOf(value: RawMessage): string {
  return textField(value, 'name') ?? ''
}

function contentHandle(call: RawMessage): string {
  let handle = handles.get(call)
  if (handle === undefined) {
    handle = handleOf(`${nameOf(call)} ${jsonText(call['args'])}`)
    handles.set(call, handle)
  }
  return handle
}

const handles = new WeakMap<RawMessage, string>()
