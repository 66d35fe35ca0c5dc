/** Number of code points; half a surrogate pair counts as one. */
export function countCodePoints(text: string): number {
  return text.length - countPairs(text)
}

/** Counts the code points of a text that arrives in pieces, which may end between the halves of a character. */
export function createCodePointCounter(): { readonly add: (text: string) => void; readonly total: () => number } {
  let total = 0
  let highAtEnd = false
  return {
    add(text) {
      if (text === '') return
      total += countCodePoints(text)
      if (highAtEnd && (text.charCodeAt(0) & 0xfc00) === 0xdc00) total -= 1
      highAtEnd = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800
    },
    total: () => total,
  }
}

function countPairs(text: string): number {
  if (!surrogate.test(text)) return 0
  let pairs = 0
  for (let index = 1; index < text.length; index += 1) {
    if (isInside(text, index)) {
      pairs += 1
      index += 1
    }
  }
  return pairs
}

export function firstCharacters(text: string, count: number): string {
  if (count >= text.length) return text
  const near = text.slice(0, count * 2)
  if (!surrogate.test(near)) return text.slice(0, count)
  let index = 0
  for (let left = count; left > 0 && index < text.length; left -= 1) index += isInside(text, index + 1) ? 2 : 1
  return text.slice(0, index)
}

export function lastCharacters(text: string, count: number): string {
  if (count >= text.length) return text
  const near = text.slice(text.length - Math.min(text.length, count * 2 + 1))
  let index = text.length - count
  if (surrogate.test(near)) {
    index = text.length
    for (let left = count; left > 0 && index > 0; left -= 1) index -= index > 1 && isInside(text, index - 1) ? 2 : 1
  }
  return text.slice(index)
}

export function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Number of lines; a final newline does not start another one. */
export function countLines(text: string): number {
  return countNewlines(text) + (text === '' || text.endsWith('\n') ? 0 : 1)
}

// Answers at once for strings stored as one byte per character, which most logs are.
const surrogate = /[\ud800-\udfff]/

/** Whether an index is between the two halves of one character. */
export function isInside(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800
}

export function firstLines(text: string, count: number): string {
  if (count <= 0) return ''
  let end = -1
  for (let left = count; left > 0; left -= 1) {
    end = text.indexOf('\n', end + 1)
    if (end === -1) return withoutLastNewline(text)
  }
  return text.slice(0, end)
}

/** The length of the last lines of a text, including a final newline. */
export function lastLinesLength(text: string, count: number): number {
  if (count <= 0) return 0
  let start = text.endsWith('\n') ? text.length - 1 : text.length
  for (let left = count; left > 0; left -= 1) {
    start = start === 0 ? -1 : text.lastIndexOf('\n', start - 1)
    if (start === -1) return text.length
  }
  return text.length - start - 1
}

export function withoutLastNewline(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}

/** One line of at most `width` UTF-16 units around a hit, with `…` where text is omitted. Always detached from the log. */
export function shorten(line: string, hit: { readonly at: number; readonly length: number }, width: number): string {
  const text = line.trimEnd()
  if (text.length <= width) return detached(text)
  // The meaning of a hit mostly follows it.
  const before = Math.floor(Math.max(0, width - hit.length) / 4)
  const start = Math.max(0, Math.min(hit.at - before, text.length - width))
  const end = start + width
  const left = start === 0 ? '' : '…'
  const right = end === text.length ? '' : '…'
  return detached(left + wholeCharacters(text, start + left.length, end - right.length) + right)
}

export function wholeCharacters(text: string, start: number, end: number): string {
  const from = start < end && (text.charCodeAt(start) & 0xfc00) === 0xdc00 ? start + 1 : start
  const to = end > from && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end
  return text.slice(from, to)
}

/** Number of bytes in UTF-8. Half a character takes three, as its replacement does. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    if (isInside(text, index + 1)) index += 1
  }
  return bytes
}

/** A copy of a text that does not keep its source in memory: engines store a slice as a reference to the text it was cut from. */
export function detached(text: string): string {
  // Engines copy a few characters anyway.
  if (text.length <= alwaysCopied) return text
  return [text.slice(0, 1), text.slice(1)].join('')
}

const alwaysCopied = 8

/** Results of commands often come as one long line `{"stdout":"…\n…"}`. Finds the escaped line around a place in it. */
export function escapedLineAround(text: string, at: number): { readonly start: number; readonly end: number } {
  const before = text.lastIndexOf('\\n', at)
  const after = text.indexOf('\\n', at)
  return { start: before === -1 ? 0 : before + 2, end: after === -1 ? text.length : after }
}

export function beginsLikeJson(text: string, start: number): boolean {
  const unit = text.charCodeAt(start)
  return unit === 0x7b || unit === 0x5b || unit === 0x22
}

/** Undoes the JSON escapes that matter on a terminal. */
export function unescaped(piece: string): string {
  if (!piece.includes('\\')) return piece
  return piece.replace(/\\(?:u00([01][0-9a-f])|([rtb"/\\]))/gi, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (letters[letter ?? ''] ?? letter ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const letters: Readonly<Record<string, string>> = { r: '\r', t: '\t', b: '\b' }

export function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(?:\d{3}){1,110}$)/g, ',')
}

export function runsOf(numbers: readonly number[]): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const run = runs.at(-1)
    if (run !== undefined && run[1] === number - 1) run[1] = number
    else runs.push([number, number])
  }
  return runs
}

/** Every two neighbouring characters of a word, for scripts without spaces. */
export function pairsOf(word: string): readonly string[] {
  const characters = [...word]
  return characters.length === 1 ? characters : characters.slice(1).map((character, index) => `${characters[index]}${character}`)
}
