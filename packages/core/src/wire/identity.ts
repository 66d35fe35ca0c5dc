import { perPair } from '../derive.ts'
import { isRecord, type Message, type Part, type ResultContent } from '../message.ts'

/** Makes a short name of a text; the same for the same text, and for no other. */
export type HashText = (text: string) => string

/**
 * The same messages under names that say what they hold and not where they are: a hash of content and call ids, followed by a number
 * if the same message comes again. What was named before is not read again, and an unchanged message is the same object as last time.
 */
export function identifyMessages(messages: readonly Message[], hash: HashText): readonly Message[] {
  const seen = new Map<string, number>()
  return messages.map((message) => {
    const name = nameOf(message.parts, message.role, message.summary, hash)
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    return renamed(message, times === 0 ? name : `${name}-${times}`)
  })
}

/**
 * Hashes of the beginnings of a conversation, each one message longer than the one before. `seed` tells conversations apart that have
 * the same messages and are not the same. A message that comes again after the same ones is not hashed again.
 */
export function chainOfMessages(messages: readonly Message[], hash: HashText, seed = ''): readonly string[] {
  let last = hash(`chain:${seed}`)
  return messages.map((message) => {
    last = linkAfter(message, last, hash)
    return last
  })
}

const linkAfter = perPair((message: Message, before: string, hash: HashText) => hash(`${before} ${message.id}`))

// By the list of parts: a message that only moved is another object with the same parts.
const nameOf = perPair((parts: Message['parts'], role: Message['role'], summary: true | undefined, hash: HashText) =>
  hash(canonicalMessage(parts, role, summary)),
)

/** The messages under their names, as they were given out last. */
const given = new WeakMap<Message['parts'], Message>()

function renamed(message: Message, id: string): Message {
  const { parts, role, summary, at } = message
  const known = given.get(parts)
  if (known?.id === id && known.at === at && known.role === role && known.summary === summary) return known
  const made: Message = { ...message, id }
  given.set(parts, made)
  return made
}

/** The same text whenever role and parts say the same; where caching is asked for and the order of fields do not count. */
function canonicalMessage(parts: Message['parts'], role: Message['role'], summary: true | undefined): string {
  return [role, summary === true ? '!' : '', ...parts.map((part) => `|${canonicalPart(part)}`)].join('')
}

/** A part as one text that is the same whenever the part says the same. */
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

/** Any value as one text, without the places where caching is asked for. The order of fields makes no difference. */
export function canonicalValue(value: unknown): string {
  const pieces: string[] = []
  write(value, pieces, cacheMarks, 0)
  return pieces.join('')
}

/** Where clients ask for caching: they move it from request to request, and it says nothing. */
const cacheMarks: ReadonlySet<string> = new Set(['cache_control', 'cacheControl', 'cachePoint'])
const noMarks: ReadonlySet<string> = new Set()

/** A text by itself and a list of that one text are the same answer: clients write the one or the other as it suits them. */
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

/** With its length in front, so that no text can look like the end of one and the beginning of another. */
function writeText(text: string, pieces: string[]): void {
  // Half a character has no bytes of its own; as JSON writes it, it has.
  if (text.isWellFormed()) pieces.push('"', String(text.length), ':', text)
  else writeText(JSON.stringify(text), pieces)
}

/** Deeper than any request that is read at all. */
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
