export interface LineWindow {
  readonly from: number
  readonly limit: number
  readonly maxLine: number
  readonly maxChars: number
  /** Whether the lines after the window are counted too, which needs the rest of the file. */
  readonly countsAll: boolean
}

export interface ReadLines {
  readonly lines: readonly ReadLine[]
  readonly total: number
  readonly isWhole: boolean
  readonly hasCarriageReturns: boolean
}

interface ReadLine {
  readonly text: string
  readonly cutBytes: number
}

/** Takes lines out of a stream of UTF-8 bytes. Holds only those lines, and of each only its start. */
export async function readLines(bytes: AsyncIterable<Uint8Array>, window: LineWindow): Promise<ReadLines> {
  const collector = createCollector(window)
  for await (const chunk of bytes) {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let start = 0; start < piece.length; ) {
      const newline = piece.indexOf(10, start)
      const end = newline === -1 ? piece.length : newline
      collector.add(piece, start, end)
      if (newline !== -1) collector.endLine()
      start = end + 1
    }
    if (collector.isDone() && !window.countsAll) return collector.result(false)
  }
  return collector.result(true)
}

function createCollector({ from, limit, maxLine, maxChars }: LineWindow) {
  const lines: ReadLine[] = []
  const maxBytes = maxLine * 4
  let kept: Buffer[] = []
  let [ended, characters, keptBytes, lineBytes] = [0, 0, 0, 0]
  let lastByte = 0
  let [isFull, hasCarriageReturns] = [false, false]

  function wantsLine(): boolean {
    return !isFull && ended + 1 >= from && lines.length < limit
  }

  function endLine(): void {
    const isCarriageReturn = lastByte === 13
    if (wantsLine()) {
      const line = lineOf(Buffer.concat(kept, keptBytes).toString('utf8'), isCarriageReturn)
      characters += line.text.length + 1
      // The first line is shown at any length: otherwise reading could not continue from there.
      if (characters > maxChars && lines.length > 0) isFull = true
      else {
        lines.push(line)
        hasCarriageReturns ||= isCarriageReturn
      }
    }
    kept = []
    ;[keptBytes, lineBytes, lastByte] = [0, 0, 0]
    ended += 1
  }

  function lineOf(whole: string, isCarriageReturn: boolean): ReadLine {
    const start = ended === 0 && whole.charCodeAt(0) === 0xfeff ? 1 : 0
    const end = isCarriageReturn && whole.endsWith('\r') ? whole.length - 1 : whole.length
    if (end - start <= maxLine && keptBytes === lineBytes) return { text: whole.slice(start, end), cutBytes: 0 }
    const text = whole.slice(start, Math.min(end, start + maxLine)).replace(/[\ud800-\udbff\ufffd]$/, '')
    return { text, cutBytes: Math.max(0, lineBytes - Buffer.byteLength(text)) }
  }

  return {
    add(piece: Buffer, start: number, end: number): void {
      if (end <= start) return
      lineBytes += end - start
      lastByte = piece[end - 1] as number
      if (!wantsLine() || keptBytes >= maxBytes) return
      const taken = piece.subarray(start, Math.min(end, start + maxBytes - keptBytes))
      // The stream may use its buffer again.
      kept.push(Buffer.from(taken))
      keptBytes += taken.length
    },
    endLine,
    isDone: () => isFull || lines.length >= limit,
    result(isWhole: boolean): ReadLines {
      if (lineBytes > 0) endLine()
      return { lines, total: ended, isWhole, hasCarriageReturns }
    },
  }
}

/** Holds at most one line. Drops a line that is too long and calls `onLong` once. Default: throws. */
export function createLineSplitter(maxBytes: number, onLong?: () => void) {
  let held: Buffer[] = []
  let bytes = 0

  function hold(piece: Buffer): void {
    const wasLong = bytes > maxBytes
    bytes += piece.byteLength
    if (bytes <= maxBytes) held.push(piece)
    else if (!wasLong) {
      held = []
      if (onLong === undefined) throw new Error(`it wrote a line of more than ${maxBytes} bytes`)
      onLong()
    }
  }

  return {
    add(piece: Buffer): readonly string[] {
      const lines: string[] = []
      let start = 0
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
        hold(piece.subarray(start, end))
        if (bytes <= maxBytes) lines.push(Buffer.concat(held).toString('utf8'))
        held = []
        bytes = 0
        start = end + 1
      }
      if (start < piece.byteLength) hold(piece.subarray(start))
      return lines
    },
  }
}
