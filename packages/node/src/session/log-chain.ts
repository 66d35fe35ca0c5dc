import { crc32 } from 'node:zlib'
import { headLength } from '@plimsoll/core/session'
import { stringsFor } from '../strings/strings-for.ts'
import type { LineProblem } from './session.ts'

/** The last line with a checksum: its number among those lines, from 1, and its checksum. */
export interface ChainEnd {
  readonly number: number
  readonly own: string
}

/** The checksum field of a line: the line's number, the checksum of the line before it, and its own. */
export interface LineSum extends ChainEnd {
  readonly before: string
  /** Whether the line still has the content that it was written with. */
  readonly isRight: boolean
}

export const noLines: ChainEnd = { number: 0, own: '' }

const zeros = '00000000'

/** The checksum of a line is the CRC-32 of its bytes with zeros in its own place. */
function digits(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}

/** A line as it is written, with its line end and its checksum. `line` is as from `writeLine`. One that `isWrong` gets a checksum that says so. */
export function sealLine(
  line: string,
  { number: previous, own: before }: ChainEnd,
  isWrong = false,
): { bytes: Buffer; sum: LineSum | null } {
  // Quotes inside a text are escaped, so this is the field itself.
  const from = line.indexOf(',"bytes":') + 9
  let to = from
  while (line.charCodeAt(to) >= 48 && line.charCodeAt(to) <= 57) to += 1
  const number = previous + 1
  const field = `,"sum":"${number}-${before}-${zeros}"`
  const head = `${line.slice(0, from)}${Number(line.slice(from, to)) + field.length}${field}`
  const place = Buffer.byteLength(head, 'utf8') - zeros.length - 1
  // A reader looks for it in the head. Ids that long are not ours.
  if (from < 9 || to === from || place + zeros.length >= headLength) return { bytes: Buffer.from(`${line}\n`, 'utf8'), sum: null }
  const bytes = Buffer.from(`${head}${line.slice(to)}\n`, 'utf8')
  const right = crc32(bytes.subarray(0, -1))
  const own = digits(isWrong ? ~right >>> 0 : right)
  bytes.write(own, place, 'latin1')
  return { bytes, sum: { number, before, own, isRight: !isWrong } }
}

/** Seals line after line, from the start of a log. */
export function createSealer() {
  let end = noLines
  return {
    /** A copy of a line that was changed is marked as changed. */
    seal(line: string, isWrong = false): Buffer {
      const { bytes, sum } = sealLine(line, end, isWrong)
      end = sum ?? end
      return bytes
    },
    /** Leaves a gap: whoever reads the log learns that this many entries are missing here. */
    skip(count: number): void {
      if (count > 0) end = { number: end.number + count, own: '' }
    },
    end: () => end,
  }
}

