import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { checkView } from '@plimsoll/core'
import type { Outcome, ReadProblem } from '../files/problem.ts'
import { problemFrom, readText } from '../files/read-text.ts'
import { UnpackError, unpackBytes } from '../files/unpack.ts'
import { isDatabase, isOpencodeSessionFile } from '../logs/agents/opencode.ts'
import { isOpenHandsEventFile } from '../logs/agents/openhands-sdk.ts'
import { plimsoll } from '../logs/agents/plimsoll.ts'
import { parseEntry, rawLines } from '../logs/log-lines.ts'
import type { ReadLog } from '../logs/log-reader.ts'
import { readLog, readLogText } from '../logs/read-log.ts'
import { findDamage, knownEntries, sealLines } from './chain-repairs.ts'
import { type LogNames, slimMessage } from './collect-rows.ts'
import type { Repair } from './repair.ts'
import { repairDocument } from './repair-document.ts'
import { OutputError, openRepairOutput, type RepairOutput } from './repair-output.ts'
import { onlyReadFormats } from './repair-value.ts'
import { rowFormatOf } from './row-formats.ts'
import { type LinePlan, type SurveyOptions, surveyLines } from './survey-lines.ts'
import { writeLines } from './write-lines.ts'

export interface RepairOptions {
  /** The path of the copy. Nothing may exist there. */
  readonly out: string
  readonly keepsImages: boolean
  /** Called with the bytes read so far and the file size. A compressed file yields more bytes than its size. */
  readonly progress?: (bytes: number, size: number) => void
}

export interface Repaired {
  readonly format: string
  /** Null for a JSON document. */
  readonly lines: number | null
  readonly mends: readonly Repair[]
  /** Null if nothing was broken; then nothing is written. */
  readonly copy: { readonly path: string; readonly bytes: number } | null
  readonly pictures: { readonly folder: string; readonly count: number } | null
  /** Problems that remain in the copy. */
  readonly left: CopyProblems | null
}

export type RepairProblem =
  | ReadProblem
  /** A session that an agent stores in a database or in many files. */
  | { readonly kind: 'store'; readonly agent: string }
  /** Plimsoll's own log without any entry; it had this many. */
  | { readonly kind: 'emptied'; readonly entries: number }
  | { readonly kind: 'exists'; readonly path: string }
  | { readonly kind: 'not-written'; readonly path: string; readonly code: string }

/** A repair can reveal more problems, which the next round repairs. */
const maxRounds = 5

/**
 * Repairs a log into a copy in the same format. The log itself is never touched. The copy is written completely or
 * not at all, is readable only by its owner, and never replaces a file. If nothing is broken, no copy is written.
 */
export async function repairFile(path: string, options: RepairOptions): Promise<Outcome<Repaired, RepairProblem>> {
  const output = openRepairOutput(options.out)
  try {
    const store = await storeOf(path)
    if (store !== null) return { problem: { kind: 'store', agent: store } }
    const file = await stat(path)
    if (file.isDirectory()) return { problem: { kind: 'is-folder' } }
    const bytes = () => unpackBytes(createReadStream(path, { highWaterMark: 1 << 20 }))
    const form = await detectForm(bytes)
    const entries = form === 'empty' ? knownEntries(path) : 0
    if (form === 'empty') return { problem: entries === 0 ? { kind: 'empty' } : { kind: 'emptied', entries } }
    const fullPath = resolve(path)
    const names = { file: basename(fullPath), folder: basename(dirname(fullPath)) }
    const repairing: Repairing = { path, bytes, size: file.size, options, names, output }
    const lines = form === 'lines' ? await repairLines(repairing) : null
    if (lines !== null) return { value: lines }
    const document = await repairAsDocument(repairing)
    if (document !== 'an entry' && (form === 'lines' || document.problem?.kind !== 'not-json')) return document
    // Such a file can also be lines of which all but one are garbled.
    const rest = await repairLines(repairing)
    if (rest !== null) return { value: rest }
    return document === 'an entry' ? { problem: { kind: 'no-messages', came: 'JSON' } } : document
  } catch (error) {
    if (!(error instanceof OutputError)) return { problem: problemFrom(error) }
    const { path: taken, code } = error
    return { problem: code === 'EEXIST' ? { kind: 'exists', path: taken } : { kind: 'not-written', path: options.out, code } }
  } finally {
    await output.clear()
  }
}

interface Repairing {
  readonly path: string
  readonly bytes: () => AsyncIterable<Uint8Array>
  readonly size: number
  readonly options: RepairOptions
  readonly names: LogNames
  readonly output: RepairOutput
}

async function storeOf(path: string): Promise<string | null> {
  if (await isDatabase(path)) return 'opencode'
  if (isOpenHandsEventFile(path)) return 'OpenHands'
  if (!isOpencodeSessionFile(path)) return null
  const { value } = await readLog(path, { take: slimMessage })
  if (value === undefined) return null
  // An exported session may have the same name, but the store's own file holds no messages.
  const text = await readText(createReadStream(path))
  return text.value?.includes('"messages"') === true ? null : 'opencode'
}

