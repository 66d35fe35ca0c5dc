import { randomUUID } from 'node:crypto'
import { copyFile, type FileHandle, link, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { branchOf, formatVersion, type HeaderEntry, readLine, writeLine } from '@plimsoll/core/session'
import type { StringsName } from '@plimsoll/core/text'
import { makeFolder } from '../files/make-folder.ts'
import { codeOf } from '../files/problem.ts'
import { syncFolder, withFile, writeAll, writeNewFile } from './durable-file.ts'
import { createSealer, unsealed } from './log-chain.ts'
import { logEndText } from './log-end.ts'
import { createLineReader, type LineHead } from './log-index.ts'
import { openSession, orSessionError, refuseEmptied, refuseNewer, type WriteOptions } from './open-session.ts'
import type { LineProblem, OpenSession, StoredSession } from './session.ts'
import { fileError, SessionError } from './session-error.ts'
import { newSessionId, pathsOf, type SessionPaths } from './session-folder.ts'
import { createStoredLog, type StoredLog } from './stored-log.ts'

export interface CreateOptions extends WriteOptions {
  readonly root?: string
  /** Default: the user's first words. */
  readonly title?: string
  /** Default: `specification`. */
  readonly strings?: StringsName
}

export async function createSession(
  sessions: string,
  { root, title, strings, ...options }: CreateOptions = {},
): Promise<OpenSession> {
  const { now = Date.now, redact } = options
  const at = startTime(now)
  const id = newSessionId(at)
  const header: HeaderEntry = {
    type: 'header',
    id,
    parentId: null,
    at,
    version: formatVersion,
    session: id,
    ...(root === undefined ? {} : { root }),
    ...(title === undefined ? {} : { title: redact === undefined ? title : redact(title) }),
    ...(strings === undefined ? {} : { strings }),
  }
  await buildFolder(sessions, id, async ({ log, end }) => {
    const sealer = createSealer()
    await writeNewFile(log, sealer.seal(writeLine(header)))
    await writeNewFile(end, logEndText(sealer.end()))
  })
  return openSession(sessions, id, options)
}

/** A session's folder appears complete or not at all: it is filled under another name. */
export async function buildFolder(sessions: string, id: string, fill: (paths: SessionPaths) => Promise<void>): Promise<void> {
  const folder = join(sessions, id)
  const temporary = join(sessions, `.new-${id}`)
  const paths = pathsOf(temporary)
  try {
    makeFolder(sessions)
    await mkdir(temporary, { mode: 0o700 })
    await mkdir(paths.blobs, { mode: 0o700 })
    await fill(paths)
    await syncFolder(paths.blobs)
    await syncFolder(temporary)
    await rename(temporary, folder)
    await syncFolder(sessions)
  } catch (error) {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined)
    throw error instanceof SessionError ? error : fileError('cannot-write', folder, error)
  }
}

/** The time at which a session starts; 0 if the clock has no valid time. */
export function startTime(now: () => number): number {
  const time = Math.trunc(now())
  // Years with more than four digits would not be in order as text.
  return Number.isSafeInteger(time) && time >= 0 && time < 253_402_300_800_000 ? time : 0
}

/** Creates a session that is filled before others can see it, and returns its id. It appears complete or not at all. */
export async function createCompleteSession(
  sessions: string,
  options: CreateOptions,
  fill: (session: OpenSession) => Promise<void>,
): Promise<string> {
  // A folder with such a name is not a session, and is removed when it is old.
  const aside = join(sessions, `.new-${randomUUID()}`)
  try {
    const session = await createSession(aside, options)
    try {
      await fill(session)
    } finally {
      await session.close()
    }
    const folder = join(sessions, session.id)
    try {
      await rename(join(aside, session.id), folder)
      await syncFolder(sessions)
    } catch (error) {
      throw fileError('cannot-write', folder, error)
    }
    return session.id
  } finally {
    await rm(aside, { recursive: true, force: true }).catch(() => undefined)
  }
}

interface ForkOptions extends WriteOptions {
  /** The last entry to copy. Default: the last one of the active branch. */
  readonly entry?: string
  /** Default: `fork`. */
  readonly reason?: 'fork' | 'compaction'
  readonly title?: string
}

