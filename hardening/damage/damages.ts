import type { Random } from '../fuzz/random.ts'

/** A way in which a file loses or changes bytes; null if it cannot happen to this one. */
export type Damage = (bytes: Buffer, random: Random, other: Buffer) => Buffer | null

/** What happens to files: a disk that flips bits, a write that is cut off, a copy that is incomplete, an editor that loses lines. */
export const damages: Readonly<Record<string, Damage>> = {
  'one bit flipped': (bytes, random) => flipped(bytes, random, 1),
  'several bits flipped': (bytes, random) => flipped(bytes, random, 2 + random.below(30)),
  'a letter exchanged': (bytes, random) => {
    const places = [...bytes.keys()].filter((place) => isLetter(bytes[place] as number))
    const copy = Buffer.from(bytes)
    const place = random.pick(places)
    copy[place] = 97 + ((((bytes[place] as number) | 32) - 97 + 1 + random.below(24)) % 26)
    return copy
  },
  'end cut off': (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  'last lines removed': (bytes, random) =>
    ofLines(bytes, (lines) => lines.slice(0, lines.length - 1 - random.below(lines.length))),
  'one line removed': (bytes, random) => ofLines(bytes, (lines) => lines.toSpliced(random.below(lines.length), 1)),
  'first line removed': (bytes) => ofLines(bytes, (lines) => lines.slice(1)),
  'two lines swapped': (bytes, random) =>
    ofLines(bytes, (lines) => {
      const [one, two] = [random.below(lines.length), random.below(lines.length)]
      return lines.with(one, lines[two] as Buffer).with(two, lines[one] as Buffer)
    }),
  'a line doubled': (bytes, random) =>
    ofLines(bytes, (lines) => lines.toSpliced(random.below(lines.length), 0, random.pick(lines))),
  'a block of zeros': (bytes, random) => {
    const copy = Buffer.from(bytes)
    const from = random.below(bytes.length)
    return copy.fill(0, from, Math.min(bytes.length, from + 1 + random.below(512)))
  },
  'a piece removed': (bytes, random) => {
    const from = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + 1 + random.below(200))])
  },
  'a number changed': (bytes, random) => {
    const places = [...bytes.keys()].filter((place) => isDigit(bytes[place] as number))
    const copy = Buffer.from(bytes)
    const place = random.pick(places)
    copy[place] = 48 + (((bytes[place] as number) - 48 + 1 + random.below(9)) % 10)
    return copy
  },
  emptied: () => Buffer.alloc(0),
  "replaced by another session's": (_, __, other) => other,
  "lines of another session's put in": (bytes, random, other) =>
    ofLines(bytes, (lines) => lines.toSpliced(1 + random.below(lines.length - 1), 1, random.pick(linesOf(other).slice(1)))),
}

function flipped(bytes: Buffer, random: Random, times: number): Buffer {
  const copy = Buffer.from(bytes)
  for (let time = 0; time < times; time += 1) {
    const place = random.below(bytes.length)
    copy[place] = (copy[place] as number) ^ (1 << random.below(8))
  }
  return copy
}

function isLetter(byte: number): boolean {
  return (byte | 32) >= 97 && (byte | 32) <= 122
}

function isDigit(byte: number): boolean {
  return byte >= 48 && byte <= 57
}

/** The lines of a file, each with its line end. */
function linesOf(bytes: Buffer): readonly Buffer[] {
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from)
    const to = end < 0 ? bytes.length : end + 1
    lines.push(bytes.subarray(from, to))
    from = to
  }
  return lines
}

function ofLines(bytes: Buffer, change: (lines: readonly Buffer[]) => readonly Buffer[]): Buffer | null {
  const lines = linesOf(bytes)
  return lines.length < 3 ? null : Buffer.concat(change(lines))
}
