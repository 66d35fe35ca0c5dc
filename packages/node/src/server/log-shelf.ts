import { createHash } from 'node:crypto'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { escapeUnprintable } from '@plimsoll/core/text'
import { homeFolder } from '../config/home-folder.ts'
import { findLogs, logPlaces } from '../logs/find-logs.ts'
import type { LogListRow } from '../shared/server-api.ts'
import { refusal, tooLarge } from './refusal.ts'
import type { ServerOptions } from './server-options.ts'

/** The logs of other agents: those found on this machine, and those that were handed over. Nobody names one by its path. */
export interface LogShelf {
  /** The newest first. */
  readonly list: () => Promise<readonly LogListRow[]>
  /** Where the log of this id lies; rejects with a refusal where there is none. */
  readonly pathOf: (id: string) => Promise<string>
  /** Keeps a file until the server is closed. */
  readonly add: (name: string, bytes: AsyncIterable<Uint8Array>) => Promise<LogListRow>
  readonly remove: (id: string) => Promise<void>
  /** Removes every file that was handed over. */
  readonly close: () => Promise<void>
}

/** What is looked for, and how much is kept. */
export interface LogShelfOptions extends Pick<ServerOptions, 'environment' | 'platform'> {
  /** Bytes of a file that is handed over. Default: 256 MB. */
  readonly mostBytes?: number
}

/** A shelf on which nothing was looked for yet. */
export function createLogShelf({ environment, platform, mostBytes = 2 ** 28 }: LogShelfOptions): LogShelf {
  const home = homeFolder(environment)
  const given = new Map<string, Placed>()
  let found = new Map<string, Placed>()
  let folder: Promise<string> | null = null
  let added = 0
  /** Files on their way. */
  let arriving = 0

  async function look(): Promise<void> {
    const places = logPlaces({ environment, platform }).filter(({ agent }) => agent !== ownAgent)
    const { logs } = await findLogs(places)
    const next = new Map<string, Placed>()
    for (const { agent, path } of logs) {
      const placed = await placedAt(path, agent, basename(path), tilde(dirname(path), home))
      if (placed !== null) next.set(placed.row.id, placed)
    }
    found = next
  }

  /** Made with the first file; where it cannot be, the next file tries again. */
  function ownFolder(): Promise<string> {
    folder ??= mkdtemp(join(tmpdir(), 'plimsoll-logs-')).catch((error: unknown) => {
      folder = null
      throw error
    })
    return folder
  }

  async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const file = await open(path, 'wx', 0o600)
    try {
      let length = 0
      for await (const piece of bytes) {
        length += piece.length
        if (length > mostBytes) throw tooLarge(mostBytes)
        await file.writeFile(piece)
      }
      if (length === 0) throw refusal('EMPTY_FILE')
    } finally {
      await file.close()
    }
  }

  return {
    async list() {
      await look()
      const rows = [...given.values(), ...found.values()].map(({ row }) => row)
      return rows.toSorted((one, other) => other.changed - one.changed).slice(0, mostRows)
    },
    async pathOf(id) {
      if (!given.has(id) && !found.has(id)) await look()
      const placed = given.get(id) ?? found.get(id)
      if (placed === undefined) throw refusal('NO_SUCH_LOG')
      return placed.path
    },
    async add(name, bytes) {
      if (given.size + arriving >= mostGiven) throw refusal('TOO_MANY_FILES')
      added += 1
      arriving += 1
      const number = added
      let path: string | null = null
      try {
        path = join(await ownFolder(), `${number}.log`)
        await write(path, bytes)
        const placed = await placedAt(path, givenAgent, shownName(name), '')
        if (placed === null) throw refusal('NO_SUCH_LOG')
        given.set(placed.row.id, placed)
        return placed.row
      } catch (error) {
        if (path !== null) await rm(path, { force: true })
        throw error
      } finally {
        arriving -= 1
      }
    },
    async remove(id) {
      const placed = given.get(id)
      given.delete(id)
      if (placed !== undefined) await rm(placed.path, { force: true })
    },
    async close() {
      given.clear()
      if (folder !== null) await rm(await folder, { recursive: true, force: true })
    },
  }
}

interface Placed {
  readonly path: string
  readonly row: LogListRow
}

/** Sessions of ours have a list of their own. */
const ownAgent = 'Plimsoll'
/** In place of an agent's name for a file that was handed over. */
const givenAgent = 'file'
/** Nobody looks further down a list; what is older is still found by its id. */
const mostRows = 1000
const mostGiven = 20
const longestName = 120

async function placedAt(path: string, agent: string, name: string, folder: string): Promise<Placed | null> {
  const facts = await stat(path).catch(() => null)
  if (facts === null) return null
  const id = createHash('sha256').update(path).digest('hex').slice(0, 16)
  return {
    path,
    row: {
      id,
      agent,
      name: escapeUnprintable(name),
      folder: escapeUnprintable(folder),
      bytes: facts.size,
      changed: facts.mtimeMs,
    },
  }
}

function tilde(folder: string, home: string | null): string {
  return home !== null && (folder === home || folder.startsWith(home + sep)) ? `~${folder.slice(home.length)}` : folder
}

/** The last part of what the browser calls a file; never a way to anywhere. */
function shownName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? ''
  return last === '' ? 'log' : last.slice(0, longestName)
}
