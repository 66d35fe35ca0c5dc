/** The values of a stream of lines of JSON. */
export interface JsonLineReader {
  readonly read: () => AsyncGenerator<unknown, void>
  /** How many lines were passed over because they are longer than anybody can use. */
  readonly tooLong: () => number
}

/** Reads what a program writes as one JSON value a line, without ever holding more than the longest line allowed. */
export function createJsonLineReader(bytes: AsyncIterable<Uint8Array>, longest = 8_000_000): JsonLineReader {
  let skipped = 0
  return {
    tooLong: () => skipped,
    async *read() {
      let pieces: Buffer[] = []
      let size = 0
      for await (const chunk of bytes) {
        const buffer = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
        for (let start = 0; start < buffer.length; ) {
          const newline = buffer.indexOf(10, start)
          const end = newline === -1 ? buffer.length : newline
          size += end - start
          if (size <= longest) pieces.push(buffer.subarray(start, end))
          else pieces = []
          if (newline !== -1) {
            if (size > longest) skipped += 1
            else yield valueOf(Buffer.concat(pieces, size).toString('utf8'))
            pieces = []
            size = 0
          }
          start = end + 1
        }
      }
    },
  }
}

/** Undefined where a line is no JSON. */
function valueOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}
