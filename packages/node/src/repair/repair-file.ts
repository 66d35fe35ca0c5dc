import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { checkView } from '@plimsoll/core'
import { readText, troubleOf } from '../files/read-text.ts'
import type { Outcome, Trouble } from '../files/trouble.ts'
import { UnpackError, unpackBytes } from '../files/unpack.ts'
import { isDatabase, isOpencodeSessionFile } from '../logs/agents/opencode-store.ts'
import { isOpenHandsEventFile } from '../logs/agents/openhands-sdk.ts'
import { parseEntry, rawLines } from '../logs/log-lines.ts'
import type { ReadLog } from '../logs/log-reader.ts'
import { readLog, readLogText } from '../logs/read-log.ts'
import type { Mend } from '../shared/mend.ts'
import { type LogNames, slimMessage } from './collect-rows.ts'
import { onlyReadFormats } from './mend-value.ts'
import { repairDocument } from './repair-document.ts'
import { OutputError, openRepairOutput, type RepairOutput } from './repair-output.ts'
import { rowFormatOf } from './row-formats.ts'
import { type LinePlan, type SurveyOptions, surveyLines } from './survey-lines.ts'
import { writeLines } from './write-lines.ts'

/** How a file is repaired. */
export interface RepairOptions {
  /** Where the copy goes. Nothing may be there. */
  readonly out: string
  /** Whether large pictures stay where they are. */
  readonly keepsImages: boolean
  /** Told how many bytes were read of how many; packed ones count more. */
  readonly progress?: (bytes: number, size: number) => void
}

/** What came of a file. */
export interface Repaired {
  /** Whose log it is. */
  readonly format: string
  /** Lines of the file, or null for a JSON document. */
  readonly lines: number | null
  readonly mends: readonly Mend[]
  /** The copy and its size; null where nothing was broken, and nothing written. */
  readonly copy: { readonly path: string; readonly bytes: number } | null
  /** The folder with the pictures that were taken out, and how many. */
  readonly pictures: { readonly folder: string; readonly count: number } | null
  /** What could not be mended; null where the copy is whole. */
  readonly left: CopyTrouble | null
}

/** Why a file could not be repaired. */
export type RepairTrouble =
  | Trouble
  /** A session that an agent keeps in a database or in many files. */
  | { readonly kind: 'store'; readonly agent: string }
  | { readonly kind: 'exists'; readonly path: string }
  | { readonly kind: 'not-written'; readonly path: string; readonly code: string }

/** Each round mends what the one before has laid open. */
const mostRounds = 5

/**
 * Mends a log into a copy in the same format, and never touches the log itself. The copy appears whole or not at all, only its owner can
 * read it, and nothing that exists is replaced. Where nothing is broken, nothing is written.
 */
export async function repairFile(
  path: string,
  options: RepairOptions,
): Promise<{ readonly value: Repaired; readonly trouble?: never } | { readonly trouble: RepairTrouble; readonly value?: never }> {
  const output = openRepairOutput(options.out)
  try {
    const store = await storeOf(path)
    if (store !== null) return { trouble: { kind: 'store', agent: store } }
    const size = (await stat(path)).size
    if ((await stat(path)).isDirectory()) return { trouble: { kind: 'is-folder' } }
    const bytes = () => unpackBytes(createReadStream(path, { highWaterMark: 1 << 20 }))
    const form = await tellForm(bytes)
    if (form === 'empty') return { trouble: { kind: 'empty' } }
    const repairing: Repairing = { path, options, names: namesOf(path), output }
    const lines = form === 'lines' ? await repairLines(repairing, bytes, size) : null
    if (lines !== null) return { value: lines }
    const whole = await repairWhole(repairing, bytes)
    if (whole !== 'an entry' && (form === 'lines' || !('trouble' in whole) || whole.trouble.kind !== 'not-json')) return whole
    // A file of which every line but one is garbled does not look like lines.
    const rest = await repairLines(repairing, bytes, size)
    if (rest !== null) return { value: rest }
    return whole === 'an entry' ? { trouble: { kind: 'no-messages', came: 'JSON' } } : whole
  } catch (error) {
    if (error instanceof OutputError) return { trouble: outputTrouble(error, options.out) }
    return { trouble: troubleOf(error) }
  } finally {
    await output.clear()
  }
}

