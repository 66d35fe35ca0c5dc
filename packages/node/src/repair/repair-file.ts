import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { constants, copyFile, type FileHandle, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Mend } from '@plimsoll/core'
import { readText, troubleOf } from '../files/read-text.ts'
import type { Outcome, Trouble } from '../files/trouble.ts'
import { unpackBytes } from '../files/unpack.ts'
import { isDatabase } from '../logs/opencode-database.ts'
import { isOpencodeSessionFile } from '../logs/opencode-store.ts'
import { isOpenHandsEventFile } from '../logs/openhands-store.ts'
import { readLog, readLogText } from '../logs/read-log.ts'
import { writeAll } from '../session/durable-file.ts'
import { codeOf } from '../session/session-error.ts'
import { type CopyTrouble, troubleInCopy } from './check-copy.ts'
import type { LogNames } from './collect-rows.ts'
import type { TakenImage } from './large-images.ts'
import { repairDocument } from './repair-document.ts'
import { slimMessage } from './slim-message.ts'
import { type SurveyOptions, surveyLines } from './survey-lines.ts'
import { tellForm } from './tell-form.ts'
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
  const files: string[] = []
  try {
    const store = await storeOf(path)
    if (store !== null) return { trouble: { kind: 'store', agent: store } }
    const size = (await stat(path)).size
    if ((await stat(path)).isDirectory()) return { trouble: { kind: 'is-folder' } }
    const bytes = () => unpackBytes(createReadStream(path, { highWaterMark: 1 << 20 }))
    const form = await tellForm(bytes)
    if (form === 'empty') return { trouble: { kind: 'empty' } }
    const repairing: Repairing = { path, options, names: namesOf(path), pictures: new Map(), files }
    const lines = form === 'lines' ? await repairLines(repairing, bytes, size) : null
    if (lines !== null) return { value: lines }
    const whole = await repairWhole(repairing, bytes)
    if (form === 'lines' || !('trouble' in whole) || whole.trouble.kind !== 'not-json') return whole
    // A file of which every line is garbled does not look like lines.
    const rest = await repairLines(repairing, bytes, size)
    return rest === null ? whole : { value: rest }
  } catch (error) {
    if (error instanceof ExistsError) return { trouble: { kind: 'exists', path: error.message } }
    if (error instanceof NotWrittenError) return { trouble: { kind: 'not-written', path: options.out, code: error.code } }
    return { trouble: troubleOf(error) }
  } finally {
    for (const file of files) await rm(file, { force: true }).catch(() => undefined)
  }
}

class ExistsError extends Error {}
class NotWrittenError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

interface Repairing {
  readonly path: string
  readonly options: RepairOptions
  readonly names: LogNames
  /** Pictures that were taken out, by the names of their files. */
  readonly pictures: Map<string, string>
  /** Files on the way, which are taken away at the end. */
  readonly files: string[]
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
  const { options, names } = repairing
  const survey: SurveyOptions = {
    bytes,
    names,
    imageFolder: options.keepsImages ? null : basename(pictureFolder(options.out)),
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
    file = await temporaryFile(repairing)
    const written = await writeRound(repairing, current, from, file)
    origins = written.map((line) => (origins.length === 0 ? line : (origins[line - 1] ?? line)))
    const next = file
    from = { ...survey, bytes: () => createReadStream(next, { highWaterMark: 1 << 20 }), progress: () => undefined }
    const again = await surveyLines(from)
    if (again === null) break
    current = again
    for (const mend of again.mends) mends.push({ ...mend, line: origins[mend.line - 1] ?? mend.line })
  }
  const left = troubleInCopy(await readLog(file, { take: slimMessage }))
  const copy = await place(repairing, file)
  return {
    format: plan.format,
    lines: plan.lines,
    mends,
    copy,
    pictures: picturesOf(repairing),
    left: left ?? unmended(current.mends),
  }
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
  repairing: Repairing,
  plan: Parameters<typeof writeLines>[0],
  survey: SurveyOptions,
  file: string,
): Promise<readonly number[]> {
  const origins: number[] = []
  const output = await openOutput(file)
  try {
    await writeLines(plan, survey, {
      async write(line, origin) {
        origins.push(origin)
        await output.write(line)
      },
      picture: (image) => keepPicture(repairing, image),
    })
  } finally {
    await output.close()
  }
  return origins
}

