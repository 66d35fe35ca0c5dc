/** Deterministic base64 of exactly this many characters, with all of the alphabet and no padding. */
export function base64(length: number, seed = 1): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  let state = seed
  let text = ''
  for (let index = 0; index < length; index += 1) {
    // Mixed, because a plain linear sequence almost repeats itself and forms columns that real data does not have.
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    text += alphabet[(mixed ^ (mixed >>> 16)) >>> 26]
  }
  return text
}

/** A text broken into lines of one width. */
export function wrapped(text: string, width: number, newline = '\n'): string {
  const lines: string[] = []
  for (let start = 0; start < text.length; start += width) lines.push(text.slice(start, start + width))
  return lines.join(newline)
}
