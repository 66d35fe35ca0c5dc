import { isUtf8 } from 'node:buffer'
import type { Patch, Path } from '@plimsoll/core/wire'
import { UnpackError } from '../files/unpack.ts'
import { messageLines } from '../logs/agents/requests.ts'
import { parseEntry, type RawLine, rawLines } from '../logs/log-lines.ts'
import type { Fields, LogReader } from '../logs/log-reader.ts'
import { logReaders, plainReaders } from '../logs/log-readers.ts'
import type { Mend, MendKind } from '../shared/mend.ts'
import { type CollectedRows, collectRows, type LogNames, type RowCollector, slimMessage } from './collect-rows.ts'
import { largeImage, takeLargeImages } from './lift-images.ts'
import { type LineRules, mendLine } from './mend-line.ts'
import { entryPatches, mendValue } from './mend-value.ts'
import type { RowAnswer, RowFormat } from './row-format.ts'
import { rowFormatOf } from './row-formats.ts'

/** What is to be done with a file of lines. Entries are named by their place among all that could be read. */
export interface LinePlan {
  /** What was read: the name of the reader, or of the dialect. */
  readonly format: string
  readonly lines: number
  readonly entries: number
  readonly mends: readonly Mend[]
  readonly isEntry: (value: Readonly<Record<string, unknown>>) => boolean
  readonly rowFormat: RowFormat | null
  /** Lines of which something was left out or changed before they were read. */
  readonly touched: ReadonlySet<number>
  readonly drop: ReadonlySet<number>
  /** The changes to an entry, asked for when it is written. */
  readonly patches: (row: number, entry: Readonly<Record<string, unknown>>) => readonly Patch[]
  /** Places of entries that have changes. */
  readonly changed: ReadonlySet<number>
  /** What stands behind an entry from now on; behind -1 what stands before all. */
  readonly behind: ReadonlyMap<number, readonly Addition[]>
  /** Entries out of which pictures are taken. */
  readonly pictured: ReadonlySet<number>
}

/** Something that is put between entries. */
export type Addition = { readonly text: string } | { readonly moved: number } | { readonly answer: RowAnswer }

/** How a file is looked through. */
export interface SurveyOptions {
  /** Reads the file from its beginning, each time it is called. */
  readonly bytes: () => AsyncIterable<Uint8Array>
  readonly names: LogNames
  /** The folder for pictures that are too large to stay; null where they stay. */
  readonly imageFolder: string | null
  /** Told how many bytes were read. */
  readonly progress: (bytes: number) => void
}

/** Looks through a file of lines and says what has to be done to it; null where no line shows whose log it is. */
export async function surveyLines(options: SurveyOptions): Promise<LinePlan | null> {
  const reader = await findReader(options)
  if (reader === null) return null
  const rowFormat = rowFormatOf(reader.name)
  // An object that holds a whole conversation is mended by itself; lists of messages as a whole.
  const form = rowFormat !== null && rowFormat.name !== 'opencode' ? 'rows' : isMessageReader(reader) ? 'messages' : 'values'
  const isEntry = form === 'rows' && rowFormat !== null ? rowFormat.isEntry : (value: Fields) => reader.detect(value)
  const found = createFindings(form, reader, rowFormat, options)
  let lines = 0
  let last: RawLine | null = null
  for await (const raw of cutLines(options)) {
    if (raw === 'damaged') {
      found.mends.push({ kind: 'cut-end', line: lines + 1 })
      continue
    }
    lines = raw.line
    last = raw
    const { texts, kinds } = lineTexts(raw, isEntry)
    if (kinds.length > 0) found.touched.add(raw.line)
    for (const kind of kinds) found.mends.push({ kind, line: raw.line })
    for (const text of texts) found.add(text, raw.line)
  }
  if (last === null) return null
  return { ...found.finish(), lines, isEntry, rowFormat: form === 'rows' ? rowFormat : null, touched: found.touched }
}

/** The lines of a file; of one that is packed and damaged, as far as it goes. */
async function* cutLines({ bytes, progress }: SurveyOptions): AsyncGenerator<RawLine | 'damaged', void> {
  let size = 0
  try {
    for await (const raw of rawLines(bytes())) {
      size += (raw.bytes?.length ?? 0) + 1
      progress(size)
      yield raw
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.kind !== 'damaged' || size === 0) throw error
    yield 'damaged'
  }
}

/** Among so many first entries there is one that shows the format. */
const mostUndecided = 51

async function findReader(options: SurveyOptions): Promise<LogReader | null> {
  let plain: LogReader | null = null
  let count = 0
  const readers = [...logReaders, ...plainReaders]
  const isAny = (value: Fields) => readers.some(({ detect }) => detect(value))
  for await (const raw of cutLines({ ...options, progress: () => undefined })) {
    if (raw === 'damaged') continue
    for (const text of lineTexts(raw, isAny).texts) {
      const entry = JSON.parse(text) as Fields
      const found = logReaders.find(({ detect }) => detect(entry))
      if (found !== undefined) return found
      if (count === 0) plain = plainReaders.find(({ detect }) => detect(entry)) ?? null
      count += 1
      if (count >= mostUndecided) return plain
    }
  }
  return plain
}

/** Whether each line is one message of the same list. */
function isMessageReader(reader: LogReader): boolean {
  return reader === messageLines || reader.name === 'gemini'
}

