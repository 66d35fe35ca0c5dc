/**
 * Lines inside a JSON string: results of commands often come as one long line `{"stdout":"…\n…"}`. The piece of such a line around
 * a place, from one escaped newline to the next.
 */
export function escapedLineAround(text: string, at: number): { readonly start: number; readonly end: number } {
  const before = text.lastIndexOf('\\n', at)
  const after = text.indexOf('\\n', at)
  return { start: before === -1 ? 0 : before + 2, end: after === -1 ? text.length : after }
}

/** Whether a line may be JSON, by its first character. */
export function beginsLikeJson(text: string, start: number): boolean {
  const unit = text.charCodeAt(start)
  return unit === 0x7b || unit === 0x5b || unit === 0x22
}

/** A piece of a JSON string as it reads, the escapes that matter on a terminal undone. */
export function unescaped(piece: string): string {
  if (!piece.includes('\\')) return piece
  return piece.replace(/\\(?:u00([01][0-9a-f])|([rtb"/\\]))/gi, (_, code: string | undefined, letter: string | undefined) =>
    code === undefined ? (letters[letter ?? ''] ?? letter ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

const letters: Readonly<Record<string, string>> = { r: '\r', t: '\t', b: '\b' }