async function repairLines(repairing: Repairing): Promise<Repaired | null> {
  const { path, bytes, size, options, names, output } = repairing
  const survey: SurveyOptions = {
    bytes,
    names,
    imageFolder: options.keepsImages ? null : output.imageFolder,
    progress: (done) => options.progress?.(done, size),
  }
  const plan = await surveyLines(survey)
  if (plan === null) return null
  const { format, lines } = plan
  const damage = format === plimsoll.name ? await findDamage(path, bytes) : { repairs: [], hasSums: false }
  if (plan.repairs.length === 0 && damage.repairs.length === 0) {
    // Read-only formats are not repaired, so their files can still have problems.
    const read = await readLog(path, { take: slimMessage })
    return { format: read.value?.format ?? format, lines, mends: [], copy: null, pictures: null, left: problemsInCopy(read) }
  }
  const repairs: Repair[] = [...plan.repairs, ...damage.repairs].sort((one, other) => one.line - other.line)
  let origins: readonly number[] = []
  let current = plan
  let from = survey
  let file = ''
  for (let round = 0; (current.repairs.length > 0 || round === 0) && round < maxRounds; round += 1) {
    const written = await writeRound(output, current, from)
    const before = origins
    const next = written.file
    file = next
    origins = written.origins.map((line) => before[line - 1] ?? line)
    from = { ...survey, bytes: () => createReadStream(next, { highWaterMark: 1 << 20 }), progress: () => undefined }
    const again = await surveyLines(from)
    if (again === null) break
    current = again
    for (const repair of again.repairs) repairs.push(inOriginal(repair, origins))
  }
  const repaired = file
  if (damage.hasSums) file = await output.writeLines((putLine) => sealLines(createReadStream(repaired), putLine))
  const left = problemsInCopy(await readLog(file, { take: slimMessage }))
  const copy = { path: options.out, bytes: await output.place(file) }
  const unrepaired = current.repairs.length
  return {
    format,
    lines,
    mends: repairs,
    copy,
    pictures: output.images(),
    left: left ?? (unrepaired === 0 ? null : { unreadable: 0, problems: unrepaired }),
  }
}

function inOriginal(repair: Repair, origins: readonly number[]): Repair {
  const { line, to } = repair
  return { ...repair, line: origins[line - 1] ?? line, ...(to == null ? {} : { to: origins[to - 1] ?? to }) }
}

async function writeRound(output: RepairOutput, plan: LinePlan, survey: SurveyOptions) {
  const origins: number[] = []
  const file = await output.writeLines((putLine) =>
    writeLines(plan, survey, {
      write(line, origin) {
        origins.push(origin)
        return putLine(line)
      },
      image: output.keepImage,
    }),
  )
  return { file, origins }
}

async function repairAsDocument({ bytes, options, names, output }: Repairing): Promise<Outcome<Repaired> | 'an entry'> {
  const read = await documentText(bytes)
  if (read.problem !== undefined) return read
  const { text, isText } = read.value
  const repaired = repairDocument(text, names, options.keepsImages ? null : output.imageFolder)
  const log = repaired === null ? await readLogText(text) : await readLogText(repaired.text, { take: slimMessage })
  if (repaired === null || log.problem !== undefined) return { problem: log.problem ?? { kind: 'no-messages', came: 'JSON' } }
  const repairs: readonly Repair[] = isText ? repaired.repairs : [{ kind: 'not-utf8', line: 1 }, ...repaired.repairs]
  const left = problemsInCopy(log)
  const { format } = log.value
  const rows = rowFormatOf(format)
  if (rows !== null && rows.form !== 'in-place' && text.trimStart().startsWith('{')) return 'an entry'
  if (repairs.length === 0) return { value: { format, lines: null, mends: repairs, copy: null, pictures: null, left } }
  for (const image of repaired.images) await output.keepImage(image)
  const file = await output.writeLines((putLine) => putLine(repaired.text.replace(/\n$/, '')))
  const copy = { path: options.out, bytes: await output.place(file) }
  return { value: { format, lines: null, mends: repairs, copy, pictures: output.images(), left } }
}

/** A document is held in memory, so the size limit of readText applies. */
async function documentText(
  bytes: () => AsyncIterable<Uint8Array>,
): Promise<Outcome<{ readonly text: string; readonly isText: boolean }>> {
  const read = await readText(bytes())
  if (read.value !== undefined) return { value: { text: read.value, isText: true } }
  if (read.problem.kind !== 'not-utf8') return read
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes()) chunks.push(chunk)
  return { value: { text: Buffer.concat(chunks).toString('utf8'), isText: false } }
}

interface CopyProblems {
  readonly unreadable: number
  /** Violations of the providers' rules. */
  readonly problems: number
}

function problemsInCopy({ value }: Outcome<ReadLog>): CopyProblems | null {
  if (value === undefined) return { unreadable: 1, problems: 0 }
  const unreadable = value.skipped.length
  // In these formats calls are text, so every log has such problems.
  const problems = onlyReadFormats.has(value.format)
    ? 0
    : value.sessions.reduce((sum, { messages }) => sum + checkView(messages).length, 0)
  return unreadable === 0 && problems === 0 ? null : { unreadable, problems }
}

const maxLines = 60

/** The first line may be garbled. An unindented line with a complete object means one entry per line. */
async function detectForm(bytes: () => AsyncIterable<Uint8Array>): Promise<'lines' | 'document' | 'empty'> {
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
      // More text after a complete object means one entry per line.
      if (isObject) return 'lines'
      const { entry } = text.startsWith('{') ? parseEntry({ line, text }) : {}
      if (entry !== undefined && (count > 0 || typeof entry['type'] === 'string')) return 'lines'
      isObject = entry !== undefined
      count += 1
      if (count >= maxLines) break
    }
  } catch (error) {
    if (!(error instanceof UnpackError) || error.kind !== 'damaged' || isEmpty) throw error
  }
  return isEmpty ? 'empty' : 'document'
}