function outputTrouble({ path, code }: OutputError, out: string): RepairTrouble {
  return code === 'EEXIST' ? { kind: 'exists', path } : { kind: 'not-written', path: out, code }
}

interface Repairing {
  readonly path: string
  readonly options: RepairOptions
  readonly names: LogNames
  readonly output: RepairOutput
}

async function storeOf(path: string): Promise<string | null> {
  if (await isDatabase(path)) return 'opencode'
  if (isOpenHandsEventFile(path)) return 'OpenHands'
  if (!isOpencodeSessionFile(path)) return null
  // An exported session may have the same name; what is kept for itself has no messages inside.
  const { value } = await readLog(path, { take: slimMessage })
  return value === undefined || (await hasOwnMessages(path)) ? null : 'opencode'
}

async function hasOwnMessages(path: string): Promise<boolean> {
  const { value } = await readText(createReadStream(path))
  return value?.includes('"messages"') ?? false
}

function namesOf(path: string): LogNames {
  const whole = resolve(path)
  return { file: basename(whole), folder: basename(dirname(whole)) }
}

async function repairLines(repairing: Repairing, bytes: () => AsyncIterable<Uint8Array>, size: number): Promise<Repaired | null> {
  const { options, names, output } = repairing
  const survey: SurveyOptions = {
    bytes,
    names,
    imageFolder: options.keepsImages ? null : output.pictureFolder,
    progress: (done) => options.progress?.(done, size),
  }
  const plan = await surveyLines(survey)
  if (plan === null) return null
  if (plan.mends.length === 0) return wholeFile(repairing, plan.format, plan.lines)
  const mends: Mend[] = [...plan.mends]
  let origins: readonly number[] = []
  let current = plan
  let from = survey
  let file = ''
  for (let round = 0; current.mends.length > 0 && round < mostRounds; round += 1) {
    const written = await writeRound(output, current, from)
    const before = origins
    const next = written.file
    file = next
    origins = written.origins.map((line) => before[line - 1] ?? line)
    from = { ...survey, bytes: () => createReadStream(next, { highWaterMark: 1 << 20 }), progress: () => undefined }
    const again = await surveyLines(from)
    if (again === null) break
    current = again
    for (const mend of again.mends) mends.push(inOriginal(mend, origins))
  }
  const left = troubleInCopy(await readLog(file, { take: slimMessage }))
  const copy = { path: options.out, bytes: await output.place(file) }
  const { format, lines } = plan
  return { format, lines, mends, copy, pictures: output.pictures(), left: left ?? unmended(current.mends) }
}

/** A mend of a later round, told by the lines of the original. */
function inOriginal(mend: Mend, origins: readonly number[]): Mend {
  const { line, to } = mend
  return { ...mend, line: origins[line - 1] ?? line, ...(to == null ? {} : { to: origins[to - 1] ?? to }) }
}

function unmended(mends: readonly Mend[]): CopyTrouble | null {
  return mends.length === 0 ? null : { unreadable: 0, problems: mends.length }
}

/** Even a whole file may hold what is not mended: calls of an agent whose logs are only read. */
async function wholeFile({ path }: Repairing, format: string, lines: number | null): Promise<Repaired> {
  const read = await readLog(path, { take: slimMessage })
  return { format: read.value?.format ?? format, lines, mends: [], copy: null, pictures: null, left: troubleInCopy(read) }
}

async function writeRound(
  output: RepairOutput,
  plan: LinePlan,
  survey: SurveyOptions,
): Promise<{ readonly file: string; readonly origins: readonly number[] }> {
  const origins: number[] = []
  const lines = await output.openLines()
  try {
    await writeLines(plan, survey, {
      async write(line, origin) {
        origins.push(origin)
        await lines.write(line)
      },
      picture: output.keepPicture,
    })
  } finally {
    await lines.close()
  }
  return { file: lines.path, origins }
}

