/** No file nests like this. */
const mostDepth = 1000

/**
 * A JSON text that was cut off, closed behind the last whole item of its outermost list that has one; null where no item is whole.
 * Whatever stands inside an item that was cut is left out with it.
 */
export function closeJson(text: string): string | null {
  const open: { readonly isList: boolean; end: number }[] = []
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') {
      at = endOfString(text, at)
      if (at < 0) break
    } else if (character === '[' || character === '{') {
      if (open.length === mostDepth) return null
      open.push({ isList: character === '[', end: -1 })
    } else if (character === ']' || character === '}') {
      open.pop()
      const outer = open.at(-1)
      if (outer?.isList === true) outer.end = at + 1
    } else if (character === ',') {
      const inner = open.at(-1)
      if (inner?.isList === true) inner.end = at
    }
  }
  const list = open.findIndex(({ isList, end }) => isList && end > 0)
  if (list < 0) return null
  const closers = open.slice(0, list + 1).map(({ isList }) => (isList ? ']' : '}'))
  return `${text.slice(0, open[list]?.end)}${closers.reverse().join('')}`
}

/** Where a string's closing quote stands; -1 where it has none. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return -1
}
