import { perItem } from '../../derive.ts'
import { isRecord, type ProviderOptions } from '../../message.ts'
import { handleOf } from '../../text/hash.ts'
import { jsonText } from '../../text/json.ts'
import { textField } from '../blocks.ts'
import { findList, type Layout, type RawMessage, type Request } from '../dialect.ts'

const partFields = [
  'text',
  'functionCall',
  'functionResponse',
  'inlineData',
  'fileData',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
] as const

export type PartField = (typeof partFields)[number]

const otherSpelling: Readonly<Record<string, string>> = Object.fromEntries(
  [...partFields, 'thoughtSignature'].map((name) => [name, name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
)

/** The spelling an object uses for a field; camel case if it has neither. */
export function nameIn(raw: RawMessage, field: PartField | 'thoughtSignature'): string {
  if (raw[field] !== undefined) return field
  const other = otherSpelling[field] as string
  return raw[other] === undefined ? field : other
}

/** The one field of a part; null if it is unknown or there are several. */
export function heldIn(part: RawMessage): { readonly field: PartField; readonly value: unknown } | null {
  let held: { readonly field: PartField; readonly value: unknown } | null = null
  for (const field of partFields) {
    const value = part[nameIn(part, field)]
    if (value === undefined || value === null) continue
    if (held !== null) return null
    held = { field, value }
  }
  return held
}

export function objectIn(part: unknown, field: PartField): RawMessage | null {
  // Cheap test first: most parts hold something else.
  const value = isRecord(part) ? part[nameIn(part, field)] : null
  return isRecord(value) && heldIn(part as RawMessage) !== null ? value : null
}

export function signatureOf(part: RawMessage): { readonly providerOptions?: ProviderOptions } {
  const thoughtSignature = part[nameIn(part, 'thoughtSignature')]
  return typeof thoughtSignature === 'string' ? { providerOptions: { google: { thoughtSignature } } } : {}
}

/**
 * Returns the call ids of a content's calls or results as a JSON list, null for other parts; null without any. A call without an
 * id gets one of ours, which is never written. A result without a known id belongs to the nearest open call of its name.
 */
export function linkContents(): (raw: RawMessage) => string | null {
  const asked = new Map<string, OpenCall>()
  const turns = new Map<string, Turn[]>()
  const made = new Map<string, number>()

  return (raw) => {
    const parts: readonly unknown[] = Array.isArray(raw['parts']) ? raw['parts'] : []
    const here = new Map<string, Turn>()
    if (raw['role'] === 'model') return linkOf(parts, 'functionCall', (call) => ask(call, here))
    return linkOf(parts, 'functionResponse', answer)
  }

  function ask(call: RawMessage, here: Map<string, Turn>): string {
    const name = nameOf(call)
    const given = textField(call, 'id')
    const open: OpenCall = { id: given ?? ownId(call), isOwn: given === null, isAnswered: false }
    if (given !== null) asked.set(given, open)
    const turn = here.get(name) ?? { calls: [], next: 0, nextOwn: 0 }
    if (turn.calls.push(open) > 1) return open.id
    here.set(name, turn)
    const known = turns.get(name)
    if (known === undefined) turns.set(name, [turn])
    else known.push(turn)
    return open.id
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

type OpenCall = { readonly id: string; readonly isOwn: boolean; isAnswered: boolean }

interface Turn {
  readonly calls: OpenCall[]
  next: number
  /** All before it are answered, or have a vendor id. */
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

const contentHandle = perItem((call: RawMessage) => handleOf(`${nameOf(call)} ${jsonText(call['args'])}`))()

/** Requests that count tokens contain the actual request in a field. */
export const geminiLayout: Layout = { list: 'contents', blocks: 'parts', many: 'contents', one: 'a content object', find }

export function isGemini(value: unknown): boolean {
  if (isRecord(value) && Array.isArray(value['messages'])) return false
  return find(value)?.list.some(isContent) ?? false
}

function find(value: unknown): Request | null {
  const request = findList(value, 'contents')
  if (request !== null || !isRecord(value)) return request
  for (const field of ['generateContentRequest', 'generate_content_request', 'request']) {
    const inner = value[field]
    const found = isRecord(inner) ? findList(inner, 'contents') : null
    if (found !== null) return { ...found, path: [field, ...found.path] }
  }
  return null
}

/** Blocks with a type and messages with content belong to other vendors. */
function isContent(raw: unknown): boolean {
  if (!isRecord(raw) || 'content' in raw || !Array.isArray(raw['parts'])) return false
  if (raw['role'] !== undefined && !geminiRoles.includes(raw['role'] as string)) return false
  return (raw['parts'] as readonly unknown[]).some((part) => isRecord(part) && !('type' in part) && heldIn(part) !== null)
}

export const geminiRoles: readonly string[] = ['user', 'model', 'function']
