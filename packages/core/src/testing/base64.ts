/** Base64 of made-up bytes, the same at every run: exactly so many characters, with the alphabet's variety and no padding. */
export function base64(length: number, seed = 1): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  let state = seed
  let text = ''
  for (let index = 0; index < length; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    text += alphabet[state >>> 26]
  }
  return text
}

/** A text broken into lines of one width. */
export function wrapped(text: string, width: number, newline = '\n'): string {
  const lines: string[] = []
  for (let start = 0; start < text.length; start += width) lines.push(text.slice(start, start + width))
  return lines.join(newline)
}
