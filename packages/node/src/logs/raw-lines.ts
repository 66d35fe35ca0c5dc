/** A line of a file as it is, without its end. */
export interface RawLine {
  /** From 1. */
  readonly line: number
  /** Null for a line that is longer than any entry. */
  readonly bytes: Buffer | null
  /** Whether a newline ends it; only the last line may lack one. */
  readonly isEnded: boolean
}

/** The longest line that is looked into; one image or result is far shorter. */
const longestLine = 256_000_000

/** Cuts a stream of bytes into lines as they arrive, so that no more than one line is held. Blank ones are lines, too. */
export async function* rawLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  longest: number = longestLine,
): AsyncGenerator<RawLine, void> {
  let line = 1
  let pieces: Buffer[] = []
  let size = 0
  const take = (piece: Buffer) => {
    size += piece.length
    // What is too long is counted and not kept.
    if (size <= longest) pieces.push(piece)
    else pieces = []
  }
  const end = (isEnded: boolean): RawLine => {
    const ended = { line, bytes: size > longest ? null : Buffer.concat(pieces), isEnded }
    pieces = []
    size = 0
    line += 1
    return ended
  }
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (let newline = bytes.indexOf(newlineByte); newline >= 0; newline = bytes.indexOf(newlineByte, start)) {
      take(bytes.subarray(start, newline))
      start = newline + 1
      yield end(true)
    }
    // Whoever sent the chunk may use its memory again.
    if (start < bytes.length) take(Buffer.from(bytes.subarray(start)))
  }
  if (size > 0) yield end(false)
}

const newlineByte = 0x0a
