/** A value at the beginning of a text, and what follows it. */
export interface Operand {
  readonly value: string
  readonly rest: string
}

/** Reads a word or a quoted text, with or without an `@` before it. Null where there is none. */
export function readWord(text: string): Operand | null {
  const start = text.trimStart()
  const bare = start.startsWith('@') ? start.slice(1) : start
  const quoted = readQuoted(bare)
  if (quoted !== null) return quoted.value === '' ? null : quoted
  const end = bare.search(/\s/)
  const value = end < 0 ? bare : bare.slice(0, end)
  return value === '' ? null : { value, rest: bare.slice(value.length) }
}

/** Reads a text in quotes, or one between fences, which stands on lines of its own. Null where there is neither. */
export function readText(text: string): Operand | null {
  const start = text.trimStart()
  return readFenced(start) ?? readQuoted(start)
}

/** Reads a block between fences at the beginning of a text. The last end of a line is left out. */
export function readFenced(text: string): Operand | null {
  const opening = /^(`{3,})[^`\n]{0,200}\n/.exec(text)
  if (opening?.[1] === undefined) return null
  const from = opening[0].length
  for (let at = from; at < text.length; ) {
    const newline = text.indexOf('\n', at)
    const end = newline < 0 ? text.length : newline
    if (isClosing(text.slice(at, end), opening[1].length))
      return { value: text.slice(from, Math.max(from, at - 1)), rest: text.slice(end + 1) }
    at = end + 1
  }
  return null
}

/** Whether a line ends a block whose fence has so many marks. */
export function isClosing(line: string, marks: number): boolean {
  const trimmed = line.trim()
  return trimmed.length >= marks && /^`+$/.test(trimmed)
}

/** Reads a text in quotes. In straight double quotes `\n`, `\t`, `\"` and `\\` mean what they mean in most languages. */
function readQuoted(text: string): Operand | null {
  const first = text[0] ?? ''
  const close = { '“': '”', '「': '」', '`': '`', "'": "'" }[first]
  if (close !== undefined) {
    const end = text.indexOf(close, 1)
    return end < 0 ? null : { value: text.slice(1, end), rest: text.slice(end + 1) }
  }
  if (first !== '"') return null
  for (let at = 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return { value: unescaped(text.slice(1, at)), rest: text.slice(at + 1) }
  }
  return null
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' }

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (whole, character: string) => escapes[character] ?? whole)
}
