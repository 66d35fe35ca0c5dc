export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Parses a JSON object or list; undefined for any other text, mostly judged by its first and last character: logs may start as a list does. */
export function parseJsonData(text: string): unknown {
  const trimmed = text.trim()
  const last = trimmed.charCodeAt(trimmed.length - 1)
  const isLikely = trimmed.charCodeAt(0) === 0x7b ? last === 0x7d : trimmed.charCodeAt(0) === 0x5b && last === 0x5d
  return isLikely ? parseJson(text) : undefined
}

/** Whether a JSON text is nested deeper than `levels`, without parsing it. */
export function isNestedDeeper(text: string, levels: number): boolean {
  if (text.length <= levels) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth > levels) return true
  }
  return false
}

/** The index of the quote that ends the string starting at `start`, or the length of the text. */
export function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at
}

/** The JSON text of a value; empty if it has none, as a cycle or endless nesting. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}

/** Whether a value is an object made of fields only, unlike a date, a URL or a byte array. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Describes a value of the wrong type for an error message. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return value.length > 60 ? `${JSON.stringify(value.slice(0, 57))}...` : JSON.stringify(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a ${typeof value}`
}

/** Escapes control characters inside the strings of a JSON text: models and editors break lines there. */
export function withEscapedControls(json: string): string {
  if (!control.test(json)) return json
  const pieces: string[] = []
  let copied = 0
  let isInside = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === 0x5c && isInside) at += 1
    else if (code === 0x22) isInside = !isInside
    else if (isInside && code < 0x20) {
      pieces.push(json.slice(copied, at), `\\u${code.toString(16).padStart(4, '0')}`)
      copied = at + 1
    }
  }
  pieces.push(json.slice(copied))
  return pieces.join('')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it finds
const control = /[\u0000-\u001f]/
