import { isClosing } from './offline-operands.ts'

/** A stretch of a text that may be one command. */
export interface OfflinePiece {
  readonly text: string
  /** Whether only a semicolon stands between it and the piece before, which may be the shell's own. */
  readonly followsSemicolon: boolean
}

/**
 * Cuts what a user wrote into pieces that may be commands: one a line, or several with `;`, `then` or `然后` between them, but not
 * inside quotes. A block between fences belongs to the line above it, and a list of things to do to its heading. Takes linear time.
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
    // What stands below a line belongs to its last command.
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

/** A fence may also begin at the end of the command's own line. */
const lineFence = /(`{3,})[^`\s]{0,40}\s{0,40}$/

/** Tells how many lines below one belong to it: blocks between fences with an arrow between them, or the items of a list. */
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

/** Tells how many lines follow an opening fence up to its end, that included; 0 where none opens, or none ends. */
function createFences(lines: readonly string[]): (index: number, opening: RegExp) => number {
  // The shortest fence whose end was looked for in vain: below it, no fence as long has one.
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
/** Without a comma, `then` stands between two commands only where a word of ours follows. */
const between =
  /[;；]|[,，]\s{0,40}(?:and\s{1,40})?then(?=\s)|\s(?:and\s{1,40})?then\s{1,40}(?=(?:read|open|show|list|find|search|grep|edit|change|write|create|run|execute|draw|recall)\s)|[,，]?\s{0,40}然后/iy

function cutLine(line: string): OfflinePiece[] {
  const pieces: OfflinePiece[] = []
  // A quote that nothing closes is none, and looking for its end a second time would be in vain.
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

/** Where a quote ends that opened before `from`; -1 where it does not. */
function endOfQuote(line: string, from: number, close: string): number {
  if (close !== '"') return line.indexOf(close, from)
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === close) return at
  }
  return -1
}
