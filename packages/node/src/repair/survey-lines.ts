import { isUtf8 } from 'node:buffer'
import type { Patch, Path } from '@plimsoll/core/wire'
import { UnpackError } from '../files/unpack.ts'
import { messageLines } from '../logs/agents/requests.ts'
import type { Fields } from '../logs/fields.ts'
import { parseEntry, type RawLine, rawLines } from '../logs/log-lines.ts'
import type { LogReader } from '../logs/log-reader.ts'
import { logReaders, plainReaders } from '../logs/read-log.ts'
import { type CollectedRows, collectRows, type LogNames, slimMessage } from './collect-rows.ts'
import { largeImage, takeLargeImages } from './lift-images.ts'
import type { Repair } from './repair.ts'
import { type LineRules, type RepairedLine, repairLine } from './repair-line.ts'
import { changedRows, entryPatches, repairValue } from './repair-value.ts'
import type { RowAnswer, RowFormat } from './row-format.ts'
import { rowFormatOf } from './row-formats.ts'

export interface LinePlan {
  readonly format: string
  readonly lines: number
  readonly entries: number
  readonly repairs: readonly Repair[]
  readonly isEntry: (value: Readonly<Record<string, unknown>>) => boolean
  readonly rowFormat: RowFormat | null
  /** Lines whose text had to be repaired before parsing. */
  readonly touched: ReadonlySet<number>
  readonly drop: ReadonlySet<number>
  /** Returns the changes to an entry; called when it is written. */
  readonly patches: (row: number, entry: Readonly<Record<string, unknown>>) => readonly Patch[]
  readonly changed: ReadonlySet<number>
  /** Lines added after an entry; -1 means before the first. */
  readonly added: ReadonlyMap<number, readonly Addition[]>
  readonly withImages: ReadonlySet<number>
}

export type Addition = { readonly text: string } | { readonly moved: number } | { readonly answer: RowAnswer }

export interface SurveyOptions {
  readonly bytes: () => AsyncIterable<Uint8Array>
  readonly names: LogNames
  /** Where large images are moved; null if they stay in the log. */
  readonly imageFolder: string | null
  readonly progress: (bytes: number) => void
}

/** Plans the repair of a log of lines; null if no line shows the format. Entries are identified by their place. */
export async function surveyLines(options: SurveyOptions): Promise<LinePlan | null> {
  const reader = await findReader(options)
  if (reader === null) return null
  const rowFormat = rowFormatOf(reader.name)
  // Objects with a complete conversation are repaired one by one, lines of messages as one list.
  const form = rowFormat !== null && rowFormat.name !== 'opencode' ? 'rows' : isMessageReader(reader) ? 'messages' : 'values'
  const isEntry = form === 'rows' && rowFormat !== null ? rowFormat.isEntry : (value: Fields) => reader.detect(value)
  const found = createFindings(form, reader, rowFormat, options)
  let lines = 0
  let size = 0
  const damaged = () => found.repairs.push({ kind: 'cut-end', line: lines + 1 })
  for await (const raw of linesBeforeDamage(options.bytes(), damaged)) {
    lines = raw.line
    size += (raw.bytes?.length ?? 0) + 1
    options.progress(size)
    const { texts, kinds } = lineTexts(raw, isEntry)
    if (kinds.length > 0) found.touched.add(raw.line)
    for (const kind of kinds) found.repairs.push({ kind, line: raw.line })
    for (const text of texts) found.add(text, raw.line)
  }
  if (lines === 0) return null
  return { ...found.finish(), lines, isEntry, rowFormat: form === 'rows' ? rowFormat : null, touched: found.touched }
}

/** The lines of a file; of a damaged compressed file, those before the damage. */
export async function* linesBeforeDamage(bytes: AsyncIterable<Uint8Array>, damaged?: () => void): AsyncGenerator<RawLine, void> {
  let isEmpty = true
  try {
    for await (const raw of rawLines(bytes)) {
      isEmpty = false
      yield raw
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.kind !== 'damaged' || isEmpty) throw error
    damaged?.()
  }
}

/** The format is detected from this many entries at the start. */
const maxUndecided = 51

async function findReader({ bytes }: SurveyOptions): Promise<LogReader | null> {
  let plain: LogReader | null = null
  let count = 0
  const readers = [...logReaders, ...plainReaders]
  const isAny = (value: Fields) => readers.some(({ detect }) => detect(value))
  for await (const raw of linesBeforeDamage(bytes())) {
    for (const text of lineTexts(raw, isAny).texts) {
      const entry = JSON.parse(text) as Fields
      const found = logReaders.find(({ detect }) => detect(entry))
      if (found !== undefined) return found
      if (count === 0) plain = plainReaders.find(({ detect }) => detect(entry)) ?? null
      count += 1
      if (count >= maxUndecided) return plain
    }
  }
  return plain
}

