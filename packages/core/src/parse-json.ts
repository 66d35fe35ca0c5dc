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
