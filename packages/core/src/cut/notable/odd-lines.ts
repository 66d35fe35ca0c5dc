import { detached } from '../../text/lines.ts'
import { apartFrom } from './far-numbers.ts'
import { createSegmenter } from './segments.ts'

/** A line whose words are not those that the other lines of its kind have in the same places, or with a number far from theirs. */
export interface OddLine {
  readonly start: number
  readonly end: number
  /** Counted from 1. */
  readonly line: number
  readonly text: string
}

interface Line {
  /** A hash of each word, the same for words that differ only in numbers. */
  readonly words: readonly number[]
  /** The number that each word has, NaN if it has none. */
  readonly numbers: readonly number[]
}

/**
 * The lines of a text that differ from the others, in order: what an installation says once, a log's rare message. Empty if too many differ, as in prose. Long lines are
 * read in segments. Linear in the text.
 */
export function oddLines(text: string): readonly OddLine[] {
  const reader = createOddReader()
  reader.write(text)
  return reader.end()
}

/** `oddLines` for a text in pieces, in bounded memory: the first million characters say what is usual, and what is frequent later is usual there. */
export function createOddReader() {
  const near: (OddLine & Line)[] = []
  let odd: readonly OddLine[] = []
  const usual = new Set<number>()
  const unlike = new Map<number, { readonly first: OddLine; count: number }>()
  const words: number[] = []
  const numbers: number[] = []
  let isOdd: IsOdd | null = null

  function learn(): IsOdd {
    const judge = near.length < minLines ? nothing : modelOf(near)
    const found = near.filter((line) => judge(line.words, line.words.length))
    const isProse = found.length > Math.max(maxFew, Math.floor(near.length * maxShare))
    const apart = isProse || near.length < minLines ? [] : withNumbersApart(near).slice(0, maxFew)
    odd = isProse
      ? []
      : [...new Set([...found, ...apart])]
          .toSorted((one, other) => one.start - other.start)
          .map(({ start, end, line, text }) => ({ start, end, line, text: detached(text) }))
    near.length = 0
    return isProse ? nothing : judge
  }

  const segmenter = createSegmenter((text, start, end, line, offset) => {
    const isNear = offset + end <= maxRead
    const { length, shape } = readWords(text, start, end, words, isNear ? numbers : null)
    if (length === 0) return
    const place = { start: offset + start, end: offset + end, line }
    if (isNear)
      return void near.push({
        ...place,
        text: text.slice(start, end),
        words: words.slice(0, length),
        numbers: numbers.slice(0, length),
      })
    isOdd ??= learn()
    if (usual.has(shape) || unlike.size > maxShapes) return
    const known = unlike.get(shape)
    if (known !== undefined) known.count += 1
    else if (isOdd(words, length)) unlike.set(shape, { first: { ...place, text: detached(text.slice(start, end)) }, count: 1 })
    else if (usual.size < maxShapes) usual.add(shape)
  })

  return {
    write: (piece: string) => segmenter.write(piece),
    end(): readonly OddLine[] {
      segmenter.end()
      isOdd ??= learn()
      const far = [...unlike.values()].filter(({ count }) => count <= maxAlike).map(({ first }) => first)
      return [...odd, ...(far.length > maxFew ? [] : far)]
    },
  }
}

const nothing = () => false
const minLines = 20
const maxAlike = 2
const maxApart = 4
/** More odd lines than this mean that there is no usual line. */
const maxFew = 12
const maxShare = 0.08
const maxRead = 1_000_000
const maxShapes = 4000
const maxWords = 14

/** Whether a line is unlike those given: of a kind that few are, or with a new word where nearly all of its kind have one of a few. */
function modelOf(lines: readonly Line[]): IsOdd {
  const kinds = new Map<number, { readonly first: Judge; readonly places: ReadonlyMap<number, readonly Judge[] | null> }>()
  for (const [length, sameLength] of groupBy(lines, ({ words }) => words.length)) {
    const first = countWords(sameLength, 0)
    const groups = groupBy(sameLength, ({ words }) => first(words[0] as number))
    const places = [...groups].map(([key, group]): [number, readonly Judge[] | null] => [
      key,
      key === unusual || group.length <= maxAlike ? null : Array.from({ length }, (_, place) => countWords(group, place)),
    ])
    kinds.set(length, { first, places: new Map(places) })
  }
  return (words, length) => {
    const kind = kinds.get(length)
    const places = kind?.places.get(kind.first(words[0] as number))
    // Few lines of a kind are odd among many of others.
    if (places == null) return true
    for (let place = 0; place < length; place += 1) if (places[place]?.(words[place] as number) === unusual) return true
    return false
  }
}

