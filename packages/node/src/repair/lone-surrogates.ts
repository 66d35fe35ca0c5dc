/**
 * A JSON text in which every escape of half a character that stands alone is the escape of U+FFFD; null where there is none. Parsers take
 * such halves, and providers refuse the request that holds one.
 */
export function withoutLoneSurrogates(json: string): string | null {
  const pieces: string[] = []
  let copied = 0
  for (let at = nextEscape(json, 0); at >= 0; at = nextEscape(json, at)) {
    const kind = halfAt(json, at)
    if (kind === 'first' && halfAt(json, at + 6) === 'second') at += 12
    else if (kind === null) at += 2
    else {
      pieces.push(json.slice(copied, at), '\\ufffd')
      at += 6
      copied = at
    }
  }
  if (pieces.length === 0) return null
  pieces.push(json.slice(copied))
  return pieces.join('')
}

/** The next backslash that begins an escape; what it escapes is left for whoever asks to skip. */
function nextEscape(json: string, from: number): number {
  return json.indexOf('\\', from)
}

function halfAt(json: string, at: number): 'first' | 'second' | null {
  if (json[at] !== '\\' || json[at + 1] !== 'u' || (json[at + 2] !== 'd' && json[at + 2] !== 'D')) return null
  const digits = json.slice(at + 2, at + 6)
  if (/^d[89ab][\da-f]{2}$/i.test(digits)) return 'first'
  return /^d[c-f][\da-f]{2}$/i.test(digits) ? 'second' : null
}
