/** Which lines are wanted, and how much of them. */
export interface LineWindow {
  /** Counted from 1. */
  readonly from: number
  readonly limit: number
  /** Characters of one line. */
  readonly maxLine: number
  /** Characters of all lines together. */
  readonly maxChars: number
  /** Whether the lines behind the window are counted too, which needs the rest of the file. */
  readonly countsAll: boolean
}

/** Lines of a file. */
export interface ReadLines {
  /** Without their ends. */
  readonly lines: readonly ReadLine[]
  /** How many lines the file has, as far as it was looked at. */
  readonly total: number
  /** Whether that is all of them. */
  readonly isWhole: boolean
  readonly hasCarriageReturns: boolean
}

/** A line, and how many bytes of it are not shown. */
export interface ReadLine {
  readonly text: string
  readonly cutBytes: number
}

/**
 * Takes the wanted lines out of a stream of UTF-8 bytes. Only those lines are held, and of each only its beginning, so that neither
 * the size of a file nor that of a line matters.
 */
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

  function finishLine(): void {
    const isCarriageReturn = lastByte === 13
    if (wantsLine()) {
      const line = lineOf(Buffer.concat(kept, keptBytes).toString('utf8'), lineBytes, isCarriageReturn)
      characters += line.text.length + 1
      // The first line is shown however long it is: otherwise nobody could go on from there.
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

  function lineOf(whole: string, bytes: number, isCarriageReturn: boolean): ReadLine {
    const start = ended === 0 && whole.charCodeAt(0) === 0xfeff ? 1 : 0
    const end = isCarriageReturn && whole.endsWith('\r') ? whole.length - 1 : whole.length
    if (end - start <= maxLine && keptBytes === bytes) return { text: whole.slice(start, end), cutBytes: 0 }
    const text = whole.slice(start, Math.min(end, start + maxLine)).replace(/[\ud800-\udbff\ufffd]$/, '')
    return { text, cutBytes: Math.max(0, bytes - Buffer.byteLength(text)) }
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
    endLine: finishLine,
    isDone: () => isFull || lines.length >= limit,
    result(isWhole: boolean): ReadLines {
      if (lineBytes > 0) finishLine()
      return { lines, total: ended, isWhole, hasCarriageReturns }
    },
  }
}
