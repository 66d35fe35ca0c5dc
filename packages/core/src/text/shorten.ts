import { detached } from './detached.ts'

/**
 * One line of at most `width` UTF-16 units: the hit and what stands on both sides of it, with `…` where something is left out.
 * Always a copy that holds on to nothing, so that a line kept from a huge log does not keep the log.
 */
export function shorten(line: string, hit: { readonly at: number; readonly length: number }, width: number): string {
  const text = line.trimEnd()
  if (text.length <= width) return detached(text)
  // What a hit means is mostly said behind it.
  const before = Math.floor(Math.max(0, width - hit.length) / 4)
  const start = Math.max(0, Math.min(hit.at - before, text.length - width))
  const end = start + width
  const left = start === 0 ? '' : '…'
  const right = end === text.length ? '' : '…'
  return detached(left + wholeCharacters(text, start + left.length, end - right.length) + right)
}

/** A piece of a text without the stray halves of characters at its edges. */
export function wholeCharacters(text: string, start: number, end: number): string {
  const from = start < end && (text.charCodeAt(start) & 0xfc00) === 0xdc00 ? start + 1 : start
  const to = end > from && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end
  return text.slice(from, to)
}
