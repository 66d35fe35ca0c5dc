/** Knows whether an event stream stands between two whole events. */
export interface EventBoundary {
  readonly add: (chunk: Uint8Array) => void
  readonly isBetween: () => boolean
}

/** A comment that clients of event streams skip. */
export const keepAliveComment: Uint8Array = new TextEncoder().encode(': keep-alive\n\n')

/**
 * Follows the ends of lines. Before the first byte it is between events; after a lone carriage return it is not, since the other half of
 * the line's end may follow.
 */
export function followEvents(): EventBoundary {
  let last = lineFeed
  let second = lineFeed
  let third = 0

  return {
    add: (chunk) => {
      const start = Math.max(0, chunk.byteLength - 3)
      for (let index = start; index < chunk.byteLength; index++) {
        third = second
        second = last
        last = chunk[index] as number
      }
    },
    isBetween: () => last === lineFeed && (second === lineFeed || (second === carriageReturn && third === lineFeed)),
  }
}

const lineFeed = 10
const carriageReturn = 13
