import { terminalText } from '@plimsoll/core'

/** The end of what a command complained about. */
export interface StderrTail {
  readonly write: (bytes: Buffer) => void
  /** The last lines of it. */
  readonly text: () => string
}

/** A tail of so many lines. */
export function createStderrTail(lines: number): StderrTail {
  let tail = Buffer.alloc(0)
  return {
    write(bytes) {
      const near = bytes.subarray(-longest)
      tail = Buffer.concat([tail.subarray(-Math.max(1, longest - near.length)), near])
    },
    text() {
      const text = tail.toString('utf8').replace(/\n$/, '')
      // Where the tail begins, a character or a line may be cut in two.
      return text
        .split('\n')
        .slice(-lines)
        .map(terminalText)
        .join('\n')
        .replace(/^\ufffd+/, '')
    },
  }
}

const longest = 8192