async function repairWhole(
  repairing: Repairing,
  bytes: () => AsyncIterable<Uint8Array>,
): Promise<{ readonly value: Repaired } | { readonly trouble: Trouble } | 'an entry'> {
  const { options, names, output } = repairing
  const read = await wholeText(bytes)
  if (read.trouble !== undefined) return read
  const { text, isText } = read.value
  const repaired = repairDocument(text, names, options.keepsImages ? null : output.pictureFolder)
  const log = repaired === null ? await readLogText(text) : await readLogText(repaired.text, { take: slimMessage })
  if (repaired === null || log.trouble !== undefined) return { trouble: log.trouble ?? { kind: 'no-messages', came: 'JSON' } }
  const mends: readonly Mend[] = isText ? repaired.mends : [{ kind: 'not-utf8', line: 1 }, ...repaired.mends]
  const left = troubleInCopy(log)
  const { format } = log.value
  const rows = rowFormatOf(format)
  if (rows !== null && rows.form !== 'in-place' && text.trimStart().startsWith('{')) return 'an entry'
  if (mends.length === 0) return { value: { format, lines: null, mends, copy: null, pictures: null, left } }
  for (const image of repaired.images) await output.keepPicture(image)
  const lines = await output.openLines()
  try {
    await lines.write(repaired.text.replace(/\n$/, ''))
  } finally {
    await lines.close()
  }
  const copy = { path: options.out, bytes: await output.place(lines.path) }
  return { value: { format, lines: null, mends, copy, pictures: output.pictures(), left } }
}

/** A document is held whole, and so may not be larger than what is read elsewhere. */
async function wholeText(
  bytes: () => AsyncIterable<Uint8Array>,
): Promise<Outcome<{ readonly text: string; readonly isText: boolean }>> {
  const read = await readText(bytes())
  if (read.value !== undefined) return { value: { text: read.value, isText: true } }
  if (read.trouble.kind !== 'not-utf8') return read
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes()) chunks.push(chunk)
  return { value: { text: Buffer.concat(chunks).toString('utf8'), isText: false } }
}

/** What is still wrong with a copy, as its reader and a provider would say. */
interface CopyTrouble {
  /** Entries that still cannot be read. */
  readonly unreadable: number
  /** Rules of the providers that the conversation still breaks. */
  readonly problems: number
}

/** Holds a copy against its reader; null where all is well. */
function troubleInCopy({ value }: Outcome<ReadLog>): CopyTrouble | null {
  if (value === undefined) return { unreadable: 1, problems: 0 }
  const unreadable = value.skipped.length
  // Those of runs whose calls are words come with the format.
  const problems = onlyReadFormats.has(value.format)
    ? 0
    : value.sessions.reduce((sum, { messages }) => sum + checkView(messages).length, 0)
  return unreadable === 0 && problems === 0 ? null : { unreadable, problems }
}

/** How many lines are looked at. */
const mostLines = 60

/**
 * Whether a file is lines with an entry each, or one JSON value on however many lines. A first line may be garbled; one line that is an
 * object by itself and is not indented shows the form.
 */
async function tellForm(bytes: () => AsyncIterable<Uint8Array>): Promise<'lines' | 'document' | 'empty'> {
  let isEmpty = true
  let isObject = false
  let count = 0
  try {
    for await (const { line, bytes: raw } of rawLines(bytes())) {
      const text = (raw ?? Buffer.alloc(0))
        .toString('utf8')
        .replace(/^\ufeff/, '')
        .replaceAll('\0', '')
      if (!/\S/.test(text) && raw !== null) continue
      if (isEmpty && text.trimStart().startsWith('[')) return 'document'
      isEmpty = false
      // Another line behind a whole object shows that it was one of several.
      if (isObject) return 'lines'
      const { entry } = text.startsWith('{') ? parseEntry({ line, text }) : {}
      if (entry !== undefined && (count > 0 || typeof entry['type'] === 'string')) return 'lines'
      isObject = entry !== undefined
      count += 1
      if (count >= mostLines) break
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.kind !== 'damaged' || isEmpty) throw error
  }
  return isEmpty ? 'empty' : 'document'
}
