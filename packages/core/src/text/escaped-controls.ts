/** A JSON text with the control characters that stand inside its strings written as escapes: models and editors break lines there. */
export function withEscapedControls(json: string): string {
  if (!control.test(json)) return json
  const pieces: string[] = []
  let copied = 0
  let isInside = false
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === 0x5c && isInside) at += 1
    else if (code === 0x22) isInside = !isInside
    else if (isInside && code < 0x20) {
      pieces.push(json.slice(copied, at), `\\u${code.toString(16).padStart(4, '0')}`)
      copied = at + 1
    }
  }
  pieces.push(json.slice(copied))
  return pieces.join('')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const control = /[\u0000-\u001f]/
