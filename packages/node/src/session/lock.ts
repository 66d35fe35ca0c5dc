import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseJson } from '@plimsoll/core/text'
import { codeOf } from '../files/trouble.ts'
import { fileError, SessionError } from './session-error.ts'

export interface Lock {
  readonly release: () => Promise<void>
}

interface Owner {
  readonly pid: number
  /** When the process started, where the system tells: numbers of processes are used again. */
  readonly start: string | null
  readonly host: string
  /** Tells one taking of the lock from every other. */
  readonly token: string
}

/** More takeovers than this are not waited for. */
const mostAttempts = 50

/**
 * Takes a lock file, which appears whole or not at all. A lock whose owner is dead is taken over; of several that try at once, one
 * gets it. Throws a `SessionError` that names the owner when it is in use.
 */
export async function acquireLock(path: string): Promise<Lock> {
  const owner: Owner = { pid: process.pid, start: processStart(process.pid), host: hostname(), token: randomUUID() }
  for (let attempt = 1; ; attempt += 1) {
    const holder = await tryLock(path, owner)
    if (holder === null) {
      await removeStrays(path)
      return { release: () => release(path, owner) }
    }
    if (holder !== 'changing') throw inUse(path, holder)
    // Somebody is just taking it over or giving it back.
    if (attempt >= mostAttempts) throw inUse(path, (await read(path)) ?? owner)
    await wait(10)
  }
}

/** Null once the lock is ours; else who has it, or that it is changing hands. */
async function tryLock(path: string, owner: Owner): Promise<Owner | 'changing' | null> {
  if (await create(path, owner)) return null
  const holder = await read(path)
  if (holder === null) return 'changing'
  return isAlive(holder) ? holder : takeOver(path, holder, owner)
}

/**
 * Replaces the lock of a dead owner. The right to replace this very lock is itself a lock, named after it: so the file can only
 * change under the hands of one, and should that one die half way, its right is taken over in the same manner.
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
    // Somebody got the lock meanwhile, and cleared away what others had of theirs.
    if (codeOf(error) === 'ENOENT') return 'changing'
    throw error
  } finally {
    await rm(right, { force: true })
  }
}

async function release(path: string, owner: Owner): Promise<void> {
  // Whoever removed the lock by hand and took it must not lose it to us.
  if ((await read(path))?.token === owner.token) await rm(path, { force: true })
}

/** A hard link is made or not made, and what it names is complete. */
async function create(path: string, owner: Owner): Promise<boolean> {
  const temporary = await writeTemporary(path, owner)
  try {
    await link(temporary, path)
    return true
  } catch (error) {
    // Taken by somebody, who may just have cleared away what others had of theirs.
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return false
    if (withoutLinks.has(codeOf(error) ?? '')) return await createPlainly(path, owner)
    throw fileError('cannot-write', path, error)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** What file systems say that have no hard links. */
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
    // A full disk takes the name and none of the bytes.
    await rm(temporary, { force: true }).catch(() => undefined)
    throw fileError('cannot-write', path, error)
  }
  return temporary
}

/** Removes what processes left that were killed while they tried to get the lock. Only for who has it. */
async function removeStrays(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => [])
  const strays = names.filter((name) => name.startsWith(`${basename(path)}.`))
  // What cannot be removed is in nobody's way.
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

/** What is no lock of ours has no owner that could be alive. Its token comes of its text, so that only this very text is replaced. */
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

/**
 * When a process started, as a text that no later process of the same number has; null where the system does not tell or there is
 * no such process.
 */
export function processStart(pid: number): string | null {
  try {
    // The 22nd field of all, two of which stand before these.
    const start = statFields(pid)?.split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return start === undefined ? null : `${boot}:${start}`
  } catch {
    return null
  }
}

/** Whether a process of that number runs. One of somebody else does; one that ended and was not yet collected does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
  return !/^[ZX]/.test(statFields(pid) ?? '')
}

/** What the system tells of a process behind its name, which may hold anything. */
function statFields(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2)
  } catch {
    return null
  }
}
