/** What a tokenizer takes a character for. From 6 on: other scripts, each with a price of its own. */
export const letter = 0
export const digit = 1
export const symbol = 2
export const space = 3
export const newline = 4
/** A Latin letter outside ASCII. */
export const accented = 5
const firstScript = 6
const control = 7

/** What text of one script costs on average: so much for a run, and so much for each UTF-16 unit in it. */
interface Script {
  /** The high bytes of the characters' codes, as ranges with both ends in. */
  readonly pages: readonly (readonly [first: number, last: number])[]
  readonly run: number
  readonly unit: number
}

const scripts: readonly Script[] = [
  // Whatever is not named below: rare enough to be spelled in bytes.
  { pages: [], run: 0, unit: 2 },
  // Control characters, such as the escape that begins a colour: never part of anything longer.
  { pages: [], run: 0, unit: 1.2 },
  // Greek.
  { pages: [[0x03, 0x03]], run: 0.3, unit: 0.42 },
  // Cyrillic.
  { pages: [[0x04, 0x04]], run: 0.5, unit: 0.22 },
  // The alphabets from Armenian and Hebrew through Arabic and India to Georgian.
  { pages: [[0x05, 0x10]], run: 0.2, unit: 0.38 },
  // Punctuation, currency and letter-like signs.
  { pages: [[0x20, 0x21]], run: 0, unit: 1 },
  // Mathematics, technical signs, shapes, dingbats.
  {
    pages: [
      [0x22, 0x24],
      [0x26, 0x2b],
      [0xfe, 0xfe],
    ],
    run: 0,
    unit: 1.2,
  },
  // Lines and blocks.
  { pages: [[0x25, 0x25]], run: 0.9, unit: 0.4 },
  // Japanese syllables, the punctuation of East Asia, full-width forms.
  {
    pages: [
      [0x30, 0x30],
      [0xff, 0xff],
    ],
    run: 0,
    unit: 0.66,
  },
  // Chinese characters in use today.
  { pages: [[0x4e, 0x9f]], run: 0, unit: 0.73 },
  // Korean syllables.
  { pages: [[0xac, 0xd7]], run: 0.6, unit: 0.46 },
  // Halves of a surrogate pair: emoji, mostly.
  { pages: [[0xd8, 0xdf]], run: 0, unit: 1 },
]

/** The price of a run, by kind. */
export const runPrice: Float64Array = Float64Array.from([0, 0, 0, 0, 0, 0, ...scripts.map((script) => script.run)])
/** The price of one UTF-16 unit in a run, by kind. */
export const unitPrice: Float64Array = Float64Array.from([0, 0, 0, 0, 0, 0, ...scripts.map((script) => script.unit)])

/** The kind of the character with this code. */
export function kindOf(code: number): number {
  return code < 256 ? (low[code] as number) : (pages[code >> 8] as number)
}

const low = new Uint8Array(256)
for (let code = 0; code < 256; code += 1) low[code] = lowKind(code)

const pages = new Uint8Array(256).fill(firstScript)
for (const page of [0x01, 0x02, 0x1e]) pages[page] = accented
scripts.forEach((script, index) => {
  for (const [first, last] of script.pages) pages.fill(firstScript + index, first, last + 1)
})

function lowKind(code: number): number {
  if (code === 0x0a || code === 0x0d) return newline
  if (code === 0x20 || (code >= 0x09 && code <= 0x0c) || code === 0xa0) return space
  if (code >= 0x30 && code <= 0x39) return digit
  if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) return letter
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return control
  return code >= 0xc0 ? accented : symbol
}