function isMessageReader(reader: LogReader): boolean {
  return reader === messageLines || reader.name === 'gemini'
}

function createFindings(
  form: 'rows' | 'messages' | 'values',
  reader: LogReader,
  rowFormat: RowFormat | null,
  { names, imageFolder }: SurveyOptions,
) {
  const repairs: Repair[] = []
  const touched = new Set<number>()
  const withImages = new Set<number>()
  const drop = new Set<number>()
  const fixed = new Map<number, readonly Patch[]>()
  const added = new Map<number, Addition[]>()
  const places: number[] = []
  const list: Fields[] = []
  const rows = form === 'rows' && rowFormat !== null ? collectRows(rowFormat, reader, names) : null
  const reading = form === 'values' ? reader.start({ skip: (line) => skip(line - 1), pass: () => undefined }, slimMessage) : null
  return { repairs, touched, add, finish }

  function skip(row: number): void {
    // Entries that cannot be read were reported already.
    if (drop.has(row)) return
    drop.add(row)
    repairs.push({ kind: 'dropped-entry', line: places[row] ?? row + 1 })
  }

  function add(text: string, line: number): void {
    const row = places.length
    places.push(line)
    const entry = JSON.parse(text) as Fields
    if (imageFolder !== null && text.length > largeImage) {
      for (const { file } of takeLargeImages(entry, imageFolder)) {
        withImages.add(row)
        repairs.push({ kind: 'lifted-image', line, file })
      }
    }
    rows?.add(entry, text, line)
    reading?.add(entry, row + 1)
    if (form === 'messages') list.push(entry)
    if (form !== 'values') return
    const { patches, repairs: made } = repairValue(entry, names, line)
    if (patches.length > 0) fixed.set(row, patches)
    for (const repair of made) repairs.push(repair)
  }

  function finish(): Omit<LinePlan, 'lines' | 'isEntry' | 'rowFormat' | 'touched'> {
    const collected = rows?.finish() ?? null
    if (collected !== null) takeOver(collected)
    reading?.finish()
    if (form === 'messages') repairList()
    repairs.sort((one, other) => one.line - other.line)
    return {
      format: reader.name,
      entries: places.length,
      repairs,
      drop,
      added,
      withImages,
      changed: new Set([...fixed.keys(), ...(collected === null ? [] : changedRows(collected))]),
      patches: (row, entry) =>
        fixed.get(row) ?? (collected === null || rowFormat === null ? [] : entryPatches(rowFormat, collected, row, entry)),
    }
  }

  function takeOver({ plan, lateHead, newHead, repairs: made }: CollectedRows): void {
    for (const row of plan.drop) drop.add(row)
    for (const [row, answers] of plan.added) {
      const additions = answers.map((one): Addition => ('moved' in one ? one : { answer: one }))
      added.set(row, additions)
    }
    if (newHead !== null) {
      const text = JSON.stringify(newHead)
      added.set(-1, [{ text: rowFormat?.settle?.(text) ?? text }])
    }
    if (lateHead !== null) added.set(-1, [{ moved: lateHead }])
    for (const repair of made) repairs.push(repair)
  }

  /** The messages are one list, each on its own line: changes to the list become changes to lines. */
  function repairList(): void {
    const { patches, repairs: made } = repairValue(list, names)
    for (const repair of made) repairs.push({ ...repair, line: places[repair.line - 1] ?? repair.line })
    for (const patch of patches) {
      const [row, ...path] = patch.path as [number, ...Path]
      if (path.length > 0) fixed.set(row, [...(fixed.get(row) ?? []), { ...patch, path }])
      else if (patch.op === 'remove') drop.add(row)
      else {
        const text = { text: JSON.stringify(patch.value) }
        if (patch.op === 'insert') added.set(row - 1, [...(added.get(row - 1) ?? []), text])
        else {
          drop.add(row)
          added.set(row, [text, ...(added.get(row) ?? [])])
        }
      }
    }
    // A message that is both changed and dropped is dropped.
    for (const row of drop) fixed.delete(row)
  }
}

/** Reads the entries of a line, as far as it can be read. The same line always gives the same texts. */
export function lineTexts({ line, bytes, isEnded }: RawLine, isEntry: (value: Fields) => boolean): RepairedLine {
  if (bytes === null) return { texts: [], kinds: ['cut-line'] }
  const isText = isUtf8(bytes)
  const text = bytes.toString('utf8')
  const rules: LineRules = { parse: (piece) => parseEntry({ line, text: piece }).entry, isEntry }
  const { texts, kinds } = repairLine(line > 1 && text.startsWith('\ufeff') ? text.slice(1) : text, rules)
  // An interrupted writer leaves a last line without a newline.
  const named = kinds.map((kind) => (kind === 'cut-line' && !isEnded ? 'cut-end' : kind))
  return { texts, kinds: isText || named.includes('cut-line') || named.includes('cut-end') ? named : ['not-utf8', ...named] }
}
