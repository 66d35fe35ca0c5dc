import type { AnswerBytes } from './planner.ts'

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
  let head = Buffer.alloc(0)
  let headLength = 0
  // A ring once it is full: `tailEnd` is where the next byte goes.
  let tail = Buffer.alloc(0)
  let tailEnd = 0
  let isWrapped = false
  let isTooLong = false

  function add(chunk: Uint8Array): void {
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
    const ring = isWrapped ? Buffer.concat([tail.subarray(tailEnd), tail.subarray(0, tailEnd)]) : exactly(tail, tailEnd)
    return { contentType, contentEncoding, head: exactly(head, headLength), tail: ring.byteLength === 0 ? null : ring }
  }

  return { add, take }
}

/** A buffer that has room for so many more bytes, up to a limit. */
function withRoom(buffer: Buffer<ArrayBuffer>, length: number, more: number, limit: number): Buffer<ArrayBuffer> {
  if (length + more <= buffer.byteLength || buffer.byteLength >= limit) return buffer
  const size = Math.min(limit, Math.max(2048, 2 ** Math.ceil(Math.log2(length + more))))
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(buffer.subarray(0, length))
  return larger
}

/** The first bytes of a buffer, in a buffer of their own where it is much larger: they travel to another thread. */
function exactly(buffer: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  if (length === buffer.byteLength) return buffer
  const exact = Buffer.allocUnsafeSlow(length)
  exact.set(buffer.subarray(0, length))
  return exact
}
