/**
 * One line of at most `width` UTF-16 units: what stands around `at`, with `…` where something is left out. Always a copy that
 * holds on to nothing, so that a line kept from a huge log does not keep the log.
 */
export function shorten(line: string, at: number, width: number): string {
  const text = line.trimEnd()
  if (text.length <= width) return detach(text)
  const start = Math.max(0, Math.min(at - Math.floor(width / 4), text.length - width + 1))
  const left = start === 0 ? '' : '…'
  const end = Math.min(text.length, start + width - left.length - 1)
  return [left, wholeCharacters(text, start, end), end === text.length ? '' : '…'].join('')
}

/** A piece of a text without the stray halves of characters at its edges. */
export function wholeCharacters(text: string, start: number, end: number): string {
  const from = start < end && (text.charCodeAt(start) & 0xfc00) === 0xdc00 ? start + 1 : start
  const to = end > from && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end
  return text.slice(from, to)
}

// A slice of a string keeps all of it in memory; joining two pieces makes a new one.
function detach(text: string): string {
  return [text.slice(0, 1), text.slice(1)].join('')
}
