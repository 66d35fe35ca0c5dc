import { diffArrays } from 'diff'

/** A line of one text or of both, with its number from 1 in each. */
export interface DiffRow {
  readonly kind: 'same' | 'removed' | 'added'
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

interface LineDiff {
  readonly rows: readonly DiffRow[]
  /** False where the texts were too different or too large to look for lines in common: all of one stands there, then all of the other. */
  readonly isFine: boolean
}

/** Lines, or characters, of which a finer comparison could keep a page from answering. */
const mostLines = 40_000
const mostEdits = 4000
const mostMilliseconds = 250

/** Compares two texts line by line: rows that are the same or removed give the first, rows that are the same or added the second. */
export function diffLines(before: string, after: string): LineDiff {
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
  const changes = [
    { kind: 'same' as const, lines: one.slice(0, head) },
    ...(found ?? [
      { kind: 'removed' as const, lines: middle },
      { kind: 'added' as const, lines: otherMiddle },
    ]),
    { kind: 'same' as const, lines: one.slice(one.length - tail) },
  ]
  return { rows: numbered(changes), isFine: found !== null }
}

/** Rows for two columns: what was removed beside what was added in its place. */
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

/** A stretch of a list that is shown, or one that is folded because nothing changes in it. */
interface FoldedStretch<Item> {
  readonly isFolded: boolean
  readonly items: readonly Item[]
}

/** Folds what is the same, but for a few items next to what is not. A stretch is folded only where that makes the list shorter. */
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
    if (last - first < 2) for (let index = start; index < end; index += 1) open.push(items[index] as Item)
    else {
      for (let index = start; index < first; index += 1) open.push(items[index] as Item)
      close()
      stretches.push({ isFolded: true, items: items.slice(first, last) })
      for (let index = last; index < end; index += 1) open.push(items[index] as Item)
    }
    start = end
  }
  close()
  return stretches
}

/** Nothing has no lines; otherwise there is one more than there are breaks. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n')
}

type Change = { readonly kind: DiffRow['kind']; readonly lines: readonly string[] }

function changesBetween(before: string[], after: string[]): readonly Change[] | null {
  if (before.length === 0 || after.length === 0 || before.length + after.length > mostLines)
    return before.length === 0 || after.length === 0
      ? [
          { kind: 'removed', lines: before },
          { kind: 'added', lines: after },
        ]
      : null
  const changes = diffArrays(before, after, { timeout: mostMilliseconds, maxEditLength: mostEdits })
  if (changes === undefined) return null
  return changes.map(({ added, removed, value }) => ({ kind: added ? 'added' : removed ? 'removed' : 'same', lines: value }))
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
