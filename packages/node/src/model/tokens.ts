import type { Tokenizer } from '@plimsoll/core'

/**
 * The exact o200k tokenizer, loaded at the first call (its vocabulary takes about 150 ms to read). Control words such as
 * `<|endoftext|>` count as text. Runs of more than 256 letters, blanks or symbols are counted in pieces, since the algorithm
 * takes quadratic time for them; the count may be off by a token a piece.
 */
export function createO200kTokenizer(): Promise<Tokenizer> {
  loading ??= load()
  return loading
}

/** No word or indentation in ordinary text is longer. */
const maxRunLength = 256
/** Characters whose words are cached. */
const maxCached = 1_000_000

let loading: Promise<Tokenizer> | undefined

async function load(): Promise<Tokenizer> {
  const { clearMergeCache, countTokens, setMergeCacheSize } = await import('gpt-tokenizer/encoding/o200k_base')
  // A full cache drops its oldest entry for each new one, and looks for it so long that counting takes four times as long. So it is
  // never full, and emptied now and then.
  setMergeCacheSize(Number.POSITIVE_INFINITY)
  let counted = 0
  // Neither allows nor forbids any control word.
  const options = { disallowedSpecial: new Set<string>() }
  return {
    name: 'o200k',
    count(text) {
      counted += text.length
      if (counted > maxCached) {
        clearMergeCache()
        counted = text.length
      }
      let total = 0
      for (const piece of cutRuns(text, maxRunLength)) total += countTokens(piece, options)
      return total
    },
  }
}

/** Cuts runs of letters, blanks or symbols that are longer than `limit` UTF-16 units; never inside a surrogate pair. */
export function cutRuns(text: string, limit: number): readonly string[] {
  const pieces: string[] = []
  let pieceStart = 0
  let runStart = 0
  let run = unknown
  // A combining mark or half a surrogate pair extends both the run before and the run after it.
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
    // Digits are taken three at a time.
    const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff
    if (index - start >= limit && kind !== digit && !isLowSurrogate) {
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
/** Caches kinds: a regular expression for each character would cost more than the tokenizer. */
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
