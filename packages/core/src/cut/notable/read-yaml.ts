import type { ListedRecord } from './read-records.ts'

/** The items of a YAML list as records, if they have fields in common and are most of the text. Empty for other texts. Linear. */
export function readYaml(text: string): readonly ListedRecord[] {
  const lines = [...linesOf(text)]
  const marks = lines.filter(({ mark }) => mark !== null)
  const counts = new Map<number, number>()
  for (const { indent } of marks) counts.set(indent, (counts.get(indent) ?? 0) + 1)
  const indents = [...counts].filter(([, count]) => count >= minRecords).map(([indent]) => indent)
  for (const indent of indents.toSorted((one, other) => one - other).slice(0, maxTried)) {
    const records = itemsAt(text, lines, indent)
    const [first, last] = [records[0], records.at(-1)]
    if (first === undefined || last === undefined || (last.end - first.start) * 2 < text.length) continue
    if (isAlike(records)) return records
  }
  return []
}

const minRecords = 6
const maxTried = 4

interface YamlLine {
  readonly start: number
  readonly end: number
  /** Of what is behind the mark of an item. */
  readonly indent: number
  readonly mark: string | null
  readonly key: string | null
  readonly value: string
}

/** Lines that are not blank. `- name: a` is an item whose first key is `name`, at the indentation of the mark. */
function* linesOf(text: string): Generator<YamlLine, void> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const [, blanks = '', mark = null, key = null, value = ''] =
      form.exec(text.slice(start, Math.min(end, start + maxLine))) ?? []
    if (end > start) yield { start, end, indent: blanks.length, mark, key, value }
    start = end + 1
  }
}

const form = /^( {0,200})(- |-$)?(?: {0,9}("[^"\n]{1,100}"|'[^'\n]{1,100}'|[\w./$@-][\w ./$@-]{0,100}):(?= |\r?$))?(.{0,2000})$/
const maxLine = 2000

function itemsAt(text: string, lines: readonly YamlLine[], indent: number): readonly ListedRecord[] {
  const records: ListedRecord[] = []
  let from = -1
  const finish = (to: number) => {
    const item = lines.slice(from, to)
    const [first, last] = [item[0], item.at(-1)]
    if (from >= 0 && first !== undefined && last !== undefined)
      records.push({ start: first.start, end: last.end, fields: yamlFields(item) })
    from = -1
  }
  for (const [index, line] of lines.entries()) {
    if (line.mark !== null && line.indent === indent) {
      finish(index)
      from = index
    } else if (from >= 0 && line.indent <= indent) finish(index)
  }
  finish(lines.length)
  return text === '' ? [] : records
}

/** Nearly all records have two fields in common, so that it is not a list of sentences. */
function isAlike(records: readonly ListedRecord[]): boolean {
  const counts = new Map<string, number>()
  for (const { fields } of records) for (const path of fields.keys()) counts.set(path, (counts.get(path) ?? 0) + 1)
  return records.length >= minRecords && [...counts.values()].filter((count) => count * 10 >= records.length * 9).length >= 2
}

/** The values of an item by their paths, as `status.phase`. */
function yamlFields(lines: readonly YamlLine[]): ListedRecord['fields'] {
  const fields = new Map<string, unknown>()
  for (const [path, value] of pathsOf(lines)) {
    if (path === '' || value === '' || fields.size >= maxFields || fields.has(path)) continue
    const plain = value.replace(/^(["'])(.*)\1$/, '$2')
    fields.set(path, /^-?\d{1,15}(?:\.\d{1,15})?$/.test(plain) ? Number(plain) : plain)
  }
  return fields
}

const maxFields = 80

/** The path and the value of each line. */
function pathsOf(lines: readonly YamlLine[]): readonly (readonly [path: string, value: string])[] {
  const above: { readonly indent: number; readonly name: string }[] = []
  return lines.map(({ indent, mark, key, value }, index) => {
    // The items of a list may be as far right as its key.
    const least = mark === null ? indent : indent + 0.5
    while (above.length > 0 && (above.at(-1) as { readonly indent: number }).indent >= least) above.pop()
    if (mark !== null && index > 0) above.push({ indent: least, name: '[]' })
    if (key === null) return ['', value.trim()]
    above.push({ indent: keyPlace({ indent, mark }), name: key })
    return [
      above
        .map(({ name }) => name)
        .join('.')
        .replaceAll('.[]', '[]'),
      value.trim(),
    ]
  })
}

/** An item in about `max` characters: the lines of what makes it differ and of what names it, with those above them, and the number of the others. */
export function briefYaml(item: string, max: number, differs: readonly string[]): string {
  if (item.length <= max) return item
  const lines = [...linesOf(item.slice(0, maxItem))]
  const paths = pathsOf(lines).map(([path]) => path)
  const wanted = lines.map((line, index) => {
    const path = paths[index] as string
    return index === 0 || differs.includes(path)
      ? 0
      : naming.test(line.key ?? '')
        ? path.split('.').length
        : Number.POSITIVE_INFINITY
  })
  let left = max - restOf(lines.length, 0).length
  const shown = new Set<number>()
  for (const index of [...lines.keys()].toSorted((one, other) => (wanted[one] as number) - (wanted[other] as number))) {
    if (wanted[index] === Number.POSITIVE_INFINITY) break
    const chain = [...parentsOf(lines, index), index].filter((one) => !shown.has(one))
    const size = chain.reduce((sum, one) => sum + sizeOf(lines[one] as YamlLine), 0)
    if (size > left) continue
    left -= size
    for (const one of chain) shown.add(one)
  }
  const kept = lines
    .filter((_, index) => shown.has(index))
    .map(({ start, end }) => item.slice(start, Math.min(end, start + maxShown)))
  const omitted = lines.length - kept.length
  return omitted === 0 ? item : [...kept, restOf(omitted, (lines[0] as YamlLine).indent + 2)].join('\n')
}

const naming = /^(?:(?:full_?)?(?:name|title)|_?id|kind|path|file\w*)$/i
const maxShown = 200
const maxItem = 50_000

function sizeOf({ start, end }: YamlLine): number {
  return Math.min(maxShown, end - start) + 1
}

function restOf(lines: number, indent: number): string {
  return `${' '.repeat(indent)}# ${lines} lines omitted`
}

/** The lines that a line is below, without which its path is unknown. */
function parentsOf(lines: readonly YamlLine[], index: number): readonly number[] {
  const parents: number[] = []
  let below = lines[index] as YamlLine
  for (let at = index - 1; at >= 0; at -= 1) {
    const line = lines[at] as YamlLine
    const isParent =
      below.mark === null
        ? line.mark === null ? line.indent < below.indent : keyPlace(line) <= below.indent // biome-ignore format: two cases
        : line.mark === null ? line.indent <= below.indent : line.indent < below.indent // biome-ignore format: two cases
    if (!isParent) continue
    parents.unshift(at)
    below = line
  }
  return parents
}

function keyPlace({ indent, mark }: Pick<YamlLine, 'indent' | 'mark'>): number {
  return mark === null ? indent : indent + 2
}