async function repairWhole(
  repairing: Repairing,
  bytes: () => AsyncIterable<Uint8Array>,
): Promise<{ readonly value: Repaired } | { readonly trouble: Trouble }> {
  const { options, names } = repairing
  const read = await wholeText(bytes)
  if (read.trouble !== undefined) return read
  const { text, isText } = read.value
  const repaired = repairDocument(text, names, options.keepsImages ? null : basename(pictureFolder(options.out)))
  const log = repaired === null ? await readLogText(text) : await readLogText(repaired.text, { take: slimMessage })
  if (repaired === null || log.trouble !== undefined) return { trouble: log.trouble ?? { kind: 'no-messages', came: 'JSON' } }
  const mends: readonly Mend[] = isText ? repaired.mends : [{ kind: 'not-utf8', line: 1 }, ...repaired.mends]
  const left = troubleInCopy(log)
  const { format } = log.value
  if (mends.length === 0) return { value: { format, lines: null, mends, copy: null, pictures: null, left } }
  for (const image of repaired.images) await keepPicture(repairing, image)
  const file = await temporaryFile(repairing)
  const output = await openOutput(file)
  await output.write(repaired.text.endsWith('\n') ? repaired.text.slice(0, -1) : repaired.text).finally(output.close)
  const copy = await place(repairing, file)
  return { value: { format, lines: null, mends, copy, pictures: picturesOf(repairing), left } }
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

function pictureFolder(out: string): string {
  return `${out}.files`
}

function picturesOf({ pictures, options }: Repairing): Repaired['pictures'] {
  return pictures.size === 0 ? null : { folder: pictureFolder(options.out), count: pictures.size }
}

async function temporaryFile({ options, files }: Repairing): Promise<string> {
  const file = `${options.out}.${randomUUID()}.new`
  files.push(file)
  return file
}

interface LineOutput {
  readonly write: (line: Buffer | string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Lines are gathered, so that a file of a million of them is no million writes. */
async function openOutput(file: string): Promise<LineOutput> {
  const handle: FileHandle = await writing(open(file, 'wx', 0o600))
  let waiting: Buffer[] = []
  let size = 0
  const flush = async () => {
    await writing(writeAll(handle, Buffer.concat(waiting)))
    waiting = []
    size = 0
  }
  return {
    async write(line) {
      const bytes = typeof line === 'string' ? Buffer.from(line, 'utf8') : line
      waiting.push(bytes, newline)
      size += bytes.length + 1
      if (size > 1 << 20) await flush()
    },
    async close() {
      try {
        await flush()
        await writing(handle.sync())
      } finally {
        await handle.close()
      }
    },
  }
}

const newline = Buffer.from('\n')

async function keepPicture(repairing: Repairing, { file, bytes }: TakenImage): Promise<void> {
  const { pictures, options } = repairing
  if (pictures.has(file)) return
  const temporary = await temporaryFile(repairing)
  const handle = await writing(open(temporary, 'wx', 0o600))
  try {
    await writing(writeAll(handle, bytes()))
  } finally {
    await handle.close()
  }
  pictures.set(file, temporary)
  await writing(mkdir(dirname(options.out), { recursive: true }))
}

/** Puts the copy and its pictures where they belong; never over something that is there. */
async function place({ options, pictures }: Repairing, file: string): Promise<{ readonly path: string; readonly bytes: number }> {
  const folder = pictureFolder(options.out)
  if (pictures.size > 0) await refusing(folder, mkdir(folder, { mode: 0o700 }))
  for (const [name, temporary] of pictures) await refusing(join(folder, name), linkOrCopy(temporary, join(folder, name)))
  const { size } = await stat(file)
  await refusing(options.out, linkOrCopy(file, options.out))
  return { path: options.out, bytes: size }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    await copyFile(from, to, constants.COPYFILE_EXCL)
  }
}

async function refusing<Value>(path: string, done: Promise<Value>): Promise<Value> {
  try {
    return await done
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new ExistsError(path)
    throw new NotWrittenError(codeOf(error) ?? 'EIO')
  }
}

async function writing<Value>(done: Promise<Value>): Promise<Value> {
  try {
    return await done
  } catch (error) {
    throw new NotWrittenError(codeOf(error) ?? 'EIO')
  }
}
