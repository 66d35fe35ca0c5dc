import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { homeFolder, stateFolder } from '../../config/home-folder.ts'
import type { CommandIo } from '../command-io.ts'

const maxAsked = 20

/** Finds the newest Claude Code or Plimsoll log of this folder. */
export async function latestLog({ environment, folder }: Pick<CommandIo, 'environment' | 'folder'>): Promise<string | null> {
  const home = homeFolder(environment)
  const claude = environment['CLAUDE_CONFIG_DIR'] ?? (home === null ? null : join(home, '.claude'))
  const project = claude === null ? null : join(claude, 'projects', folder.replaceAll(/[^A-Za-z0-9]/g, '-'))
  const names = project === null ? [] : (await readdir(project).catch(() => [])).filter((name) => name.endsWith('.jsonl'))
  const theirs = (await Promise.all(names.map((name) => dated(join(project ?? '', name))))).flat()
  const state = stateFolder(environment, home)
  const ours = state === null ? [] : await ownLogs(join(state, 'sessions'), folder)
  const [latest] = [...theirs, ...ours].sort((one, other) => other.at - one.at)
  return latest?.path ?? null
}

type DatedFile = { readonly path: string; readonly at: number }

async function dated(path: string): Promise<readonly DatedFile[]> {
  const found = await stat(path).catch(() => null)
  return found?.isFile() === true ? [{ path, at: found.mtimeMs }] : []
}

/** Ids begin with the time, so the last names are the latest sessions. */
async function ownLogs(sessions: string, folder: string): Promise<readonly DatedFile[]> {
  const names = (await readdir(sessions).catch(() => [])).toSorted((one, other) => (one < other ? -1 : 1)).slice(-maxAsked)
  const logs = (await Promise.all(names.map((name) => dated(join(sessions, name, 'log.jsonl'))))).flat()
  const own = await Promise.all(logs.map(async (log) => ((await rootOf(log.path)) === folder ? [log] : [])))
  return own.flat()
}

/** The folder of a session of ours is in its first line. */
async function rootOf(path: string): Promise<string | null> {
  const root = /"root":("(?:[^"\\]|\\.)*")/.exec(await startOf(path))?.[1]
  try {
    return root === undefined ? null : (JSON.parse(root) as string)
  } catch {
    return null
  }
}

async function startOf(path: string): Promise<string> {
  const handle = await open(path, 'r').catch(() => null)
  if (handle === null) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0)
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? ''
  } finally {
    await handle.close()
  }
}
