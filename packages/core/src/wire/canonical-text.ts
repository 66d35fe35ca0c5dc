import { isRecord, type Message, type Part, type ResultContent } from '../message.ts'

/**
 * A message as one text that is the same whenever it says the same: whoever it speaks for, and its parts. Where it stands, how the names
 * of a vendor's fields are ordered and where a client asks for caching makes no difference.
 */
export function canonicalMessage({ role, parts, summary }: Pick<Message, 'role' | 'parts' | 'summary'>): string {
  const pieces: string[] = [role, summary === true ? '!' : '']
  for (const part of parts) pieces.push('|', canonicalPart(part))
  return pieces.join('')
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

/** Any value as one text that is the same whatever the order of its fields, without the places where caching is asked for. */
export function canonicalValue(value: unknown): string {
  const pieces: string[] = []
  write(value, pieces, cacheMarks, 0)
  return pieces.join('')
}

/** Where clients ask for caching: they move it from request to request, and it says nothing. */
const cacheMarks: ReadonlySet<string> = new Set(['cache_control', 'cacheControl', 'cachePoint'])
/** What a model asked a tool for is nobody's mark. */
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