/** Creates a session that begins with a branch of another one, with the same ids. Removing the original later does not affect it. */
export async function forkSession(sessions: string, original: StoredSession, options: ForkOptions = {}): Promise<OpenSession> {
  const { now = Date.now, reason = 'fork', title } = options
  const source = pathsOf(original.folder)
  const id = newSessionId(startTime(now))
  await withFile(orSessionError(open(source.log, 'r'), source), async (handle) => {
    const log = createStoredLog(original.id, source, handle)
    await log.readOn(0)
    refuseEmptied(log, source)
    const path = branchTo(log, options.entry)
    const { header: before } = original.state()
    // A copy would lose what only a newer version understands.
    refuseNewer(before.version)
    const header: HeaderEntry = {
      ...before,
      id,
      version: formatVersion,
      session: id,
      ...(title === undefined ? {} : { title }),
      from: { session: original.id, entry: path.at(-1)?.id ?? before.id, reason },
    }
    await buildFolder(sessions, id, async (paths) => {
      const isAll = options.entry === undefined
      const blobs = await copyBranch(path, header, handle, paths, damageOf(log.session.troubles(), path, isAll))
      for (const sha256 of blobs) await shareFile(join(source.blobs, sha256), join(paths.blobs, sha256))
    })
  })
  return openSession(sessions, id, options)
}

function branchTo({ index }: StoredLog, entry: string | undefined): readonly LineHead[] {
  const leaf = entry === undefined ? index.heads.length - 1 : index.indexOf(entry)
  if (entry !== undefined && index.heads[leaf]?.id !== entry) throw new SessionError({ kind: 'no-entry', id: entry })
  return branchOf(index, leaf).filter(({ type }) => type !== 'header')
}

async function copyBranch(
  path: readonly LineHead[],
  header: HeaderEntry,
  from: FileHandle,
  { log, end }: SessionPaths,
  damage: Damage,
): Promise<ReadonlySet<string>> {
  const readText = createLineReader(from)
  const hashes = new Set<string>()
  const sealer = createSealer()
  await withFile(open(log, 'wx', 0o600), async (handle) => {
    let lines = [sealer.seal(writeLine(header), damage.changed.has(1))]
    let length = 0
    let before = header.id
    for (const head of path) {
      sealer.skip(damage.missingBefore(head.line))
      const line = relinked(readText(head.offset, head.length), head, before)
      if (line === null) sealer.skip(1)
      if (line === null) continue
      for (const [, sha256] of line.matchAll(/"sha256":"([0-9a-f]{64})"/g)) hashes.add(sha256 as string)
      const bytes = sealer.seal(line, damage.changed.has(head.line))
      lines.push(bytes)
      length += bytes.length
      before = head.id
      if (length < chunkLength) continue
      await writeAll(handle, Buffer.concat(lines))
      lines = []
      length = 0
    }
    await writeAll(handle, Buffer.concat(lines))
    await handle.sync()
  })
  sealer.skip(damage.missingBefore(Number.POSITIVE_INFINITY))
  await writeNewFile(end, logEndText(sealer.end()))
  return hashes
}

type Damage = ReturnType<typeof damageOf>

/** The damage to a log, which its copy has to name too: fresh checksums would hide it. */
function damageOf(problems: readonly LineProblem[], path: readonly LineHead[], isAll: boolean) {
  const copied = new Set([1, ...path.map(({ line }) => line)])
  const isHere = ({ kind, line }: LineProblem) => (kind === 'changed' || kind === 'moved') && copied.has(line)
  const lost = problems.filter((one) => !isHere(one) && one.kind !== 'blob' && one.kind !== 'end')
  let from = 0
  return {
    changed: new Set(problems.filter(isHere).map(({ line }) => line)) as ReadonlySet<number>,
    /** How many entries are missing since the last line that was asked about. */
    missingBefore(line: number): number {
      // What came after the copied entries is not part of the copy.
      if (line === Number.POSITIVE_INFINITY && !isAll) return 0
      const here = lost.filter((one) => one.line > from && one.line <= line)
      from = line
      // An entry that cannot be reached hangs on one that was named already, if anything was.
      const lines = new Set(here.filter(({ kind }) => kind !== 'missing' && kind !== 'unreachable').map((one) => one.line))
      const count = here.reduce((sum, { count: missing = 0 }) => sum + missing, lines.size)
      return Math.max(count, here.length > 0 ? 1 : 0)
    },
  }
}

const chunkLength = 1 << 20

function relinked(line: string | null, head: LineHead, before: string): string | null {
  if (line === null) return null
  if (head.parentId === before) return unsealed(line)
  const read = readLine(line)
  return read.kind === 'entry' ? writeLine({ ...read.entry, parentId: before }, read.moved) : null
}

/** A hard link to the same file, or a copy. A file that is missing in the original is missing here too. */
async function shareFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'EEXIST') return
    await copyFile(from, to)
  }
}
