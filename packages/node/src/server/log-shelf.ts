import { createHash, randomUUID } from 'node:crypto'
import { open, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { escapeUnprintable } from '@plimsoll/core/text'
import { homeFolder } from '../config/home-folder.ts'
import { temporaryFolder } from '../files/make-folder.ts'
import { findLogs, logPlaces } from '../logs/find-logs.ts'
import type { LogListRow } from '../shared/server-api.ts'
import { refusal, tooLarge } from './refusal.ts'
import type { ServerOptions } from './server-options.ts'

export type LogShelf = ReturnType<typeof createLogShelf>

interface LogShelfOptions extends Pick<ServerOptions, 'environment' | 'platform'> {
  /** Bytes of an uploaded file. Default: 256 MB. */
  readonly maxBytes?: number
}

/** The logs of other agents: those found on this machine, and uploaded ones. Clients cannot name them by path. */
export function createLogShelf({ environment, platform, maxBytes = 2 ** 28 }: LogShelfOptions) {
  const home = homeFolder(environment)
  const given = new Map<string, Placed>()
  let found = new Map<string, Placed>()
  let folder: Promise<string> | null = null
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

  /** Created with the first file; if that fails, the next file tries again. */
  function ownFolder(): Promise<string> {
    folder ??= temporaryFolder('logs').catch((error: unknown) => {
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
        if (length > maxBytes) throw tooLarge(maxBytes)
        await file.writeFile(piece)
      }
      if (length === 0) throw refusal('EMPTY_FILE')
    } finally {
      await file.close()
    }
  }

  return {
    async list(): Promise<readonly LogListRow[]> {
      await look()
      const rows = [...given.values(), ...found.values()].map(({ row }) => row)
      return rows.toSorted((one, other) => other.changed - one.changed).slice(0, maxRows)
    },
    /** Rejects with a refusal if there is no such log. */
    async pathOf(id: string): Promise<string> {
      if (!given.has(id) && !found.has(id)) await look()
      const placed = given.get(id) ?? found.get(id)
      if (placed === undefined) throw refusal('NO_SUCH_LOG')
      return placed.path
    },
    /** Keeps a file until the server is closed. */
    async add(name: string, bytes: AsyncIterable<Uint8Array>): Promise<LogListRow> {
      if (given.size + arriving >= maxGiven) throw refusal('TOO_MANY_FILES')
      arriving += 1
      let path: string | null = null
      try {
        path = join(await ownFolder(), `${randomUUID()}.log`)
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
    async remove(id: string): Promise<void> {
      const placed = given.get(id)
      given.delete(id)
      if (placed !== undefined) await rm(placed.path, { force: true })
    },
    async close(): Promise<void> {
      given.clear()
      if (folder !== null) await rm(await folder, { recursive: true, force: true })
    },
  }
}

interface Placed {
  readonly path: string
  readonly row: LogListRow
}

/** Our own sessions have another list. */
export const ownAgent = 'Plimsoll'
/** Instead of an agent's name, for an uploaded file. */
const givenAgent = 'file'
/** Older ones are still found by their ids. */
const maxRows = 1000
const maxGiven = 20
const maxName = 120

async function placedAt(path: string, agent: string, name: string, folder: string): Promise<Placed | null> {
  const facts = await stat(path).catch(() => null)
  if (facts === null) return null
  const id = logId(path)
  const shown = { name: escapeUnprintable(name), folder: escapeUnprintable(folder) }
  return { path, row: { id, agent, ...shown, bytes: facts.size, changed: facts.mtimeMs } }
}

/** The name of a log for clients. */
export function logId(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}

function tilde(folder: string, home: string | null): string {
  return home !== null && (folder === home || folder.startsWith(home + sep)) ? `~${folder.slice(home.length)}` : folder
}

/** The last part of the file's name in the browser; never a path. */
function shownName(name: string): string {
  const last = name.split(/[/\\]/).at(-1)?.trim() ?? ''
  return last === '' ? 'log' : last.slice(0, maxName)
}
