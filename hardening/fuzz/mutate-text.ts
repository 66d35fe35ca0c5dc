import type { Random } from './random.ts'

/** Material for mutations. */
export interface MutationSource {
  readonly random: Random
  /** Strings with a meaning in the format. */
  readonly words: readonly string[]
}

/** Characters that often cause bugs: controls, line ends, escapes, lone surrogates, invisible and joining characters. */
const oddCharacters: readonly string[] = [
  '\0',
  '\x07',
  '\b',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\x1b',
  '\x1b[',
  '\x1b]',
  '\x7f',
  '\x85',
  '\x9b',
  '\xa0',
  '\xad',
  '\u0301',
  '\u061c',
  '\u200b',
  '\u200d',
  '\u2028',
  '\u2029',
  '\u202e',
  '\ufeff',
  '\ufffd',
  '\ud800',
  '\udbff',
  '\udc00',
  '\udfff',
  '😀',
  '中',
  'İ',
  'ß',
  ' ',
  '"',
  "'",
  '`',
  '\\',
  '/',
  '..',
  '*',
  '{',
  '}',
  '[',
  ']',
  '<',
  '>',
  '&',
  ':',
  ',',
  '-',
  '#',
  '%',
  '0',
  '9',
  'a',
  'Z',
  '=',
  '__proto__',
  'constructor',
  'toString',
]

const oddNumbers = [
  '0',
  '-1',
  '-0',
  '1e309',
  '9007199254740993',
  '4294967296',
  '1.5',
  '00',
  '1e-7',
  'NaN',
  '99999999999999999999',
]

/** The text with one mutation of its characters. */
export function mutateText(text: string, other: string, { random, words }: MutationSource): string {
  const at = random.below(text.length + 1)
  const length = random.oneIn(4) ? random.below(text.length + 1) : 1 + random.below(8)
  const piece = text.slice(at, at + length)
  switch (random.below(12)) {
    case 0:
      return text.slice(0, at) + text.slice(at + length)
    case 1:
      return text.slice(0, at) + random.pick(oddCharacters) + text.slice(at)
    case 2:
      return text.slice(0, at) + random.pick(oddCharacters) + text.slice(at + 1)
    case 3:
      return (
        text.slice(0, at) + String.fromCharCode(random.oneIn(3) ? random.below(65536) : random.below(128)) + text.slice(at + 1)
      )
    case 4:
      return words.length === 0 ? text : text.slice(0, at) + random.pick(words) + text.slice(at)
    case 5:
      return words.length === 0 ? text : text.slice(0, at) + random.pick(words) + text.slice(at + length)
    case 6:
      // Enough repetitions to expose anything slower than linear.
      return text.slice(0, at) + piece.repeat(1 + random.below(random.oneIn(4) ? 400 : 4)) + text.slice(at)
    case 7: {
      const to = random.below(text.length + 1)
      return text.slice(0, to) + piece + text.slice(to)
    }
    case 8:
      return text.slice(0, at) + other.slice(random.below(other.length + 1))
    case 9: {
      const from = random.below(other.length + 1)
      return text.slice(0, at) + other.slice(from, from + 1 + random.below(64)) + text.slice(at)
    }
    case 10:
      return changeNumber(text, at, random)
    default:
      return random.oneIn(2) ? text.slice(0, at) : text.slice(at)
  }
}

/** Changes the next number after an index. */
function changeNumber(text: string, from: number, random: Random): string {
  const found = /\d{1,20}/.exec(text.slice(from, from + 200))
  if (found === null) return text + random.pick(oddNumbers)
  const start = from + found.index
  const near = String(Math.max(0, Number(found[0]) + (random.oneIn(2) ? 1 : -1)))
  return text.slice(0, start) + (random.oneIn(2) ? near : random.pick(oddNumbers)) + text.slice(start + found[0].length)
}
