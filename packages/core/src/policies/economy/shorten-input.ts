import { callInput, inputText, type ToolCallPart } from '../../message.ts'
import { stringsIn } from '../../recall/placed-parts.ts'
import { handleOf } from '../../text/hash.ts'
import { isPlainObject } from '../../text/json.ts'
import { labelText } from '../../text/labels.ts'
import { countLines, detached, grouped, wholeCharacters } from '../../text/lines.ts'

export interface InputRoom {
  /** Characters above which a text is shortened, and what is left of it. */
  readonly over: number
  readonly to: number
  /** All long texts, or only those that the call replaced. */
  readonly which: 'all' | 'replaced'
  /** The files that the call changed: they stay named. */
  readonly files: readonly string[]
}

/**
 * Shortens the long texts in a call's arguments to their first lines, each with the handle of the full text. JSON stays JSON with the same fields.
 * Null if nothing is long enough.
 */
export function shortenInput(call: ToolCallPart, room: InputRoom): ToolCallPart | null {
  const { input } = call
  const fields = callInput(call)
  if (fields === null) {
    if (typeof input !== 'string' || input.length <= room.over || room.which === 'replaced') return null
    const text = shortenText(input, room)
    return text === input ? null : { ...call, input: text }
  }
  // Only texts that can be recalled by their handle.
  const known = new Set(stringsIn(fields).filter((text) => text.length > room.over))
  const shortened = shortenFields(fields, { room, known, left: maxValues }, 0)
  if (shortened === fields) return null
  const written = typeof input === 'string' ? JSON.stringify(shortened) : shortened
  const made: ToolCallPart = { ...call, input: written }
  return inputText(made).length < inputText(call).length ? made : null
}

/** Whether a field holds text that the call replaces. */
export function isReplacedText(name: string): boolean {
  return oldText.test(name)
}

interface Walk {
  readonly room: InputRoom
  readonly known: ReadonlySet<string>
  left: number
}

type Fields = Readonly<Record<string, unknown>>

const deepest = 8
const maxValues = 5000

function shortenFields(fields: Fields, walk: Walk, depth: number): Fields {
  const keys = Object.keys(fields)
  const hasNew = keys.some((key) => newText.test(key))
  const entries = keys.map((key): [string, unknown] => {
    const value = fields[key]
    const isReplaced = hasNew && oldText.test(key)
    return [key, shortenValue(value, walk, depth + 1, walk.room.which === 'all' || isReplaced)]
  })
  return entries.every(([key, value]) => value === fields[key]) ? fields : Object.fromEntries(entries)
}

const newText = /^(?:new|replace)/i
const oldText = /^(?:old|search|find)/i

function shortenValue(value: unknown, walk: Walk, depth: number, isMeant: boolean): unknown {
  walk.left -= 1
  if (walk.left < 0 || depth > deepest) return value
  if (typeof value === 'string') return isMeant && walk.known.has(value) ? shortenText(value, walk.room) : value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => shortenValue(item, walk, depth + 1, isMeant))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  return isPlainObject(value) ? shortenFields(value, walk, depth) : value
}

const maxNameLength = 500

function shortenText(text: string, { to, files }: InputRoom): string {
  const near = wholeCharacters(text, 0, to)
  const line = near.lastIndexOf('\n')
  const head = line * 2 > near.length ? near.slice(0, line) : near
  const hidden = files.filter((file) => text.includes(file) && !head.includes(file))
  const named = hidden.length === 0 ? '' : `; files: ${hidden.map((file) => labelText(file, maxNameLength)).join(' ')}`
  const lines = countLines(text.slice(head.length))
  const short = `${head}… [${grouped(lines)} ${lines === 1 ? 'line' : 'lines'} cut${named}; recall ${handleOf(text)}]`
  return short.length < text.length ? detached(short) : text
}