/** Lines of which a number is apart from those that the other lines with the same words before it have there, by more than these differ. */
function withNumbersApart<One extends Line>(lines: readonly One[]): readonly One[] {
  const found = new Set<One>()
  for (const [length, sameLength] of groupBy(lines, ({ words }) => words.length)) {
    for (let place = 0; place < length; place += 1) {
      const isLongNumber = ({ words, numbers }: Line) => words[place] === code && !Number.isNaN(numbers[place])
      for (const [, group] of groupBy(sameLength, (line) => (isLongNumber(line) ? plainNumber : (line.words[place] as number)))) {
        if (group.length < minLines || group.length * 2 < sameLength.length) continue
        const numbers = group.flatMap((line) => line.numbers[place] ?? []).filter((number) => !Number.isNaN(number))
        const [low, high] = apartFrom(
          numbers.toSorted((one, other) => one - other),
          maxApart,
        )
        for (const line of group) {
          const number = line.numbers[place] as number
          if (number < low || number > high) found.add(line)
        }
      }
    }
  }
  return lines.filter((line) => found.has(line))
}

/** Whether a line with these words, the first `length` of a list, is odd. */
type IsOdd = (words: readonly number[], length: number) => boolean
type Judge = (word: number) => number

/** Writes a hash of each word into `words`, and the last number in it into `numbers`. Numbers and long codes say which one it is, not what kind of line. */
function readWords(
  text: string,
  start: number,
  end: number,
  words: number[],
  numbers: number[] | null,
): { readonly length: number; readonly shape: number } {
  let length = 0
  let shape = 0
  let at = start
  while (length < maxWords) {
    while (at < end && text.charCodeAt(at) <= 0x20) at += 1
    if (at >= end) break
    let hash = 0
    let isHex = true
    let last = 0
    const from = at
    let digits = -1
    for (; at < end; at += 1) {
      const unit = text.charCodeAt(at)
      if (unit <= 0x20) break
      const isDigit = unit >= 0x30 && unit <= 0x39
      const sign = isDigit ? 0x30 : unit
      // What is measured is a word, or behind `=`; in names and paths numbers say which one it is.
      if (isDigit && last !== 0x30 && !(digits !== -1 && last === 0x2e)) digits = last === 0 || last === 0x3d ? at : -1
      isHex &&= isDigit || (unit >= 0x61 && unit <= 0x66)
      // Runs of digits, and of signs as in progress bars, count once.
      if (sign !== last || isLetter(sign)) hash = (Math.imul(hash, 31) + sign) | 0
      last = sign
    }
    if (isHex && at - from >= minHexLength) hash = code
    if (numbers !== null)
      numbers[length] =
        digits === -1 || (hash === code && !isNumber(text, from, at))
          ? Number.NaN
          : Number.parseFloat(text.slice(digits, Math.min(at, digits + 20)))
    words[length++] = hash
    shape = (Math.imul(shape, 31) + hash) | 0
  }
  return { length, shape }
}

const minHexLength = 7
/** What stands for a code, and the hash of a number of fewer digits. */
const code = -1
const plainNumber = 0x30

function isNumber(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (isLetter(text.charCodeAt(at))) return false
  return true
}

function isLetter(unit: number): boolean {
  return (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a) || unit > 0x7f
}

function groupBy<One extends Line>(lines: readonly One[], keyOf: (line: One) => number): ReadonlyMap<number, One[]> {
  const groups = new Map<number, One[]>()
  for (const line of lines) {
    const key = keyOf(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  return groups
}

const unusual = 1
const varying = 2

/** What a word is at a place: itself if it recurs, unusual among words that do, or one of many that vary. */
function countWords(lines: readonly Line[], place: number): Judge {
  const counts = new Map<number, number>()
  for (const { words } of lines) counts.set(words[place] as number, (counts.get(words[place] as number) ?? 0) + 1)
  let recurring = 0
  for (const count of counts.values()) if (count > maxAlike) recurring += count
  const varies = recurring < lines.length * 0.9 || counts.size > Math.max(8, lines.length * 0.05)
  return (word) => (varies ? varying : (counts.get(word) ?? 0) > maxAlike ? word : unusual)
}
