import { diffArrays } from 'diff'

/** A line of one text or of both, with its number from 1 in each. */
export interface DiffRow {
  readonly kind: 'same' | 'removed' | 'added'
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

/** With more, a comparison could keep the page from answering. */
const maxLines = 40_000
const maxEdits = 4000
const maxMilliseconds = 250

/**
 * Compares two texts line by line: rows that are the same or removed give the first, rows that are the same or added the second. If
 * they are too different or too large for that (`isFine` is false), all of one comes before all of the other.
 */
export function diffLines(before: string, after: string): { readonly rows: readonly DiffRow[]; readonly isFine: boolean } {
  const one = linesOf(before)
  const other = linesOf(after)
  let head = 0
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1
  let tail = 0
  while (tail < one.length - head && tail < other.length - head && one[one.length - 1 - tail] === other[other.length - 1 - tail])
    tail += 1
  const middle = one.slice(head, one.length - tail)
  const otherMiddle = other.slice(head, other.length - tail)
  const found = changesBetween(middle, otherMiddle)
  const changes: readonly Change[] = [
    { kind: 'same', lines: one.slice(0, head) },
    ...(found ?? replaced(middle, otherMiddle)),
    { kind: 'same', lines: one.slice(one.length - tail) },
  ]
  return { rows: numbered(changes), isFine: found !== null }
}

/** Rows for two columns: removed lines next to those that were added instead. */
export function sideBySide(rows: readonly DiffRow[]): readonly (readonly [before: DiffRow | null, after: DiffRow | null])[] {
  const pairs: (readonly [DiffRow | null, DiffRow | null])[] = []
  let removed: DiffRow[] = []
  let added: DiffRow[] = []
  const close = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      pairs.push([removed[index] ?? null, added[index] ?? null])
    removed = []
    added = []
  }
  for (const row of rows) {
    if (row.kind === 'removed') removed.push(row)
    else if (row.kind === 'added') added.push(row)
    else {
      close()
      pairs.push([row, row])
    }
  }
  close()
  return pairs
}

type FoldedStretch<Item> = { readonly isFolded: boolean; readonly items: readonly Item[] }

/** Collapses unchanged items except a few next to changed ones. A stretch is collapsed only if that makes the list shorter. */
export function foldSame<Item>(
  items: readonly Item[],
  isSame: (item: Item) => boolean,
  context: number,
): readonly FoldedStretch<Item>[] {
  const stretches: FoldedStretch<Item>[] = []
  let open: Item[] = []
  const close = () => {
    if (open.length > 0) stretches.push({ isFolded: false, items: open })
    open = []
  }
  for (let start = 0; start < items.length; ) {
    const item = items[start] as Item
    if (!isSame(item)) {
      open.push(item)
      start += 1
      continue
    }
    let end = start
    while (end < items.length && isSame(items[end] as Item)) end += 1
    const first = start === 0 ? start : Math.min(end, start + context)
    const last = end === items.length ? end : Math.max(first, end - context)
    if (last - first < 2) open.push(...items.slice(start, end))
    else {
      open.push(...items.slice(start, first))
      close()
      stretches.push({ isFolded: true, items: items.slice(first, last) })
      open = items.slice(last, end)
    }
    start = end
  }
  close()
  return stretches
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

type Change = { readonly kind: DiffRow['kind']; readonly lines: readonly string[] }

function changesBetween(before: string[], after: string[]): readonly Change[] | null {
  if (before.length === 0 || after.length === 0) return replaced(before, after)
  if (before.length + after.length > maxLines) return null
  const changes = diffArrays(before, after, { timeout: maxMilliseconds, maxEditLength: maxEdits })
  if (changes === undefined) return null
  return changes.map(({ added, removed, value }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', lines: value }))
}

function replaced(before: readonly string[], after: readonly string[]): readonly Change[] {
  return [
    { kind: 'removed', lines: before },
    { kind: 'added', lines: after },
  ]
}

function numbered(changes: readonly Change[]): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let before = 0
  let after = 0
  for (const { kind, lines } of changes)
    for (const text of lines) {
      if (kind !== 'added') before += 1
      if (kind !== 'removed') after += 1
      rows.push({ kind, before: kind === 'added' ? null : before, after: kind === 'removed' ? null : after, text })
    }
  return rows
}
