import type { CutLimit } from './cut.ts'

/** Shorter and shorter versions of a table: its header, first and last rows, and between them a row that says how many are gone. */
export function* shortCsv(text: string, limit: CutLimit): Generator<string> {
  const lineEnd = text.indexOf('\n')
  if (lineEnd === -1) return
  const delimiter = [',', '\t', ';', '|'].find((mark) => text.slice(0, lineEnd).includes(mark))
  const rows = delimiter === undefined ? null : readRows(text, delimiter)
  const header = rows?.[0]
  if (rows === null || header === undefined || delimiter === undefined || rows.length < 4) return
  const body = rows.slice(1)
  const end = text.endsWith('\n') ? '\n' : ''
  for (let keep = body.length - 1; keep >= 2; keep = Math.floor(keep * 0.8)) {
    const head = Math.ceil(keep / 2)
    const tail = keep - head
    const cell = quoted(limit.strings.cutByLines(body.length - keep), delimiter)
    const gone = cell + delimiter.repeat(header.cells - 1)
    const kept = [header, ...body.slice(0, head)].map((row) => row.text)
    yield [...kept, gone, ...body.slice(body.length - tail).map((row) => row.text)].join('\n') + end
  }
}

interface Row {
  readonly text: string
  readonly cells: number
}

/** The rows of a table, or null when they do not have the same number of cells. A quoted cell may hold newlines. */
function readRows(text: string, delimiter: string): readonly Row[] | null {
  const rows: Row[] = []
  let start = 0
  let cells = 1
  let isQuoted = false
  const finish = (end: number): boolean => {
    rows.push({ text: text.slice(start, end), cells })
    start = end + 1
    const isEven = cells === rows[0]?.cells && cells > 1
    cells = 1
    return isEven
  }
  for (let index = 0; index < text.length; index += 1) {
    const unit = text[index]
    if (unit === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (unit === delimiter) cells += 1
    else if (unit === '\n' && !finish(index)) return null
  }
  if (isQuoted || (start < text.length && !finish(text.length))) return null
  return rows
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || cell.includes('"') || cell.includes('\n') ? `"${cell.replaceAll('"', '""')}"` : cell
}
