import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { LargeText } from '@plimsoll/core'
import { stringsFor } from '../strings/strings-for.ts'

/**
 * A file of UTF-8 as a text that is never held as a whole. Reads the file once to check its hash and to learn where its lines are;
 * null where the hash is another one. Throws what the system says of a file that cannot be read.
 */
export function openLargeBlob(file: string, sha256: string): LargeText | null {
  const blocks: Block[] = []
  const hash = createHash('sha256')
  const at = { byte: 0, unit: 0, newlines: 0 }
  let isLineEnd = true
  const size = withFile(file, (descriptor) => {
    const buffer = Buffer.allocUnsafe(blockLength)
    for (;;) {
      const length = read(descriptor, buffer, at.byte)
      if (length === 0) return at.byte
      const block = buffer.subarray(0, length < blockLength ? length : wholeCharacters(buffer))
      hash.update(block)
      blocks.push({ ...at })
      count(block, at)
      isLineEnd = block.at(-1) === newline
    }
  })
  if (hash.digest('hex') !== sha256) return null
  const { unit: units, newlines } = at

  /** The text of some blocks, whose numbers are counted from 0. */
  const textOf = (first: number, last: number): string => {
    const start = blocks[first]?.byte ?? size
    const buffer = Buffer.allocUnsafe((blocks[last + 1]?.byte ?? size) - start)
    withFile(file, (descriptor) => {
      const isSame = fstatSync(descriptor).size === size && read(descriptor, buffer, start) === buffer.length
      if (!isSame) throw new Error(stringsFor(null).session.blobDamaged(file))
    })
    return buffer.toString('utf8')
  }

  return {
    length: units,
    lines: newlines + (isLineEnd ? 0 : 1),
    startOf(line) {
      if (line <= 1) return 0
      const before = line - 1
      if (before > newlines) return units
      const block = lastBlock(blocks, (each) => each.newlines < before)
      const { unit, newlines: known } = blocks[block] as Block
      const text = textOf(block, block)
      let place = -1
      for (let number = known; number < before; number += 1) place = text.indexOf('\n', place + 1)
      return unit + place + 1
    },
    slice(start, end) {
      const [from, to] = [Math.max(0, start), Math.min(units, end)]
      if (from >= to) return ''
      const first = lastBlock(blocks, ({ unit }) => unit <= from)
      const last = lastBlock(blocks, ({ unit }) => unit < to)
      const { unit } = blocks[first] as Block
      return textOf(first, last).slice(from - unit, to - unit)
    },
  }
}

/** Where a block begins: its byte, its UTF-16 unit, and the newlines before it. */
interface Block {
  readonly byte: number
  readonly unit: number
  readonly newlines: number
}

const blockLength = 1 << 20
const newline = 10

function withFile<Result>(file: string, use: (descriptor: number) => Result): Result {
  const descriptor = openSync(file, 'r')
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Fills a buffer from a place of the file on, or as much of it as there is. */
function read(descriptor: number, buffer: Buffer, place: number): number {
  let done = 0
  while (done < buffer.length) {
    const length = readSync(descriptor, buffer, done, buffer.length - done, place + done)
    if (length === 0) break
    done += length
  }
  return done
}

/** How much of a full buffer is whole characters, as far as that is UTF-8. */
function wholeCharacters(buffer: Buffer): number {
  for (let end = buffer.length - 1; end > buffer.length - 4; end -= 1) {
    const byte = buffer[end] as number
    if ((byte & 0xc0) !== 0x80) return byte < 0x80 ? buffer.length : end
  }
  return buffer.length
}

function count(block: Buffer, at: { byte: number; unit: number; newlines: number }): void {
  let units = 0
  let newlines = 0
  for (let index = 0; index < block.length; index += 1) {
    const byte = block[index] as number
    // Bytes that go on with a character are none of their own; a character of four bytes has two units.
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
    if (byte === newline) newlines += 1
  }
  at.byte += block.length
  at.unit += units
  at.newlines += newlines
}

/** The last block that something holds for; it holds for the first, and for none behind one it does not hold for. */
function lastBlock(blocks: readonly Block[], holds: (block: Block) => boolean): number {
  let [low, high] = [0, blocks.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(blocks[middle] as Block)) low = middle
    else high = middle
  }
  return low
}