interface Findings {
  readonly mends: Mend[]
  readonly touched: Set<number>
  readonly add: (text: string, line: number) => void
  readonly finish: () => Omit<LinePlan, 'lines' | 'isEntry' | 'rowFormat' | 'touched'>
}

function createFindings(
  form: 'rows' | 'messages' | 'values',
  reader: LogReader,
  rowFormat: RowFormat | null,
  { names, imageFolder }: SurveyOptions,
): Findings {
  const mends: Mend[] = []
  const touched = new Set<number>()
  const pictured = new Set<number>()
  const drop = new Set<number>()
  const fixed = new Map<number, readonly Patch[]>()
  const behind = new Map<number, Addition[]>()
  const places: number[] = []
  const list: Fields[] = []
  const rows: RowCollector | null = form === 'rows' && rowFormat !== null ? collectRows(rowFormat, reader, names) : null
  const reading = form === 'values' ? reader.start({ skip: (line) => skip(line - 1), pass: () => undefined }, slimMessage) : null
  return { mends, touched, add, finish }

  function skip(row: number): void {
    // Those that cannot be read were told already.
    if (drop.has(row)) return
    drop.add(row)
    mends.push({ kind: 'dropped-entry', line: places[row] ?? row + 1 })
  }

  function add(text: string, line: number): void {
    const row = places.length
    places.push(line)
    const entry = JSON.parse(text) as Fields
    if (imageFolder !== null && text.length > largeImage) {
      for (const { file } of takeLargeImages(entry, imageFolder)) {
        pictured.add(row)
        mends.push({ kind: 'lifted-image', line, file })
      }
    }
    rows?.add(entry, text, line)
    reading?.add(entry, row + 1)
    if (form === 'messages') list.push(entry)
    if (form !== 'values') return
    const { patches, mends: made } = mendValue(entry, names, line)
    if (patches.length > 0) fixed.set(row, patches)
    for (const mend of made) mends.push(mend)
  }

  function finish(): ReturnType<Findings['finish']> {
    const collected = rows?.finish() ?? null
    if (collected !== null) takeOver(collected)
    reading?.finish()
    if (form === 'messages') mendList()
    mends.sort((one, other) => one.line - other.line)
    return {
      format: reader.name,
      entries: places.length,
      mends,
      drop,
      behind,
      pictured,
      changed: new Set([
        ...fixed.keys(),
        ...(collected === null
          ? []
          : [...collected.patches.keys(), ...collected.plan.parents.keys(), ...collected.plan.remove.keys()]),
        ...(collected?.plan.behind.keys() ?? []),
      ]),
      patches: (row, entry) =>
        fixed.get(row) ?? (collected === null || rowFormat === null ? [] : entryPatches(rowFormat, collected, row, entry)),
    }
  }

  function takeOver({ plan, lateHead, newHead, mends: made }: CollectedRows): void {
    for (const row of plan.drop) drop.add(row)
    for (const [row, additions] of plan.behind)
      behind.set(
        row,
        additions.map((one): Addition => ('moved' in one ? one : { answer: one })),
      )
    if (newHead !== null) behind.set(-1, [{ text: settled(JSON.stringify(newHead)) }])
    if (lateHead !== null) behind.set(-1, [{ moved: lateHead }])
    for (const mend of made) mends.push(mend)
  }

  function settled(text: string): string {
    return rowFormat?.settle?.(text) ?? text
  }

  /** Messages that are one list, each on a line of its own: what is done to the list is done to the lines. */
  function mendList(): void {
    const { patches, mends: made } = mendValue(list, names)
    for (const mend of made) mends.push({ ...mend, line: places[mend.line - 1] ?? mend.line })
    for (const patch of patches) {
      const [row, ...path] = patch.path as [number, ...Path]
      if (path.length > 0) fixed.set(row, [...(fixed.get(row) ?? []), { ...patch, path }])
      else if (patch.op === 'remove') drop.add(row)
      else {
        const added = behind.get(row - 1) ?? []
        const text = { text: JSON.stringify(patch.value) }
        if (patch.op === 'insert') behind.set(row - 1, [...added, text])
        else {
          drop.add(row)
          behind.set(row, [text, ...(behind.get(row) ?? [])])
        }
      }
    }
    // A message that is changed and left out is left out.
    for (const row of drop) fixed.delete(row)
  }
}

/** The entries of one line as texts, and what was done to get them. */
interface LineTexts {
  readonly texts: readonly string[]
  readonly kinds: readonly MendKind[]
}

/** Reads what can be read of a line. The same line gives the same answer whenever it is asked. */
export function lineTexts({ line, bytes, isEnded }: RawLine, isEntry: (value: Fields) => boolean): LineTexts {
  if (bytes === null) return { texts: [], kinds: ['cut-line'] }
  const isText = isUtf8(bytes)
  const text = bytes.toString('utf8')
  const rules: LineRules = { parse: (piece) => parseEntry({ line, text: piece }).entry, isEntry }
  const { texts, kinds } = mendLine(line > 1 && text.startsWith('\ufeff') ? text.slice(1) : text, rules)
  // Whoever was writing when the end came has written no newline either.
  const named = kinds.map((kind) => (kind === 'cut-line' && !isEnded ? 'cut-end' : kind))
  return { texts, kinds: isText || named.includes('cut-line') || named.includes('cut-end') ? named : ['not-utf8', ...named] }
}
