import { jsonText, parseJsonData } from '../text/json.ts'
import { countCodePoints, countLines } from '../text/lines.ts'
import type { CutLimit } from './cut.ts'
import { cutText } from './cut-text.ts'
import { cutLists } from './notable/cut-lists.ts'

/** Cuts JSON, diffs and tables so that they stay parseable; null for other texts, or if nothing fits the limit. */
export function cutStructured(text: string, limit: CutLimit, handle: string): string | null {
  const chars = countCodePoints(text)
  for (const shorten of [shortRecords, shortJson, shortDiff, shortCsv]) {
    for (const candidate of shorten(text, limit, limit.names === 'always' ? handle : null)) {
      const size = countCodePoints(candidate)
      const fits = size <= limit.maxChars && size < chars && (limit.maxLines === null || countLines(candidate) <= limit.maxLines)
      if (fits) return candidate
    }
  }
  return null
}

/** Only with the handle, which says where the omitted records are. */
function* shortRecords(text: string, { maxChars }: CutLimit, handle: string | null): Generator<string> {
  const cut = handle === null ? null : cutLists(text, maxChars, handle)
  if (cut !== null) yield cut
}

function* shortCsv(text: string, limit: CutLimit, handle: string | null): Generator<string> {
  const lineEnd = text.indexOf('\n')
  if (lineEnd === -1) return
  const delimiter = [',', '\t', ';', '|'].find((mark) => text.slice(0, lineEnd).includes(mark))
  const rows = delimiter === undefined ? null : readRows(text, delimiter)
  const header = rows?.[0]
  if (rows === null || header === undefined || delimiter === undefined || rows.length < 4) return
  const body = rows.slice(1)
  const end = text.endsWith('\n') ? '\n' : ''
  for (let keep = body.length - 1; keep >= 2; keep = Math.floor(keep * 0.8)) {
    const gone = ({ length }: { readonly length: number }) =>
      quoted(limit.strings.cutByLines(length) + (handle === null ? '' : ` [recall ${handle}]`), delimiter) +
      delimiter.repeat(header.cells - 1)
    yield [header.text, ...withoutMiddle(body, keep, (row) => row.text, gone)].join('\n') + end
  }
}

function readRows(text: string, delimiter: string) {
  const rows: { readonly text: string; readonly cells: number }[] = []
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

/** Progressively shorter versions of a diff: complete hunks under their file headers, and the number of removed lines. */
function* shortDiff(text: string, limit: CutLimit, handle: string | null): Generator<string> {
  const hunks = readHunks(text)
  if (hunks.length < 2) return
  for (let keep = hunks.length - 1; keep >= 1; keep = Math.floor(keep * 0.8)) {
    const head = Math.ceil(keep / 2)
    const kept = [...hunks.slice(0, head), ...hunks.slice(hunks.length - (keep - head))]
    const pieces = kept.map((hunk, index) => (kept[index - 1]?.header === hunk.header ? hunk.text : hunk.header.text + hunk.text))
    const shown = pieces.join('')
    yield `${shown}${limit.strings.cutByLines(countLines(text) - countLines(shown))}${handle === null ? '' : `\n[recall ${handle}]`}\n`
  }
}

const hunkHeader = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

function readHunks(text: string) {
  const ended = text.split('\n').map((line) => `${line}\n`)
  const lines = text.endsWith('\n') ? ended.slice(0, -1) : ended
  const hunks: { readonly header: { readonly text: string }; readonly text: string }[] = []
  let header = { text: '' }
  let headerIsOpen = true
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] as string
    const counts = hunkHeader.exec(line)
    if (counts === null) {
      if (!headerIsOpen) header = { text: '' }
      headerIsOpen = true
      header.text += line
      index += 1
      continue
    }
    const end = endOfHunk(lines, index + 1, Number(counts[1] ?? 1), Number(counts[2] ?? 1))
    // Later hunks of a file share the header that was checked with the first.
    if (end === null || (headerIsOpen && !header.text.includes('+++ '))) return []
    hunks.push({ header, text: lines.slice(index, end).join('') })
    headerIsOpen = false
    index = end
  }
  return hunks
}

function endOfHunk(lines: readonly string[], start: number, before: number, after: number): number | null {
  let [old, fresh, index] = [before, after, start]
  for (; old > 0 || fresh > 0; index += 1) {
    const mark = lines[index]?.[0]
    if (mark === undefined) return null
    if (mark === '-') old -= 1
    else if (mark === '+') fresh -= 1
    else if (mark === ' ' || mark === '\n') [old, fresh] = [old - 1, fresh - 1]
    else if (mark !== '\\') return null
    if (old < 0 || fresh < 0) return null
  }
  while (lines[index]?.startsWith('\\')) index += 1
  return index
}

function* shortJson(text: string, limit: CutLimit, handle: string | null): Generator<string> {
  // Numbers this long lose digits when parsed.
  const value = /\d[\d.]{15}/.test(text) ? undefined : parseJsonData(text)
  // A value that cannot be serialized cannot be measured either.
  if (typeof value !== 'object' || value === null || jsonText(value) === '') return
  const max = Math.min(65_536, Math.max(1, limit.maxChars))
  for (let items = max; items >= 1; items = Math.floor(items / 2)) {
    const short = shrink(value, { items, chars: items * 16, marker: limit.strings.cutByTool }, 0)
    const shown = jsonText(handle === null ? short : withHandle(short, handle))
    if (shown !== '') yield shown
  }
}

/** Data stays data: a list names the original in its last item, an object in a field. */
function withHandle(value: unknown, handle: string): unknown {
  if (Array.isArray(value)) return [...(value as readonly unknown[]), `[recall ${handle}]`]
  return { ...(value as object), recall: handle }
}

interface Measure {
  readonly items: number
  readonly chars: number
  readonly marker: (characters: number) => string
}

const maxDepth = 40

function shrink(value: unknown, measure: Measure, depth: number): unknown {
  if (typeof value === 'string') return shrinkString(value, measure)
  if (typeof value !== 'object' || value === null) return value
  if (depth === maxDepth) return marked(value, measure)
  const deeper = (child: unknown): unknown => shrink(child, measure, depth + 1)
  if (Array.isArray(value)) return withoutMiddle(value, measure.items, deeper, (removed) => marked(removed, measure))
  const copy = ([key, child]: readonly [string, unknown]) => [key, deeper(child)] as const
  const gone = (removed: readonly (readonly [string, unknown])[]) =>
    ['...', marked(Object.fromEntries(removed), measure)] as const
  return Object.fromEntries(withoutMiddle(Object.entries(value), measure.items, copy, gone))
}

function withoutMiddle<Item, Kept>(
  list: readonly Item[],
  items: number,
  keep: (item: Item) => Kept,
  mark: (removed: readonly Item[]) => Kept,
): readonly Kept[] {
  const head = Math.ceil(items / 2)
  const end = list.length - (items - head)
  if (head >= end) return list.map(keep)
  return [...list.slice(0, head).map(keep), mark(list.slice(head, end)), ...list.slice(end).map(keep)]
}

function shrinkString(text: string, { chars, marker }: Measure): string {
  if (text.length <= chars || countCodePoints(text) <= chars + marker(text.length).length) return text
  const half = chars >> 1
  return cutText(text, { head: half, tail: half, in: 'characters' }, ({ middle }) => marker(countCodePoints(middle)))
}

function marked(removed: object, { marker }: Measure): string {
  return marker(countCodePoints(jsonText(removed)) - 2).trim()
}
