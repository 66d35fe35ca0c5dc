import type { Tokenizer } from '@plimsoll/core'

/**
 * The exact o200k tokenizer, loaded when first asked for (its vocabulary takes about 150 ms to read). Control words such as
 * `<|endoftext|>` are counted as the text they are. Letters, blanks or symbols that run on for more than 256 characters are
 * counted in pieces, because the algorithm takes time in the square of such a run; there the count may be off by a token a piece.
 */
export function createO200kTokenizer(): Promise<Tokenizer> {
  loading ??= load()
  return loading
}

/** No word, indentation or rule in ordinary text is longer. */
const longestRun = 256

let loading: Promise<Tokenizer> | undefined

async function load(): Promise<Tokenizer> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  // An empty set allows no control word, and forbids none either.
  const options = { disallowedSpecial: new Set<string>() }
  return {
    name: 'o200k',
    count(text) {
      let total = 0
      for (const piece of cutRuns(text, longestRun)) total += countTokens(piece, options)
      return total
    },
  }
}

/**
 * Cuts a text inside runs of letters, of blanks or of symbols that are longer than `limit` UTF-16 units, and nowhere else. The
 * pieces put together are the text; a text without such a run is its only piece. Never cuts between two halves of a surrogate pair.
 */
export function cutRuns(text: string, limit: number): readonly string[] {
  const pieces: string[] = []
  let pieceStart = 0
  let runStart = 0
  let run = unknown
  // A combining mark goes with letters and with symbols, half a surrogate pair may be either: both lengthen the run before them
  // and the one after them.
  let eitherStart = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const kind = code < 128 ? (asciiKinds[code] as number) : wideKind(code)
    if (kind !== run && kind !== either) {
      run = kind
      runStart = Math.max(eitherStart, pieceStart)
    }
    if (kind !== either) eitherStart = index + 1
    const start = kind === either && (run === digit || run === blank) ? Math.max(eitherStart, pieceStart) : runStart
    // Digits are taken three at a time, however many there are.
    if (index - start >= limit && kind !== digit && !isLowSurrogate(code)) {
      pieces.push(text.slice(pieceStart, index))
      pieceStart = index
      runStart = index
    }
  }
  if (pieceStart === 0) return [text]
  pieces.push(text.slice(pieceStart))
  return pieces
}

const unknown = 0
const letter = 1
const digit = 2
const blank = 3
const symbol = 4
const either = 5

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => classify(String.fromCharCode(code)))
/** Filled as characters are met: asking a regular expression about each one again would cost more than the tokenizer. */
const wideKinds = new Uint8Array(0x10000)

function wideKind(code: number): number {
  const known = wideKinds[code] as number
  if (known !== unknown) return known
  const kind = code >= 0xd800 && code <= 0xdfff ? either : classify(String.fromCharCode(code))
  wideKinds[code] = kind
  return kind
}

function classify(character: string): number {
  if (/\p{M}/u.test(character)) return either
  if (/\p{L}/u.test(character)) return letter
  if (/\p{N}/u.test(character)) return digit
  return /\s/u.test(character) ? blank : symbol
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
