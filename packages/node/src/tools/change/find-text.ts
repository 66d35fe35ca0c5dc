/** A text with `\n` ends; `originalIndex` is the place in the original for one in `text`. */
export function plainLines(original: string) {
  const text = toPlainLines(original)
  const removed = original.length - text.length
  if (removed === 0) return { text, ending: '\n', originalIndex: (index: number) => index }
  const ends = new Int32Array(removed)
  let count = 0
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2)) {
    ends[count] = at - count
    count += 1
  }
  return {
    text,
    ending: removed * 2 > countLineEnds(text, text.length) ? '\r\n' : '\n',
    // For each line end before the place, one more character was removed.
    originalIndex: (index: number) => index + firstNotBefore(ends, index),
  }
}

export function toPlainLines(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text
}

export function lineAt(text: string, place: number): number {
  return countLineEnds(text, place) + 1
}

function countLineEnds(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

function firstNotBefore(sorted: Int32Array, value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a text occurs in another, in order. Takes linear time. */
export function occurrencesOf(text: string, wanted: string, overlap: 'overlapping' | 'apart'): readonly number[] {
  if (wanted === '' || wanted.length > text.length) return []
  if (text.length * wanted.length > cheapProduct) return byPrefixes(text, wanted, overlap === 'apart')
  const step = overlap === 'apart' ? wanted.length : 1
  const found: number[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) found.push(at)
  return found
}

/** Up to here the engine's own search is fast even at its worst, which is every character with every other. */
const cheapProduct = 100_000_000

/** Knuth, Morris and Pratt. */
function byPrefixes(text: string, wanted: string, isApart: boolean): readonly number[] {
  const borders = bordersOf(wanted)
  const found: number[] = []
  let matched = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    while (matched > 0 && unit !== wanted.charCodeAt(matched)) matched = borders[matched - 1] as number
    if (unit === wanted.charCodeAt(matched)) matched += 1
    if (matched < wanted.length) continue
    found.push(index - wanted.length + 1)
    matched = isApart ? 0 : (borders[matched - 1] as number)
  }
  return found
}

/** For each start of a text, the length of its longest start that is also its end. */
function bordersOf(wanted: string): Int32Array {
  const borders = new Int32Array(wanted.length)
  let length = 0
  for (let index = 1; index < wanted.length; index += 1) {
    const unit = wanted.charCodeAt(index)
    while (length > 0 && unit !== wanted.charCodeAt(length)) length = borders[length - 1] as number
    if (unit === wanted.charCodeAt(length)) length += 1
    borders[index] = length
  }
  return borders
}

export function numberedLine(line: string, number: number, maxLength: number): string {
  const shown = line.length <= maxLength ? line : `${line.slice(0, maxLength).toWellFormed()}…`
  return `${String(number).padStart(6)}\t${shown}`
}
