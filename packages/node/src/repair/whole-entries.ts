import type { LineRules } from './mend-line.ts'

/** So many places of a garbled line are tried as the beginning of an entry, and so much text is looked at for it in all. */
const mostTries = 100
const mostLooked = 500_000_000

/**
 * The whole entries in a text that is none by itself: where a writer was killed, or two wrote at the same time, one line holds an
 * entry and the next, or a piece of one and then the next.
 */
export function wholeEntries(text: string, rules: LineRules): { readonly texts: readonly string[]; readonly isCut: boolean } {
  const texts: string[] = []
  let isCut = false
  let looked = 0
  let tries = 0
  let at = text.indexOf('{')
  if (at > 0 && /\S/.test(text.slice(0, at))) isCut = true
  while (at >= 0 && tries < mostTries && looked < mostLooked) {
    tries += 1
    const end = endOfObject(text, at)
    looked += (end < 0 ? text.length : end) - at
    const found = end < 0 ? undefined : rules.parse(text.slice(at, end))
    if (found !== undefined && rules.isEntry(found)) {
      texts.push(text.slice(at, end))
      tries = 0
      const next = text.indexOf('{', end)
      if (/\S/.test(next < 0 ? text.slice(end) : text.slice(end, next))) isCut = true
      at = next
    } else {
      isCut = true
      at = text.indexOf('{"', at + 1)
    }
  }
  return { texts, isCut: isCut || at >= 0 }
}

/** Where the object ends that begins at a place; -1 where it does not. Strings are skipped as they are written. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at += 1
      while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
    } else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}
