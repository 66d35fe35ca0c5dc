/** Counts bytes for as long as they are limited. */
export interface ByteLimit {
  /** Throws where it is one too many. */
  readonly add: (bytes: number) => void
  /** Fires with the same error: not everybody who reads hears of what was thrown. */
  readonly signal: AbortSignal
  /** From now on any number is fine. */
  readonly lift: () => void
}

/** A limit on all the bytes that somebody sends up to a point, which the error names after their number. */
export function createByteLimit(mostBytes: number, upTo: string): ByteLimit {
  const over = new AbortController()
  let bytes = 0
  let isLifted = false
  return {
    add(more) {
      if (isLifted) return
      bytes += more
      if (bytes > mostBytes) over.abort(new Error(`it sent more than ${mostBytes} bytes ${upTo}`))
      over.signal.throwIfAborted()
    },
    signal: over.signal,
    lift() {
      isLifted = true
    },
  }
}
