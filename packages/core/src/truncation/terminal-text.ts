/**
 * One line as a terminal would show it in the end: escape sequences gone, what a carriage return or backspace went over
 * overwritten, erased parts erased, other control characters dropped. A line without any of these comes back as it is.
 */
export function terminalText(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  if (!control.test(text)) return text
  return moves.test(text) ? replay(text) : text.replace(sequence, '').replace(unseen, '')
}

// CSI; OSC ended by BEL or ST, or never; DCS, SOS, PM, APC likewise; any other escape; the one-unit CSI. No part of one can run
// over the next escape, so the work stays in proportion to the line.
const escape =
  '\\x1b\\[[0-?]*[ -/]*[@-~]?|\\x1b\\][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\)?|\\x1b[PX^_][^\\x1b]*(?:\\x1b\\\\)?|\\x1b[ -/]*[0-~]?|\\x9b[0-?]*[ -/]*[@-~]?'
const sequence = new RegExp(escape, 'g')
const control = /[\x00-\x08\x0b-\x1f\x7f\x9b]/
const unseen = /[\x00-\x08\x0b-\x1f\x7f\x9b]/g
const moves = /[\r\b]|[\x1b\x9b]\[?[0-?]*[GKDC]/
const token = new RegExp(
  `(${escape})|([\\r\\b])|([\\x00-\\x08\\x0b-\\x1f\\x7f\\x9b])|([^\\x00-\\x08\\x0b-\\x1f\\x7f\\x9b]+)`,
  'g',
)

/** Writes the line into cells, one a code point, following the cursor. */
function replay(line: string): string {
  const cells: string[] = []
  let column = 0
  for (const [, move, back, , shown] of line.matchAll(token)) {
    if (shown !== undefined) {
      for (const character of shown) cells[column++] = character
    } else if (back !== undefined) {
      column = back === '\r' ? 0 : Math.max(0, column - 1)
    } else if (move !== undefined) {
      column = follow(move, cells, column)
    }
  }
  return cells.join('')
}

/** Erases and moves within the line. The cursor never goes past what was written: a hostile move must not make room for gigabytes. */
function follow(move: string, cells: string[], column: number): number {
  if (!move.startsWith('\x1b[') && !move.startsWith('\x9b')) return column
  const action = move.at(-1)
  const digits = /\d{1,9}/.exec(move)?.[0]
  const amount = digits === undefined ? 1 : Number(digits)
  if (action === 'K') {
    if (digits === undefined || amount === 0) cells.length = Math.min(cells.length, column)
    else cells.fill(' ', 0, amount === 1 ? column + 1 : cells.length)
    if (amount === 2) cells.length = Math.min(cells.length, column)
    return column
  }
  if (action === 'G') return Math.min(cells.length, Math.max(0, amount - 1))
  if (action === 'C') return Math.min(cells.length, column + amount)
  if (action === 'D') return Math.max(0, column - amount)
  return column
}
