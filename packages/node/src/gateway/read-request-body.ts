import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Reads a whole body, or says that it is too long and reads no further. Says nothing where the client goes away. */
export function collectBody(request: IncomingMessage, most: number, done: (body: Buffer | null) => void): void {
  const chunks: Buffer[] = []
  let length = 0
  const onData = (chunk: Buffer) => {
    length += chunk.byteLength
    if (length <= most) {
      chunks.push(chunk)
      return
    }
    request.off('data', onData).off('end', onEnd)
    done(null)
  }
  const onEnd = () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length))
  request.on('data', onData).on('end', onEnd)
}

/** What is kept of a body that passes. */
export interface PassingBody {
  readonly stream: Readable
  /** Bytes that came so far. */
  readonly length: () => number
}

/**
 * Passes a body on while it comes, no faster than it is taken. A copy of it is given away at its end, unless it is longer than is wanted:
 * then null. Whoever stops taking it does not stop the client from sending.
 */
export function passBody(request: IncomingMessage, most: number, done: (copy: Buffer | null) => void): PassingBody {
  let chunks: Buffer[] | null = most > 0 ? [] : null
  let length = 0
  const stream = new Readable({
    highWaterMark: 256 * 1024,
    read: () => request.resume(),
    destroy: (error, callback) => {
      request.resume()
      callback(error)
    },
  })
  request.on('data', (chunk: Buffer) => {
    length += chunk.byteLength
    if (length > most) chunks = null
    chunks?.push(chunk)
    if (!stream.destroyed && !stream.push(chunk)) request.pause()
  })
  request.on('end', () => {
    if (!stream.destroyed) stream.push(null)
    done(chunks === null ? null : Buffer.concat(chunks, length))
  })
  request.on('close', () => {
    if (!request.complete) stream.destroy()
  })
  return { stream, length: () => length }
}
