import type { Dirent, Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { troubleOf } from '../files/read-text.ts'
import type { Trouble } from '../files/trouble.ts'
import type { LogPlace } from './log-places.ts'
import { withoutPackedCopies } from './packed-copies.ts'

/** A log that lies where its agent keeps them. */
export interface FoundLog {
  readonly agent: string
  readonly path: string
  readonly bytes: number
}

/** The logs of this machine. */
export interface FoundLogs {
  /** In the order of the places, and within each by name. */
  readonly logs: readonly FoundLog[]
  /** The places in which there is at least one, each with the number of its logs. */
  readonly places: readonly { readonly agent: string; readonly folder: string; readonly logs: number }[]
  /** Folders that are there and could not be looked into. */
  readonly unreadable: readonly UnreadableFolder[]
}

/** A folder that is there and could not be looked into. */
export interface UnreadableFolder {
  readonly agent: string
  readonly path: string
  readonly trouble: Trouble
}

/**
 * Finds the logs in these places. A place that is not there has none. Links are followed, and each folder and file counts once,
 * however many ways lead to it. Never throws for what a disk may hold.
 */
export async function findLogs(places: readonly LogPlace[]): Promise<FoundLogs> {
  const search: Search = { seen: new Set(), logs: [], unreadable: [] }
  const found: { agent: string; folder: string; logs: number }[] = []
  for (const place of places) {
    const before = search.logs.length
    await look(search, place, place.folder, '', place.depth)
    const logs = search.logs.length - before
    if (logs > 0) found.push({ agent: place.agent, folder: place.folder, logs })
  }
  return { logs: search.logs, places: found, unreadable: search.unreadable }
}

interface Search {
  /** The real paths of everything that was looked at. */
  readonly seen: Set<string>
  readonly logs: FoundLog[]
  readonly unreadable: UnreadableFolder[]
}

async function look(search: Search, place: LogPlace, folder: string, below: string, depth: number): Promise<void> {
  const entries = await entriesOf(search, place, folder)
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    const name = below === '' ? entry.name : `${below}/${entry.name}`
    const isLog = place.logs.test(name)
    if (!isLog && (depth === 0 || entry.isFile())) continue
    const found = await stat(path).catch(() => null)
    if (found?.isDirectory() === true && depth > 0) await look(search, place, path, name, depth - 1)
    else if (isLog && found?.isFile() === true) await addLog(search, place, path, found)
  }
}

async function entriesOf(search: Search, place: LogPlace, folder: string): Promise<readonly Dirent[]> {
  try {
    const real = await realpath(folder)
    if (search.seen.has(real)) return []
    search.seen.add(real)
    const entries = await readdir(folder, { withFileTypes: true })
    const names = new Set(withoutPackedCopies(entries.map(({ name }) => name)))
    return entries.filter(({ name }) => names.has(name))
  } catch (error) {
    const trouble: Trouble = isFileInPlace(error) ? { kind: 'unreadable', code: 'ENOTDIR' } : troubleOf(error)
    // Most agents are not installed, and an agent that runs may remove a folder at any time.
    if (trouble.kind !== 'not-found') search.unreadable.push({ agent: place.agent, path: folder, trouble })
    return []
  }
}

/** A file stands where the folder is expected; one that stands where a folder above it is expected is none of ours. */
function isFileInPlace(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'ENOTDIR' && 'syscall' in error && error.syscall === 'scandir'
  )
}

async function addLog(search: Search, { agent }: LogPlace, path: string, { size }: Stats): Promise<void> {
  const real = await realpath(path).catch(() => path)
  if (search.seen.has(real)) return
  search.seen.add(real)
  search.logs.push({ agent, path, bytes: size })
}