// The order in which we write these fields. Editors may add a byte order mark.
const sealed =
  /^(?:\u00ef\u00bb\u00bf)?\{"type":"\w+","id":"(?:[^"\\]|\\.)*","parentId":(?:null|"(?:[^"\\]|\\.)*"),"at":\d{1,16},"bytes":(\d{1,12})(,"sum":"(\d{1,15})-([0-9a-f]{8}|)-([0-9a-f]{8})")/

/** A line without its checksum, to be written elsewhere. */
export function unsealed(line: string): string {
  const [whole, bytes = '', field = ''] = sealed.exec(line) ?? []
  if (whole === undefined) return line
  const head = whole.slice(0, whole.length - field.length - bytes.length)
  return `${head}${Number(bytes) - field.length}${line.slice(whole.length)}`
}

/** Reads the checksum field of a line in another form than ours, which cannot be checked. */
export function foreignSum(field: string): LineSum {
  const [, number = '0', before = '', own = ''] = /^(\d{1,15})-([0-9a-f]{8}|)-([0-9a-f]{8})$/.exec(field) ?? []
  return { number: Number(number), before, own, isRight: false }
}

/** Checks a line that arrives in pieces, without holding more than its head. Changes the pieces. */
export function createLineCheck() {
  let head: Buffer | null = null
  let found: ReturnType<typeof sealed.exec> = null
  let isStarted = false
  let sum = 0

  const start = (piece: Buffer, text: string) => {
    isStarted = true
    found = sealed.exec(text)
    if (found === null) return
    const place = found[0].length - 1
    piece.fill(zero, place - zeros.length, place)
    sum = crc32(text.startsWith(mark) ? piece.subarray(mark.length) : piece)
  }

  return {
    /** Takes the next piece, which is not used later. */
    take(piece: Buffer): void {
      if (isStarted) {
        if (found !== null) sum = crc32(piece, sum)
        return
      }
      const known = head === null ? piece : Buffer.concat([head, piece])
      if (known.length >= headLength) start(known, headOf(known))
      else head = known === piece ? Buffer.from(known) : known
    },
    /** The checksum of a line that lies in one piece; null if it has none. `text` is its beginning, one character per byte. */
    whole(line: Buffer, text = headOf(line)): LineSum | null {
      start(line, text)
      return this.end()
    },
    /** The checksum of the line; null if it has none. The next piece starts another line. */
    end(): LineSum | null {
      if (!isStarted && head !== null) start(head, headOf(head))
      const [, , , number = '', before = '', own = ''] = found ?? []
      const isRight = Number.parseInt(own, 16) === sum
      const read = found === null ? null : { number: Number(number), before, own, isRight }
      head = null
      found = null
      isStarted = false
      return read
    },
  }
}

function headOf(line: Buffer): string {
  return line.toString('latin1', 0, headLength)
}

/** The byte order mark of an editor, one character per byte. */
const mark = '\u00ef\u00bb\u00bf'
const zero = 48

/** A place where lines are missing: the numbers before and after it, and how many of those between came elsewhere or are unreadable. */
interface Gap {
  readonly line: number
  readonly offset: number
  readonly after: number
  readonly before: number
  accounted: number
}

interface CheckedLine {
  readonly line: number
  readonly offset: number
  readonly sum: LineSum | null
  /** Whether it is a header that was written without a checksum. */
  readonly isPlainHeader: boolean
  /** Whether something else is wrong with it, which was reported. */
  readonly isReported: boolean
  /** Whether nothing of it could be used. */
  readonly isLost: boolean
}

/**
 * Follows the checksums of a log from line to line. `expected` is the end that was written down next to the log; the log may go further,
 * because it is written first.
 */
export function createLogChain(expected: ChainEnd | null) {
  const strings = stringsFor(null).session
  const problems: LineProblem[] = []
  const gaps: Gap[] = []
  let last: ChainEnd & { readonly isSure: boolean } = { ...noLines, isSure: true }
  let unreadable = 0
  let isPlainStart = false
  let exchanged: ChainEnd | null = null
  let lines = 0
  let bytes = 0

  const problem = (kind: LineProblem['kind'], { line, offset }: CheckedLine, message: string) => {
    problems.push({ line, offset, kind, message })
  }

  const takeChanged = (checked: CheckedLine, { number, own }: LineSum) => {
    if (!checked.isReported) problem('changed', checked, strings.lineChanged(checked.line))
    // The field itself may be damaged.
    if (number === last.number + 1) {
      last = { number, own, isSure: false }
      unreadable = 0
    } else unreadable += 1
  }

  const takeRight = (checked: CheckedLine, { number, before, own }: LineSum) => {
    const { line, offset, isReported } = checked
    if (number <= last.number) {
      const gap = gaps.find((one) => number > one.after && number < one.before)
      if (gap !== undefined) gap.accounted += 1
      if (!isReported) problem('moved', checked, strings.lineMoved(line))
      return
    }
    if (number > last.number + 1) gaps.push({ line, offset, after: last.number, before: number, accounted: unreadable })
    const isOther = number === last.number + 1 ? last.isSure && before !== last.own : false
    const isExchanged = number === expected?.number && own !== expected.own
    if (isOther || isExchanged) problem('moved', checked, strings.lineMoved(line))
    if (isExchanged) exchanged = expected
    else if (before === exchanged?.own) exchanged = null
    last = { number, own, isSure: true }
    unreadable = 0
  }

  const missing = ({ line, offset, after, before, accounted }: Gap): readonly LineProblem[] => {
    const count = before - after - 1 - accounted
    return count <= 0 ? [] : [{ line, offset, kind: 'missing', count, message: strings.entriesMissing(line, count) }]
  }

  return {
    take(checked: CheckedLine): void {
      const { line, offset, sum, isPlainHeader, isLost } = checked
      lines = line
      bytes = offset
      if (sum === null) unreadable += isLost ? 1 : 0
      else {
        // An older version copied the lines of another log under a header of its own.
        if (isPlainStart && last.number === 0) last = { number: sum.number - 1, own: sum.before, isSure: true }
        if (sum.isRight) takeRight(checked, sum)
        else takeChanged(checked, sum)
      }
      if (line === 1) isPlainStart = isPlainHeader
    },
    /** What the next line continues: the end that was written down if the log does not have it, so that this stays visible. */
    end(): ChainEnd {
      if (expected !== null && expected.number > last.number) return expected
      return exchanged === null ? last : { number: last.number, own: exchanged.own }
    },
    /** Replaces what was found in a line by something more exact. */
    drop(line: number): void {
      const place = problems.findIndex((one) => one.line === line && one.kind === 'changed')
      if (place >= 0) problems.splice(place, 1)
    },
    problems(): readonly LineProblem[] {
      const known = expected?.number ?? 0
      const end: Gap = { line: lines + 1, offset: bytes, after: last.number, before: known + 1, accounted: unreadable }
      return [...problems, ...gaps.flatMap(missing), ...(known > last.number ? missing(end) : [])]
    },
  }
}
