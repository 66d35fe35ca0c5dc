import { salienceOf } from '../../cut/salient.ts'

/**
 * Lines with the same words in the same columns, as `ls -l` prints owner and date, with those words once: `[each line: {} {} dev dev {} Nov 18 02:51 {}]`, below it what
 * differs, and a blank line. Every blank between words that differ stays. Lines with errors, warnings and totals stay whole, and so do lines that may be code, or have no figures. Null if that saves little, or if the result
 * could not be unfolded to the same text.
 */
export function foldColumns(text: string): string | null {
  if (text.length > maxLength || text.includes(headingStart)) return null
  const lines = text.split('\n')
  const rows = lines.map(readRow)
  const pieces: string[] = []
  let hasBlock = false
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(rows, at)
    if (block === null) {
      pieces.push(lines[at] as string)
      at += 1
      continue
    }
    pieces.push(block.heading, ...(rows.slice(at, block.end) as readonly Row[]).map((row) => writeRow(row, block.isSame)))
    at = block.end
    hasBlock = true
    if (at < lines.length) pieces.push('')
  }
  const folded = pieces.join('\n')
  return hasBlock && folded.length <= text.length * maxShare && unfoldColumns(folded) === text ? folded : null
}

/** The text that `foldColumns` made `folded` of. */
export function unfoldColumns(folded: string): string {
  const lines = folded.split('\n')
  const unfolded: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as string
    if (!line.startsWith(headingStart) || !line.endsWith(']')) {
      unfolded.push(line)
      continue
    }
    const columns = cellsOf(line.slice(headingStart.length, -1))
    for (at += 1; at < lines.length && lines[at] !== ''; at += 1) unfolded.push(fill(columns, lines[at] as string))
  }
  return unfolded.join('\n')
}

/** Whether a text has enough lines. */
export function mayHaveColumns(text: string): boolean {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && lines < minLines; at = text.indexOf('\n', at + 1)) lines += 1
  return lines >= minLines && text.length <= maxLength
}

const headingStart = '[each line: '
const hole = '{}'
const maxLength = 4000
const maxShare = 0.95
const minLines = 4
const minSaved = 24

/** The words of a line, each with the blanks before it. */
type Row = readonly string[]

function readRow(line: string): Row | null {
  if (line.length > maxLineLength || mayBeCode.test(line) || salienceOf(line) !== null) return null
  const cells = cellsOf(line)
  return cells.length < minCells || cells.join('') !== line ? null : cells
}

const maxLineLength = 500
const minCells = 3
/** Lines of a file may be edited next, to the letter. */
const mayBeCode = /[\t;={}<>"'`()\\|#]|,$/

function cellsOf(line: string): readonly string[] {
  let from = 0
  return Array.from(line.matchAll(/[^ ]+/g), ({ 0: word, index }) => {
    const cell = line.slice(from, index + word.length)
    from = index + word.length
    return cell
  })
}

/** The lines from one on that have the most in common, if that is worth it. */
function blockAt(rows: readonly (Row | null)[], start: number) {
  const first = rows[start]
  if (first == null) return null
  let same = first.map((cell) => /[A-Za-z0-9]/.test(cell))
  // Lists have sizes, dates or counts; sentences and code seldom have one in the same column.
  let figures = [...first.keys()].filter((column) => /\d/.test(first[column] as string))
  let best: { readonly end: number; readonly saved: number; readonly same: readonly boolean[] } | null = null
  for (let end = start + 1; end <= rows.length; end += 1) {
    const saved = savedBy(first, same, end - start)
    if (end - start >= minLines && saved >= Math.max(minSaved, best?.saved ?? 0) && figures.length > 0)
      best = { end, saved, same }
    const row = rows[end]
    if (row == null) break
    // The last column takes the rest of a line, so it always differs.
    same = same.slice(0, Math.min(same.length, row.length)).map((is, column) => is && row[column] === first[column])
    figures = figures.filter((column) => /\d/.test(row[column] ?? ''))
    if (!same.includes(true) || figures.length === 0) break
  }
  if (best === null) return null
  const isSame = best.same
  const heading = `${headingStart}${isSame
    .map((is, column) => (is ? (first[column] as string) : ` ${hole}`))
    .join('')
    .trimStart()}]`
  return { end: best.end, heading, isSame }
}

function savedBy(first: Row, same: readonly boolean[], lines: number): number {
  const length = same.reduce((sum, is, column) => sum + (is ? (first[column] as string).length : 0), 0)
  return length * (lines - 1) - same.length * (hole.length + 1) - headingStart.length - 2
}

function writeRow(row: Row, isSame: readonly boolean[]): string {
  const shown = row.filter((_, column) => isSame[column] !== true).join('')
  return isSame[0] === true ? shown.slice(1) : shown
}

function fill(columns: readonly string[], line: string): string {
  const cells = cellsOf(columns[0]?.trim() === hole ? line : ` ${line}`)
  let next = 0
  const filled = columns.map((column) => (column.trim() === hole ? (cells[next++] ?? '') : column))
  return filled.join('') + cells.slice(next).join('')
}
