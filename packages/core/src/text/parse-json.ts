/** The value of a JSON text; undefined where the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The object or list that a text holds as JSON; undefined for any other text, which is told by its first character. */
export function parseJsonData(text: string): unknown {
  const first = text.trimStart().charCodeAt(0)
  return first === 0x7b || first === 0x5b ? parseJson(text) : undefined
}

/** Whether a JSON text holds lists and objects more than so many levels inside one another. It is not parsed for that. */
export function isNestedDeeper(text: string, levels: number): boolean {
  if (text.length <= levels) return false
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth > levels) return true
  }
  return false
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
  return at
}
