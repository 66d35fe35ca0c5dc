export interface OfflinePiece {
  readonly text: string
  /** Whether only a semicolon separates it from the piece before, which may belong to the shell. */
  readonly followsSemicolon: boolean
}

/**
 * Cuts a text into pieces that may be commands: one a line, or several separated by `;`, `then` or `然后`, but not inside quotes. A
 * fenced block belongs to the line above it, and a todo list to its heading. Takes linear time.
 */
export function offlinePieces(text: string): readonly OfflinePiece[] {
  const lines = text.split(/\r\n|\n/)
  const attachedLines = createAttachment(lines)
  const pieces: OfflinePiece[] = []
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? ''
    const end = index + 1 + attachedLines(index)
    const attached = lines.slice(index + 1, end)
    index = end
    if (line.trim() === '' && attached.length === 0) continue
    const cut = isTodo.test(line) ? [{ text: line, followsSemicolon: false }] : cutLine(line)
    // Lines below belong to the last command.
    const last = cut.pop()
    for (const piece of cut) pieces.push(piece)
    if (last !== undefined) pieces.push({ ...last, text: [last.text, ...attached].join('\n') })
  }
  return pieces.map((piece) => ({ ...piece, text: piece.text.trim() })).filter((piece) => piece.text !== '')
}

const isTodo = /^\s{0,40}(?:[-*]\s)?(?:todos?|待办(?:事项)?)\s{0,10}[:：]/i
const isBullet = /^\s{0,40}(?:[-*]|\d{1,3}[.)])\s/
const isArrow = /^\s{0,40}(?:->|→|=>|with|改为|换成)\s{0,40}$/i
const openFence = /^\s{0,40}(`{3,})[^`]{0,200}$/

/** A fence may also start at the end of the command’s own line. */
const lineFence = /(?<!`)(`{3,40})[^`\s]{0,40}\s{0,40}$/

/** How many lines below one belong to it: fenced blocks with an arrow between them, or the items of a list. */
function createAttachment(lines: readonly string[]): (index: number) => number {
  const fencedLines = createFences(lines)
  return (index) => {
    let end = index
    if (isTodo.test(lines[index] ?? '')) {
      while (isBullet.test(lines[end + 1] ?? '')) end += 1
      return end - index
    }
    end += fencedLines(index, lineFence)
    for (;;) {
      const next = isArrow.test(lines[end + 1] ?? '') ? end + 2 : end + 1
      const length = fencedLines(next, openFence)
      if (length === 0) return end - index
      end = next + length
    }
  }
}

/** How many lines follow an opening fence up to its end, inclusive; 0 if none opens, or none ends. */
function createFences(lines: readonly string[]): (index: number, opening: RegExp) => number {
  // The shortest fence without an end: no fence as long has one further down.
  let endless = Number.POSITIVE_INFINITY
  return (index, opening) => {
    const mark = opening.exec((lines[index] ?? '').slice(-400))?.[1]
    if (mark === undefined || mark.length >= endless) return 0
    for (let at = index + 1; at < lines.length; at += 1) {
      if (isClosing(lines[at] ?? '', mark.length)) return at - index
    }
    endless = mark.length
    return 0
  }
}

const closing: Readonly<Record<string, string>> = { '"': '"', '“': '”', '`': '`', "'": "'" }
/** Without a comma, `then` separates two commands only before one of our verbs. */
const between =
  /[;；]|[,，]\s{0,40}(?:and\s{1,40})?then(?=\s)|\s(?:and\s{1,40})?then\s{1,40}(?=(?:read|open|show|list|find|search|grep|edit|change|write|create|run|execute|draw|recall)\s)|[,，]?\s{0,40}然后/iy

function cutLine(line: string): OfflinePiece[] {
  const pieces: OfflinePiece[] = []
  // A quote without an end does not count, and is not searched for again.
  const unclosed = new Set<string>()
  let from = 0
  let followsSemicolon = false
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] as string
    const close = closing[character]
    if (close !== undefined && !unclosed.has(character) && !(character === "'" && /\w/.test(line[at - 1] ?? ''))) {
      const end = endOfQuote(line, at + 1, close)
      if (end < 0) unclosed.add(character)
      else at = end
      continue
    }
    between.lastIndex = at
    const separator = between.exec(line)?.[0]
    if (separator === undefined) continue
    pieces.push({ text: line.slice(from, at), followsSemicolon })
    followsSemicolon = separator === ';'
    from = at + separator.length
    at = from - 1
  }
  pieces.push({ text: line.slice(from), followsSemicolon })
  return pieces
}

function endOfQuote(line: string, from: number, close: string): number {
  if (close !== '"') return line.indexOf(close, from)
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === close) return at
  }
  return -1
}

export interface Operand {
  readonly value: string
  readonly rest: string
}

/** Reads a word or a quoted text, with or without an `@` before it. Returns null if there is none. */
export function readWord(text: string): Operand | null {
  const start = text.trimStart()
  const bare = start.startsWith('@') ? start.slice(1) : start
  const quoted = readQuoted(bare)
  if (quoted !== null) return quoted.value === '' ? null : quoted
  const end = bare.search(/\s/)
  const value = end < 0 ? bare : bare.slice(0, end)
  return value === '' ? null : { value, rest: bare.slice(value.length) }
}

/** Reads a quoted text or a fenced block. Returns null if there is neither. */
export function readText(text: string): Operand | null {
  const start = text.trimStart()
  return readFenced(start) ?? readQuoted(start)
}

/** Reads a fenced block at the start of a text, without its last newline. */
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

function isClosing(line: string, marks: number): boolean {
  const trimmed = line.trim()
  return trimmed.length >= marks && /^`+$/.test(trimmed)
}

/** Reads a quoted text. In straight double quotes `\n`, `\t`, `\"` and `\\` are escapes. */
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
    else if (text[at] === '"') {
      const value = text.slice(1, at).replace(/\\([\s\S])/g, (whole, character: string) => escapes[character] ?? whole)
      return { value, rest: text.slice(at + 1) }
    }
  }
  return null
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' }
