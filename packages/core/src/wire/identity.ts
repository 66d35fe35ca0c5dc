import { perList, perPair } from '../derive.ts'
import { isRecord, type Message, type Part, type ResultContent } from '../message.ts'

/** A collision-free short name of a text. */
export type HashText = (text: string) => string

/** Renames messages by a hash of content and call ids, with a number for repeats. Unchanged messages keep their objects. */
export function identifyMessages(messages: readonly Message[], hash: HashText): readonly Message[] {
  return identified(hash)(messages)
}

const identified = perList({
  start: (_hash: HashText) => ({ times: new Map<string, number>(), named: [] as Message[] }),
  add({ times, named }, message: Message, _index, hash) {
    const name = nameOf(message.parts, message.role, message.summary, hash)
    const before = times.get(name) ?? 0
    times.set(name, before + 1)
    named.push(renamed(message, before === 0 ? name : `${name}-${before}`))
  },
  finish: ({ named }): readonly Message[] => named.slice(),
})

/** Hashes of every prefix of a conversation. `seed` separates conversations with the same messages. Known ones are remembered. */
export function chainOfMessages(messages: readonly Message[], hash: HashText, seed = ''): readonly string[] {
  return chained(hash, seed)(messages)
}

const chained = perList({
  start: (_hash: HashText, _seed: string): string[] => [],
  add(chain, { id }: Message, _index, hash, seed) {
    chain.push(hash(`${chain.at(-1) ?? hash(`chain:${seed}`)} ${id}`))
  },
  finish: (chain): readonly string[] => chain.slice(),
})

// By the list of parts: a message that only moved is another object with the same parts.
const nameOf = perPair((parts: Message['parts'], role: Message['role'], summary: true | undefined, hash: HashText) =>
  hash([role, summary === true ? '!' : '', ...parts.map((part) => `|${canonicalPart(part)}`)].join('')),
)

const given = new WeakMap<Message['parts'], Message>()

function renamed(message: Message, id: string): Message {
  const { parts, role, summary, at } = message
  const known = given.get(parts)
  if (known?.id === id && known.at === at && known.role === role && known.summary === summary) return known
  const made: Message = { ...message, id }
  given.set(parts, made)
  return made
}

/** Equal text for equal parts, ignoring cache marks and the order of fields. */
export function canonicalPart(part: Part): string {
  const pieces: string[] = [part.type]
  switch (part.type) {
    case 'text':
    case 'reasoning':
      writeText(part.text, pieces)
      break
    case 'media':
      writeText(part.mediaType, pieces)
      write(part.data, pieces, cacheMarks, 0)
      break
    case 'tool-call':
      writeText(part.callId, pieces)
      writeText(part.tool, pieces)
      write(part.input, pieces, noMarks, 0)
      if (part.pending === true) pieces.push('pending')
      break
    case 'tool-result':
      write(part.callId, pieces, noMarks, 0)
      write(part.tool, pieces, noMarks, 0)
      write(part.isError ?? null, pieces, noMarks, 0)
      write(part.status ?? null, pieces, noMarks, 0)
      writeContent(part.content, pieces)
      break
  }
  if ('providerOptions' in part) write(part.providerOptions, pieces, cacheMarks, 0)
  return pieces.join('')
}

export function canonicalValue(value: unknown): string {
  const pieces: string[] = []
  write(value, pieces, cacheMarks, 0)
  return pieces.join('')
}

/** Clients move these from request to request. */
const cacheMarks: ReadonlySet<string> = new Set(['cache_control', 'cacheControl', 'cachePoint'])
const noMarks: ReadonlySet<string> = new Set()

/** A text and a list of that one text are the same: clients use either. */
function writeContent(content: ResultContent, pieces: string[]): void {
  if (content.type === 'text') return writeText(content.text, pieces)
  if (content.type === 'json') {
    pieces.push('json')
    return write(content.value, pieces, cacheMarks, 0)
  }
  const [only] = content.items
  if (content.items.length === 1 && only?.type === 'text') return writeText(only.text, pieces)
  pieces.push('list')
  for (const item of content.items) pieces.push('|', canonicalPart(item))
}

function writeText(text: string, pieces: string[]): void {
  // Half a character has no UTF-8 bytes; as JSON it has.
  if (text.isWellFormed()) pieces.push('"', String(text.length), ':', text)
  else writeText(JSON.stringify(text), pieces)
}

const deepest = 1000

function write(value: unknown, pieces: string[], leftOut: ReadonlySet<string>, depth: number): void {
  if (typeof value === 'string') writeText(value, pieces)
  else if (depth > deepest) pieces.push('...')
  else if (Array.isArray(value)) {
    pieces.push('[')
    for (const item of value as readonly unknown[]) {
      write(item, pieces, leftOut, depth + 1)
      pieces.push(',')
    }
    pieces.push(']')
  } else if (isRecord(value)) {
    pieces.push('{')
    for (const key of Object.keys(value).sort()) {
      if (value[key] === undefined || leftOut.has(key)) continue
      writeText(key, pieces)
      write(value[key], pieces, leftOut, depth + 1)
    }
    pieces.push('}')
  } else pieces.push(String(value))
}
