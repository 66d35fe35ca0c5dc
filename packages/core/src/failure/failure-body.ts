import { embeddedJson, errorText, looseFields, unescaped } from './embedded-json.ts'

export interface FailureBody {
  readonly texts: readonly string[]
  readonly codes: readonly string[]
  /** HTTP statuses in the body: a relay answers with its own and reports the one it got. */
  readonly statuses: readonly number[]
  readonly sizes: { readonly limit: number | null; readonly input: number | null }
  readonly provider: string | null
}

/** Reads an error body of any shape. Follows only fields that hold errors, not echoes of the request. Never throws. */
export function readFailureBody(body: unknown): FailureBody {
  const found: Found = {
    texts: [],
    codes: [],
    statuses: [],
    sizes: { limit: null, input: null },
    provider: null,
    characters: 60_000,
  }
  const seen = new Set<unknown>()
  const queue: { readonly value: unknown; readonly depth: number }[] = [{ value: body, depth: 0 }]
  for (const [index, { value, depth }] of queue.entries()) {
    if (index >= maxValues) break
    if (depth > maxDepth || seen.has(value)) continue
    seen.add(value)
    const inside = typeof value === 'string' ? readText(value, found) : readFields(value, found)
    for (const inner of inside) queue.push({ value: inner, depth: depth + 1 })
  }
  const { characters: _characters, ...read } = found
  return read
}

interface Found extends FailureBody {
  readonly texts: string[]
  readonly codes: string[]
  readonly statuses: number[]
  readonly sizes: { limit: number | null; input: number | null }
  provider: string | null
  characters: number
}

const maxDepth = 40
const maxValues = 400
const maxItems = 40

const errorFields = (
  'error errors message Message msg detail details raw error_message errorMessage error_msg errmsg err_msg ' +
  'error_description status_msg base_resp metadata response responseBody data body cause innererror title description ' +
  'violations reason fault faultstring exception upstream upstream_error lastError'
).split(' ')

const codeFields = 'code type status reason error_type error_code errorCode Code __type name param'.split(' ')
const statusFields = 'code status status_code statusCode http_status http_code provider_error_code'.split(' ')

function readText(text: string, found: Found): readonly unknown[] {
  const inside = embeddedJson(text)
  if (inside.values.length > 0) {
    if (inside.around.trim() !== '') addText(inside.around, found)
    return inside.values.slice(0, maxItems)
  }
  const loose = looseFields(text)
  for (const code of loose.codes) addCode(code, found)
  if (loose.messages.length === 0) addText(text, found)
  return loose.messages.map(unescaped)
}

function readFields(value: unknown, found: Found): readonly unknown[] {
  if (Array.isArray(value)) return value.slice(0, maxItems)
  if (typeof value !== 'object' || value === null) return []
  for (const name of codeFields) {
    const code = fieldOf(value, name)
    if (typeof code === 'string') addCode(code, found)
  }
  for (const name of statusFields) {
    const field = fieldOf(value, name)
    // Converting anything else to a number might throw.
    const status = typeof field === 'number' || typeof field === 'string' ? Number(field) : Number.NaN
    if (Number.isInteger(status) && status >= 400 && status <= 599) found.statuses.push(status)
  }
  found.sizes.limit ??= sizeOf(fieldOf(value, 'n_ctx'))
  found.sizes.input ??= sizeOf(fieldOf(value, 'n_prompt_tokens'))
  if (fieldOf(value, 'provider_name') !== undefined) found.provider ??= 'openrouter'
  return errorFields
    .map((name) => fieldOf(value, name))
    .filter((inner) => typeof inner === 'string' || (typeof inner === 'object' && inner !== null))
}

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

function addCode(code: string, { codes }: Found): void {
  if (code.length <= 200 && codes.length < maxValues) codes.push(code.toLowerCase())
}

function addText(text: string, found: Found): void {
  if (found.characters <= 0) return
  const clean = errorText(text)
  found.characters -= clean.length
  if (clean !== '') found.texts.push(clean)
}

/** The server's own message in an error of any shape, without quotes; empty if there is none. Never throws. */
export function failureWords(body: unknown): string {
  return readFailureBody(body).texts[0] ?? ''
}
