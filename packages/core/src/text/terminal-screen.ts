import { type Cursor, draw, emptyRow, type Row, readMove, terminalText, withoutSequences } from './terminal-text.ts'

/**
 * A text as a terminal finally shows it: without escape sequences, and without progress that was drawn over. What a program printed before it cleared
 * the screen stays.
 */
export function screenText(text: string): string {
  if (!hasTerminalCodes(text)) return text
  return text.length <= maxReplayed && upwards.test(text) ? replayRows(text) : plainLines(text)
}

/** The same line by line: what was drawn over with the cursor going up stays, and so does the number of lines. */
export function plainLines(text: string): string {
  return hasTerminalCodes(text) ? text.split('\n').map(plainLine).join('\n') : text
}

export function hasTerminalCodes(text: string): boolean {
  return hasEscapes(text) || text.includes('\r') || text.includes('\b')
}

export function hasEscapes(text: string): boolean {
  return text.includes('\x1b') || text.includes('\x9b')
}

function plainLine(line: string): string {
  if (!hasTerminalCodes(line)) return line
  // A terminal has no line that long, and its cells would take too much memory.
  return (line.length > maxReplayed ? withoutSequences(line) : terminalText(line)).trimEnd()
}

const maxReplayed = 2_000_000
/** Sequences that bring the cursor to another line: up, down, home, erasing the screen, and back to a saved place. */
const upwards = /(?:\x1b\[|\x9b)[0-?]*[ABEFHJfu]|\x1b[M8]/

function replayRows(text: string): string {
  const rows: Row[] = [emptyRow()]
  const cursor: Cursor = { row: rows[0] as Row, column: 0 }
  let at = 0
  // The first row of the screen: the cursor never goes above it.
  let first = 0
  let saved = { at: 0, column: 0 }
  const go = (row: number) => {
    at = Math.min(Math.max(row, first), rows.length - 1)
    cursor.row = rows[at] as Row
    // Not past written text: many rows as long as the longest would not fit into memory.
    cursor.column = Math.min(cursor.column, cursor.row.cells.length)
  }
  const clear = () => {
    if (rows.at(-1)?.cells.length !== 0) rows.push(emptyRow())
    first = rows.length - 1
    go(first)
  }
  const onMove = (move: string) => {
    const { action, amount } = readMove(move)
    if (action === 'A' || action === 'F' || move === '\x1bM') go(at - Math.max(1, amount ?? 1))
    if (action === 'B' || action === 'E') go(at + Math.max(1, amount ?? 1))
    if (action === 'E' || action === 'F') cursor.column = 0
    if (action === 'H' || action === 'f' || (action === 'J' && (amount ?? 0) > 1)) clear()
    if (action === 'J' && (amount ?? 0) === 0) {
      cursor.row.cells.length = Math.min(cursor.row.cells.length, cursor.column)
      rows.length = at + 1
    }
    if (action === 's' || move === '\x1b7') saved = { at, column: cursor.column }
    if (action === 'u' || move === '\x1b8') {
      go(saved.at)
      cursor.column = saved.column
    }
  }
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) {
      if (at === rows.length - 1) rows.push(emptyRow())
      go(at + 1)
      cursor.column = 0
    }
    draw(line.endsWith('\r') ? line.slice(0, -1) : line, cursor, onMove)
  }
  const shown = rows.map(({ cells }) => cells.join('').trimEnd()).join('\n')
  return text.endsWith('\n') ? `${shown.trimEnd()}\n` : shown.trimEnd()
}
