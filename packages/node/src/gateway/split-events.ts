/** Cuts the bytes of an event stream into events. */
export interface EventSplitter {
  /** The events that these bytes complete, with the blank line that ends each; pieces of one that is too large. */
  readonly write: (chunk: Uint8Array) => readonly Uint8Array[]
  /** What was held back of an event that is not complete. */
  readonly end: () => readonly Uint8Array[]
}

/**
 * Cuts an event stream behind its blank lines, whatever ends its lines and wherever its bytes are split. Nothing is added or left out.
 * Of an event with more bytes than this nothing is held back any more.
 */
export function splitEvents(mostBytes: number): EventSplitter {
  let held: Uint8Array[] = []
  let size = 0
  let isTooLarge = false
  let isLineEmpty = true
  let wasReturn = false
  // Whether a return has just ended an event; the feed that may follow belongs to it.
  let isOver = false

  function take(): Uint8Array[] {
    const pieces = held
    held = []
    size = 0
    return pieces
  }

  return {
    write(chunk) {
      const out: Uint8Array[] = []
      let start = 0
      for (let at = 0; at < chunk.length; at += 1) {
        const byte = chunk[at]
        if (byte === feed && wasReturn) {
          wasReturn = false
          if (isOver) {
            out.push(chunk.subarray(start, at + 1))
            start = at + 1
          }
          isOver = false
          continue
        }
        isOver = false
        wasReturn = byte === carriageReturn
        if (byte !== feed && !wasReturn) {
          isLineEmpty = false
          continue
        }
        if (!isLineEmpty) {
          isLineEmpty = true
          continue
        }
        if (wasReturn && chunk[at + 1] === feed) {
          wasReturn = false
          at += 1
        }
        isOver = wasReturn
        const last = chunk.subarray(start, at + 1)
        start = at + 1
        if (isTooLarge) out.push(last)
        else out.push(held.length === 0 ? last : Buffer.concat([...take(), last]))
        isTooLarge = false
      }
      const rest = chunk.subarray(start)
      if (rest.length === 0) return out
      if (!isTooLarge) {
        held.push(rest)
        size += rest.length
        if (size <= mostBytes) return out
        isTooLarge = true
        return out.concat(take())
      }
      out.push(rest)
      return out
    },
    end: take,
  }
}

const feed = 0x0a
const carriageReturn = 0x0d
