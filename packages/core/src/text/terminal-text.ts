/** A line as a terminal finally shows it, without overwritten and erased text, escape sequences and control characters. */
export function terminalText(line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line
  if (!control.test(text)) return text
  return moves.test(text) ? replay(text) : text.replace(sequence, '').replace(unseen, '')
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

interface Screen {
  readonly cells: string[]
  column: number
  blank: number
}

function replay(line: string): string {
  const screen: Screen = { cells: [], column: 0, blank: 0 }
  for (const [, move, back, , shown] of line.matchAll(token)) {
    if (shown !== undefined) {
      screen.blank = Math.min(screen.blank, screen.column)
      for (const character of shown) screen.cells[screen.column++] = character
    } else if (back !== undefined) {
      screen.column = back === '\r' ? 0 : Math.max(0, screen.column - 1)
    } else if (move !== undefined) {
      follow(move, screen)
    }
  }
  return screen.cells.join('')
}

/** The cursor never goes past written text: a hostile move must not allocate gigabytes. */
function follow(move: string, screen: Screen): void {
  if (!move.startsWith('\x1b[') && !move.startsWith('\x9b')) return
  const { cells, column } = screen
  const digits = /\d{1,9}/.exec(move)?.[0]
  const amount = digits === undefined ? 1 : Number(digits)
  const action = move.at(-1)
  if (action === 'K') erase(screen, digits === undefined ? 0 : amount)
  if (action === 'G') screen.column = Math.min(cells.length, Math.max(0, amount - 1))
  if (action === 'C') screen.column = Math.min(cells.length, column + amount)
  if (action === 'D') screen.column = Math.max(0, column - amount)
}

function erase(screen: Screen, which: number): void {
  const { cells, column } = screen
  if (which !== 1) cells.length = Math.min(cells.length, column)
  if (which === 0) {
    screen.blank = Math.min(screen.blank, cells.length)
    return
  }
  const end = Math.min(cells.length, column + 1)
  for (let at = screen.blank; at < end; at += 1) cells[at] = ' '
  screen.blank = Math.max(screen.blank, end)
}
