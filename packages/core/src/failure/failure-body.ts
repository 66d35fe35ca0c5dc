import { embeddedJson, errorText, looseFields, unescaped } from './embedded-json.ts'

/** What an error body says, out of whatever it was wrapped in. */
export interface FailureBody {
  /** Sentences for people, the outermost first, without what they quote. */
  readonly texts: readonly string[]
  /** Codes, types and reasons, in lower case. */
  readonly codes: readonly string[]
  /** HTTP statuses that stand in the body: a relay answers with its own and tells the one it got. */
  readonly statuses: readonly number[]
  /** Sizes that have fields of their own. */
  readonly sizes: { readonly limit: number | null; readonly input: number | null }
  /** A server that tells itself by its envelope. */
  readonly provider: string | null
}

/**
 * Reads an error body of any shape: objects, lists, JSON inside a text or inside a message, events of a stream, pages. Only fields
 * that hold errors are followed, so neither an answer nor an echo of the request is read. Never throws, and the work is bounded.
 */
export function readFailureBody(body: unknown): FailureBody {
  const found: Found = {
    texts: [],
    codes: [],
    statuses: [],
    limit: null,
    input: null,
    provider: null,
    characters: mostCharacters,
  }
  const seen = new Set<unknown>()
  const queue: Item[] = [{ value: body, depth: 0 }]
  for (let index = 0; index < queue.length && index < mostValues; index += 1) {
    const item = queue[index]
    if (item === undefined || item.depth > mostDepth || seen.has(item.value)) continue
    seen.add(item.value)
    queue.push(
      ...(typeof item.value === 'string' ? readText(item.value, item.depth, found) : readFields(item.value, item.depth, found)),
    )
  }
  const { texts, codes, statuses, limit, input, provider } = found
  return { texts, codes, statuses, sizes: { limit, input }, provider }
}

interface Item {
  readonly value: unknown
  readonly depth: number
}

interface Found {
  readonly texts: string[]
  readonly codes: string[]
  readonly statuses: number[]
  limit: number | null
  input: number | null
  provider: string | null
  /** How much text may still be taken. */
  characters: number
}

const mostDepth = 40
const mostValues = 400
const mostItems = 40
const mostCharacters = 60_000

/** Fields whose value is an error, or holds one. */
const errorFields = [
  'error',
  'errors',
  'message',
  'Message',
  'msg',
  'detail',
  'details',
  'raw',
  'error_message',
  'errorMessage',
  'error_msg',
  'errmsg',
  'err_msg',
  'error_description',
  'status_msg',
  'base_resp',
  'metadata',
  'response',
  'responseBody',
  'data',
  'body',
  'cause',
  'innererror',
  'title',
  'description',
  'violations',
  'reason',
  'fault',
  'faultstring',
  'exception',
  'upstream',
  'upstream_error',
  'lastError',
]

const codeFields = [
  'code',
  'type',
  'status',
  'reason',
  'error_type',
  'error_code',
  'errorCode',
  'Code',
  '__type',
  'name',
  'param',
]

const statusFields = ['code', 'status', 'status_code', 'statusCode', 'http_status', 'http_code', 'provider_error_code']

function readText(text: string, depth: number, found: Found): readonly Item[] {
  const inside = embeddedJson(text)
  if (inside.values.length > 0) {
    if (inside.around.trim() !== '') addText(inside.around, found)
    return inside.values.slice(0, mostItems).map((value) => ({ value, depth: depth + 1 }))
  }
  const loose = looseFields(text)
  for (const code of loose.codes) addCode(code, found)
  if (loose.messages.length > 0) return loose.messages.map((value) => ({ value: unescaped(value), depth: depth + 1 }))
  addText(text, found)
  return []
}

function readFields(value: unknown, depth: number, found: Found): readonly Item[] {
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item: unknown) => ({ value: item, depth: depth + 1 }))
  if (typeof value !== 'object' || value === null) return []
  for (const name of codeFields) {
    const code = fieldOf(value, name)
    if (typeof code === 'string') addCode(code, found)
  }
  for (const name of statusFields) {
    const field = fieldOf(value, name)
    // Of what is neither, not even a number may come: an object says itself how it becomes one.
    const status = typeof field === 'number' || typeof field === 'string' ? Number(field) : Number.NaN
    if (Number.isInteger(status) && status >= 400 && status <= 599) found.statuses.push(status)
  }
  // llama.cpp tells both sizes in fields.
  found.limit ??= sizeOf(fieldOf(value, 'n_ctx'))
  found.input ??= sizeOf(fieldOf(value, 'n_prompt_tokens'))
  if (fieldOf(value, 'provider_name') !== undefined) found.provider ??= 'openrouter'
  return errorFields.flatMap((name) => {
    const inner = fieldOf(value, name)
    return typeof inner === 'string' || (typeof inner === 'object' && inner !== null) ? [{ value: inner, depth: depth + 1 }] : []
  })
}

/** A field of somebody else's object, which may be one that throws when it is read. */
function fieldOf(value: object, name: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[name]
  } catch {
    return undefined
  }
}

function sizeOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 1e9 ? value : null
}

function addCode(code: string, found: Found): void {
  if (code.length <= 200 && found.codes.length < mostValues) found.codes.push(code.toLowerCase())
}

function addText(text: string, found: Found): void {
  if (found.characters <= 0) return
  const clean = errorText(text)
  found.characters -= clean.length
  if (clean !== '') found.texts.push(clean)
}

/** The server's own words in an error of any shape, without what it quotes; empty where it says nothing. Never throws. */
export function failureWords(body: unknown): string {
  return readFailureBody(body).texts[0] ?? ''
}
