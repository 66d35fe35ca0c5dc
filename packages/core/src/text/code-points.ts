/** How many code points a text has; half a surrogate pair on its own counts as one. */
export function countCodePoints(text: string): number {
  return text.length - countPairs(text)
}

/** Counts the code points of a text that comes in pieces, which may end between the halves of a character. */
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
    if (isPair(text, index)) {
      pairs += 1
      index += 1
    }
  }
  return pairs
}

/** Where the first `count` code points of a text end. */
export function endOfFirst(text: string, count: number): number {
  if (count >= text.length) return text.length
  const near = text.slice(0, count * 2)
  if (!surrogate.test(near)) return count
  let index = 0
  for (let left = count; left > 0 && index < text.length; left -= 1) index += isPair(text, index + 1) ? 2 : 1
  return index
}

/** Where the last `count` code points of a text begin. */
export function startOfLast(text: string, count: number): number {
  if (count >= text.length) return 0
  const near = text.slice(text.length - Math.min(text.length, count * 2 + 1))
  if (!surrogate.test(near)) return text.length - count
  let index = text.length
  for (let left = count; left > 0 && index > 0; left -= 1) index -= index > 1 && isPair(text, index - 1) ? 2 : 1
  return index
}

/** How many newlines a text has. */
export function countNewlines(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** How many lines a text has; a newline at its very end begins no further line. */
export function countLines(text: string): number {
  return countNewlines(text) + (text === '' || text.endsWith('\n') ? 0 : 1)
}

// Answers at once for strings held as one byte a character, which most logs are.
const surrogate = /[\ud800-\udfff]/

/** Whether the unit before `index` and the one at it are the two halves of one character. */
function isPair(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xdc00 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800
}
