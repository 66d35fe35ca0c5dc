import type { ListedRecord } from './read-records.ts'

/** Records of one field to a line, with blank lines between them: `id = 7`, `state: ready`, `name | value`. Empty if nearly all blocks are not of that kind. */
export function readBlocks(text: string): readonly ListedRecord[] {
  const blocks = [...blocksOf(text)]
  if (blocks.length < minBlocks) return []
  const records = blocks.flatMap(([start, end]) => {
    const fields = fieldsIn(text.slice(start, end))
    return fields === null ? [] : [{ start, end, fields }]
  })
  const counts = new Map<string, number>()
  for (const { fields } of records) for (const name of fields.keys()) counts.set(name, (counts.get(name) ?? 0) + 1)
  const common = [...counts.values()].filter((count) => count * 10 >= blocks.length * 9)
  return common.length < minCommon || records.length * 10 < blocks.length * 9 ? [] : records
}

const minBlocks = 6
const minCommon = 2
const maxLines = 60

function* blocksOf(text: string): Generator<readonly [number, number], void> {
  let start = 0
  for (const gap of text.matchAll(/\r?\n(?:[ \t]{0,80}\r?\n){1,3}/g)) {
    if (gap.index > start) yield [start, gap.index]
    start = gap.index + gap[0].length
  }
  const end = text.trimEnd().length
  if (end > start) yield [start, end]
}

function fieldsIn(block: string): ListedRecord['fields'] | null {
  const lines = block.split('\n', maxLines + 1)
  if (lines.length < minCommon || lines.length > maxLines) return null
  const fields = new Map<string, unknown>()
  for (const line of lines) {
    const found = field.exec(line)
    if (found === null) return null
    const value = (found[2] as string).trim()
    fields.set(found[1] as string, /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value)
  }
  return fields
}

const field = /^[ \t]{0,40}([A-Za-z_][\w.-]{0,40}(?: [\w.-]{1,20}){0,2})[ \t]{0,40}[=:|](?=\s|$)(.*)$/
