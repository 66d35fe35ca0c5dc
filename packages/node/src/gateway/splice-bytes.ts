import type { Splice } from './planner.ts'

/** A body with ranges of it replaced; null where the ranges are out of order, overlap, or lie outside of it. */
export function spliceBytes(body: Uint8Array, splices: readonly Splice[]): Buffer | null {
  let length = body.byteLength
  let from = 0
  for (const { start, end, bytes } of splices) {
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < from || end < start || end > body.byteLength) return null
    length += bytes.byteLength - (end - start)
    from = end
  }
  const spliced = Buffer.allocUnsafeSlow(length)
  let read = 0
  let written = 0
  for (const { start, end, bytes } of splices) {
    spliced.set(body.subarray(read, start), written)
    written += start - read
    spliced.set(bytes, written)
    written += bytes.byteLength
    read = end
  }
  spliced.set(body.subarray(read), written)
  return spliced
}
