/** A range of bytes. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

/** Bytes that are not JSON, or nested deeper than anybody means. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError'
}

/** The position after white space. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let position = start
  for (;;) {
    const byte = bytes[position]
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return position
    position += 1
  }
}

/**
 * The position after the value that starts here. Only as strict as is needed to find the end of a value that is JSON; whether it is, its
 * reader finds out.
 */
export function skipValue(bytes: Uint8Array, start: number): number {
  const byte = bytes[start]
  if (byte === quote) return skipString(bytes, start)
  if (byte === openBracket || byte === openBrace) return skipContainer(bytes, start)
  let position = start
  while (position < bytes.length && !endsScalar(bytes[position] as number)) position += 1
  if (position === start) throw new NotJsonError(`unexpected byte or end at ${start}`)
  return position
}

/** The position after the string that starts here. */
export function skipString(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== quote) throw new NotJsonError(`expected a string at ${start}`)
  for (let position = start + 1; position < bytes.length; position += 1) {
    const byte = bytes[position]
    if (byte === quote) return position + 1
    if (byte === backslash) position += 1
  }
  throw new NotJsonError('a string without end')
}

/** Whether a byte cannot be part of a number or a word. */
export function endsScalar(byte: number): boolean {
  return byte === comma || byte === closeBracket || byte === closeBrace || byte <= 0x20
}

/** Deeper than any request, and far from what a stack can take. */
const deepest = 500

/** Counted, not recursed into: a value may be nested deeper than the stack is. */
function skipContainer(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let position = start; position < bytes.length; position += 1) {
    const byte = bytes[position]
    if (byte === quote) position = skipString(bytes, position) - 1
    else if (byte === openBracket || byte === openBrace) {
      depth += 1
      if (depth > deepest) throw new NotJsonError(`nested more than ${deepest} deep`)
    } else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  throw new NotJsonError('a list or object without end')
}

/** The bytes that JSON is made of. */
export const comma = 0x2c
export const colon = 0x3a
export const openBracket = 0x5b
export const closeBracket = 0x5d
export const openBrace = 0x7b
export const closeBrace = 0x7d
const quote = 0x22
const backslash = 0x5c
