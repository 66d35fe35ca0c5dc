/** Takes bytes in pieces and gives the lines in them. */
export interface LineSplitter {
  /** The lines that this piece ends, without their ends. Throws where a line has more bytes than may be. */
  readonly add: (piece: Buffer) => readonly string[]
}

/** A splitter that keeps no more than one line, and looks at every byte once, whatever the pieces. */
export function createLineSplitter(mostBytes: number): LineSplitter {
  let held: Buffer[] = []
  let bytes = 0

  function hold(piece: Buffer): void {
    bytes += piece.byteLength
    if (bytes > mostBytes) {
      held = []
      bytes = 0
      throw new Error(`it wrote a line of more than ${mostBytes} bytes`)
    }
    held.push(piece)
  }

  return {
    add(piece) {
      const lines: string[] = []
      let start = 0
      for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
        hold(piece.subarray(start, end))
        lines.push(Buffer.concat(held).toString('utf8'))
        held = []
        bytes = 0
        start = end + 1
      }
      if (start < piece.byteLength) hold(piece.subarray(start))
      return lines
    },
  }
}

const newline = 0x0a
