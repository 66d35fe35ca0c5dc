/**
 * About how long a value would be as JSON text. Nothing is written out, so a picture of a megabyte costs nothing; cycles, deep
 * nesting and values that JSON does not know are counted, never thrown at.
 */
export function jsonLength(value: unknown): number {
  const seen = new Set<object>()
  const waiting: unknown[] = [value]
  let length = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') length += next.length + 2
    else if (typeof next !== 'object' || next === null) length += 5
    else if (isBinary(next)) length += Math.ceil((next.byteLength * 4) / 3)
    else if (!seen.has(next)) {
      seen.add(next)
      length += 2
      if (Array.isArray(next)) {
        for (const item of next) waiting.push(item)
        length += next.length
      } else {
        for (const [key, field] of Object.entries(next)) {
          waiting.push(field)
          length += key.length + 4
        }
      }
    }
  }
  return length
}

/** Bytes, which travel as base64. */
function isBinary(value: object): value is ArrayBuffer | ArrayBufferView {
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value)
}
