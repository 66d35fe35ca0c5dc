import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseJson } from '@plimsoll/core/text'
import { codeOf } from '../files/problem.ts'
import { fileError, SessionError } from './session-error.ts'

interface Owner {
  readonly pid: number
  /** When the process started, if the system says: process numbers are reused. */
  readonly start: string | null
  readonly host: string
  readonly token: string
}

const maxAttempts = 50

/**
 * Creates a lock file, which appears complete or not at all. A lock of a dead process is taken over; of several that try at once, one gets
 * it. Throws a `SessionError` that names the owner if it is in use.
 */
export async function acquireLock(path: string): Promise<{ readonly release: () => Promise<void> }> {
  const owner: Owner = { pid: process.pid, start: processStart(process.pid), host: hostname(), token: randomUUID() }
  for (let attempt = 1; ; attempt += 1) {
    const holder = await tryLock(path, owner)
    if (holder === null) {
      await removeStrays(path)
      return { release: () => release(path, owner) }
    }
    if (holder !== 'changing') throw inUse(path, holder)
    if (attempt >= maxAttempts) throw inUse(path, (await read(path)) ?? owner)
    await wait(10)
  }
}

/** Null once the lock is ours; else its owner, or `changing`. */
async function tryLock(path: string, owner: Owner): Promise<Owner | 'changing' | null> {
  if (await create(path, owner)) return null
  const holder = await read(path)
  if (holder === null) return 'changing'
  return isAlive(holder) ? holder : takeOver(path, holder, owner)
}

/**
 * Replaces the lock of a dead owner. The right to replace it is itself a lock, named after it: so only one process changes the file, and
 * if that one dies, its right is taken over in the same way.
 */
async function takeOver(path: string, dead: Owner, owner: Owner): Promise<Owner | 'changing' | null> {
  const right = `${path}.${dead.token}`
  if ((await tryLock(right, owner)) !== null) return 'changing'
  try {
    const current = await read(path)
    if (current?.token !== dead.token) return 'changing'
    const temporary = await writeTemporary(path, owner)
    await rename(temporary, path)
    return null
  } catch (error) {
    // Another process got the lock meanwhile, and removed our files.
    if (codeOf(error) === 'ENOENT') return 'changing'
    throw error
  } finally {
    await rm(right, { force: true })
  }
}

async function release(path: string, owner: Owner): Promise<void> {
  // Another process may have the lock, if a user removed ours by hand.
  if ((await read(path))?.token !== owner.token) return
  // In a folder that has become read-only, a lock without content has no owner either.
  await rm(path, { force: true }).catch(() => truncate(path).catch(() => undefined))
}

/** A hard link is atomic, and its content is complete. */
async function create(path: string, owner: Owner): Promise<boolean> {
  const temporary = await writeTemporary(path, owner)
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    // Another process has it, and may have removed our files.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false
    if (withoutLinks.has(codeOf(error) ?? '')) return await createPlainly(path, owner)
    throw fileError('cannot-write', path, error)
  } finally {
    await rm(temporary, { force: true })
  }
}

const withoutLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

async function createPlainly(path: string, owner: Owner): Promise<boolean> {
  try {
    await writeOwner(path, owner)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw fileError('cannot-write', path, error)
  }
}

function writeOwner(path: string, owner: Owner): Promise<void> {
  return writeFile(path, `${JSON.stringify(owner)}\n`, { flag: 'wx', mode: 0o600 })
}

async function writeTemporary(path: string, owner: Owner): Promise<string> {
  const temporary = `${path}.${randomUUID()}.new`
  try {
    await writeOwner(temporary, owner)
  } catch (error) {
    // On a full disk the file exists without its content.
    await rm(temporary, { force: true }).catch(() => undefined)
    throw fileError('cannot-write', path, error)
  }
  return temporary
}

/** Removes files of processes that were killed while they tried to get the lock. Only for its owner. */
async function removeStrays(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => [])
  const strays = names.filter((name) => name.startsWith(`${basename(path)}.`))
  for (const name of strays) await rm(join(dirname(path), name), { force: true }).catch(() => undefined)
}

async function read(path: string): Promise<Owner | null> {
  try {
    return ownerOf(await readFile(path, 'utf8'))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw fileError('cannot-read', path, error)
  }
}

/** A file that is not our lock has no live owner. Its token is a hash of its text, so that only this text is replaced. */
function ownerOf(text: string): Owner {
  const { pid, start, host, token } = (parseJson(text) ?? {}) as Partial<Owner>
  const isOwner =
    Number.isSafeInteger(pid) && typeof host === 'string' && typeof token === 'string' && /^[\w-]{1,64}$/.test(token)
  if (!isOwner)
    return { pid: 0, start: null, host: hostname(), token: createHash('sha256').update(text).digest('hex').slice(0, 32) }
  return { pid: pid as number, start: typeof start === 'string' ? start : null, host, token }
}

function isAlive({ pid, start, host }: Owner): boolean {
  if (host !== hostname()) return true
  if (pid <= 0 || !isRunning(pid)) return false
  const now = processStart(pid)
  return start === null || now === null || start === now
}

function inUse(lock: string, { pid, host }: Owner): SessionError {
  return new SessionError({ kind: host === hostname() ? 'in-use' : 'in-use-elsewhere', pid, host, lock })
}

/** When a process started, as a text that no later process with the same number has; null if unknown. */
export function processStart(pid: number): string | null {
  try {
    // The 22nd field; these are without the first two.
    const start = statFields(pid)?.split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return start === undefined ? null : `${boot}:${start}`
  } catch {
    return null
  }
}

/** Whether a process runs, also of another user; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return !/^[ZX]/.test(statFields(pid) ?? '')
}

/** The fields of `/proc/PID/stat` after the name, which may contain anything. */
function statFields(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2)
  } catch {
    return null
  }
}
