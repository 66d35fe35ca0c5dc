/** A line as a terminal finally shows it, without overwritten and erased text, escape sequences and control characters. */
export function terminalText(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  if (!control.test(text)) return text
  return moves.test(text) ? replay(text) : withoutSequences(text)
}

/** A text without escape sequences and control characters, wherever they would have moved the cursor. */
export function withoutSequences(text: string): string {
  return text.replace(sequence, '').replace(unseen, '')
}

// CSI; OSC ended by BEL or ST, or open; DCS, SOS, PM, APC; other escapes; 8-bit CSI. None can cross the next escape: linear time.
const escape =
  '\\x1b\\[[0-?]*[ -/]*[@-~]?|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?|\\x1b[PX^_][^\\x1b]*(?:\\x1b\\\\)?|\\x1b[ -/]*[0-~]?|\\x9b[0-?]*[ -/]*[@-~]?'
const sequence = new RegExp(escape, 'g')
// All but tab and newline; of the 8-bit ones only the CSI.
const controls = '\\x00-\\x08\\x0b-\\x1f\\x7f\\x9b'
const control = new RegExp(`[${controls}]`)
const unseen = new RegExp(control, 'g')
const moves = /[\r\b]|[\x1b\x9b]\[?[0-?]*[GKDC]/
const token = new RegExp(`(${escape})|([\\r\\b])|([${controls}])|([^${controls}]+)`, 'g')

export interface Row {
  readonly cells: string[]
  /** How many cells from the left are blank. */
  blank: number
}

export interface Cursor {
  row: Row
  column: number
}

export function emptyRow(): Row {
  return { cells: [], blank: 0 }
}

function replay(line: string): string {
  const cursor: Cursor = { row: emptyRow(), column: 0 }
  draw(line, cursor)
  return cursor.row.cells.join('')
}

/** Draws a line from the cursor on. `onMove` gets every escape sequence after its effect in the row. */
export function draw(line: string, cursor: Cursor, onMove: (move: string) => void = () => {}): void {
  for (const [, move, back, , shown] of line.matchAll(token)) {
    if (shown !== undefined) {
      const { row } = cursor
      row.blank = Math.min(row.blank, cursor.column)
      for (const character of shown) row.cells[cursor.column++] = character
    } else if (back !== undefined) {
      cursor.column = back === '\r' ? 0 : Math.max(0, cursor.column - 1)
    } else if (move !== undefined) {
      follow(move, cursor)
      onMove(move)
    }
  }
}

/** The cursor never goes past written text: a hostile move must not allocate gigabytes. */
function follow(move: string, cursor: Cursor): void {
  const { action, amount } = readMove(move)
  if (action === null) return
  const { length } = cursor.row.cells
  if (action === 'K') erase(cursor, amount ?? 0)
  if (action === 'G') cursor.column = Math.min(length, Math.max(0, (amount ?? 1) - 1))
  if (action === 'C') cursor.column = Math.min(length, cursor.column + (amount ?? 1))
  if (action === 'D') cursor.column = Math.max(0, cursor.column - (amount ?? 1))
}

/** The letter and the first number of a cursor move; null for any other sequence. */
export function readMove(move: string): { readonly action: string | null; readonly amount: number | null } {
  if (!/^(?:\x1b\[|\x9b)[^<-?]/.test(move)) return { action: null, amount: null }
  const digits = /\d{1,9}/.exec(move)?.[0]
  return { action: move.at(-1) ?? null, amount: digits === undefined ? null : Number(digits) }
}

function erase({ row, column }: Cursor, which: number): void {
  const { cells } = row
  if (which !== 1) cells.length = Math.min(cells.length, column)
  if (which === 0) {
    row.blank = Math.min(row.blank, cells.length)
    return
  }
  const end = Math.min(cells.length, column + 1)
  for (let at = row.blank; at < end; at += 1) cells[at] = ' '
  row.blank = Math.max(row.blank, end)
}
