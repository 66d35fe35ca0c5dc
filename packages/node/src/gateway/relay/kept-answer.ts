import type { AnswerBytes } from '../planner.ts'

/** Keeps what is needed of an answer to read its usage: the beginning and the end, or all of it where it is packed. */
export interface KeptAnswer {
  readonly add: (chunk: Uint8Array) => void
  /** What was kept; null where a packed answer was too long to be unpacked. */
  readonly take: () => AnswerBytes | null
}

const mostHead = 64 * 1024
const mostTail = 1024 * 1024
const mostPacked = 4 * 1024 * 1024

/** Copies bytes out of what passes, so that nothing that passed is held. */
export function keepAnswer(contentType: string, contentEncoding: string): KeptAnswer {
  const isPacked = contentEncoding !== '' && contentEncoding !== 'identity'
  const limit = isPacked ? mostPacked : mostHead
  // Most answers are short, and memory of this size is had for nothing.
  let head = Buffer.allocUnsafe(4000)
  let headLength = 0
  // A ring once it is full: `tailEnd` is where the next byte goes.
  let tail = empty
  let tailEnd = 0
  let isWrapped = false
  let isTooLong = false

  function add(chunk: Uint8Array): void {
    if (headLength + chunk.byteLength <= head.byteLength) {
      head.set(chunk, headLength)
      headLength += chunk.byteLength
      return
    }
    let rest = chunk
    if (headLength < limit) {
      const taken = Math.min(limit - headLength, rest.byteLength)
      head = withRoom(head, headLength, taken, limit)
      head.set(rest.subarray(0, taken), headLength)
      headLength += taken
      rest = rest.subarray(taken)
    }
    if (rest.byteLength === 0) return
    if (isPacked) {
      isTooLong = true
      return
    }
    if (rest.byteLength > mostTail) rest = rest.subarray(rest.byteLength - mostTail)
    if (!isWrapped && tail.byteLength < mostTail) tail = withRoom(tail, tailEnd, rest.byteLength, mostTail)
    const before = Math.min(tail.byteLength - tailEnd, rest.byteLength)
    tail.set(rest.subarray(0, before), tailEnd)
    tailEnd += before
    if (before === rest.byteLength) return
    tail.set(rest.subarray(before), 0)
    tailEnd = rest.byteLength - before
    isWrapped = true
  }

  function take(): AnswerBytes | null {
    if (isTooLong) return null
    const ring = isWrapped ? Buffer.concat([tail.subarray(tailEnd), tail.subarray(0, tailEnd)]) : tail.subarray(0, tailEnd)
    return { contentType, contentEncoding, head: head.subarray(0, headLength), tail: ring.byteLength === 0 ? null : ring }
  }

  return { add, take }
}

/** A buffer that has room for so many more bytes, up to a limit. */
function withRoom(buffer: Buffer<ArrayBuffer>, length: number, more: number, limit: number): Buffer<ArrayBuffer> {
  if (length + more <= buffer.byteLength || buffer.byteLength >= limit) return buffer
  const size = Math.min(limit, Math.max(16_384, 2 ** Math.ceil(Math.log2(length + more))))
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(buffer.subarray(0, length))
  return larger
}

const empty = Buffer.alloc(0)
