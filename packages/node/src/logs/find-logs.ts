import type { Dirent, Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { homeFolder } from '../config/home-folder.ts'
import { codeOf, type ReadProblem } from '../files/problem.ts'
import { problemFrom } from '../files/read-text.ts'
import { sessionsFolder } from '../session/session-folder.ts'

export interface FoundLog {
  readonly agent: string
  readonly path: string
  readonly bytes: number
  /** Differs once the log has changed. Null if that cannot be told: it goes on in other files, or was changed a moment ago. */
  readonly stamp: string | null
}

export interface UnreadableFolder {
  readonly agent: string
  readonly path: string
  readonly problem: ReadProblem
}

export type FoundLogs = Awaited<ReturnType<typeof findLogs>>

/** Finds the logs in these places, if they exist. Follows links, and counts each folder and file once. Never throws. */
export async function findLogs(places: readonly LogPlace[]) {
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
  readonly seen: Set<string>
  readonly logs: FoundLog[]
  readonly unreadable: UnreadableFolder[]
}

async function look(search: Search, place: LogPlace, folder: string, below: string, depth: number): Promise<void> {
  const entries = await entriesOf(search, place, folder)
  const candidates = entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => ({ entry, path: join(folder, entry.name), name: below === '' ? entry.name : `${below}/${entry.name}` }))
    .map((candidate) => ({ ...candidate, isLog: place.logs.test(candidate.name) }))
    .filter(({ entry, isLog }) => isLog || (depth > 0 && !entry.isFile()))
  // Asked for together, since there may be thousands.
  const states = await Promise.all(candidates.map(({ path }) => stat(path).catch(() => null)))
  for (const [index, { path, name, isLog }] of candidates.entries()) {
    const found = states[index]
    if (found?.isDirectory() === true && depth > 0) await look(search, place, path, name, depth - 1)
    else if (isLog && found?.isFile() === true) {
      const real = await realpath(path).catch(() => path)
      if (!search.seen.has(real))
        search.logs.push({
          agent: place.agent,
          path,
          bytes: found.size,
          stamp: place.isSpread === true ? null : await stampOf(path, found),
        })
      search.seen.add(real)
    }
  }
}

/** Size, time of change and inode of a log, and of a database's journal, which is written first. */
async function stampOf(path: string, found: Stats): Promise<string | null> {
  const journal = path.endsWith('.db') ? await stat(`${path}-wal`).catch(() => null) : null
  const files = [found, ...(journal === null ? [] : [journal])]
  // It may change again at the same time of its clock.
  if (files.some(({ mtimeMs }) => Date.now() - mtimeMs < coarsestClock)) return null
  return files.flatMap(({ size, mtimeMs, ino }) => [size, mtimeMs, ino]).join(' ')
}

/** Of all file systems, in milliseconds. */
const coarsestClock = 2000

async function entriesOf(search: Search, place: LogPlace, folder: string): Promise<readonly Dirent[]> {
  try {
    const real = await realpath(folder)
    if (search.seen.has(real)) return []
    search.seen.add(real)
    const entries = await readdir(folder, { withFileTypes: true })
    const names = new Set(withoutPackedCopies(entries.map(({ name }) => name)))
    return entries.filter(({ name }) => names.has(name))
  } catch (error) {
    // The path is a file instead of a folder. A file in place of a folder above it does not count.
    const isFile = codeOf(error) === 'ENOTDIR' && (error as NodeJS.ErrnoException).syscall === 'scandir'
    const problem: ReadProblem = isFile ? { kind: 'unreadable', code: 'ENOTDIR' } : problemFrom(error)
    // Most agents are not installed, and an agent that runs may remove a folder at any time.
    if (problem.kind !== 'not-found') search.unreadable.push({ agent: place.agent, path: folder, problem })
    return []
  }
}

/** The names in a folder without packed files that are also there unpacked: an agent packs a log before it removes it. */
export function withoutPackedCopies(names: readonly string[]): readonly string[] {
  const all = new Set(names)
  return names.filter((name) => !/\.(?:zst|gz)$/i.test(name) || !all.has(name.slice(0, name.lastIndexOf('.'))))
}

export interface LogPlace {
  readonly agent: string
  readonly folder: string
  /** Matches the logs below the folder, by their path from there with `/` between the names. */
  readonly logs: RegExp
  readonly depth: number
  /** Whether a log goes on in other files, which change without it. Default: it is one file. */
  readonly isSpread?: boolean
}

interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly platform: string
}

/** Where the known agents keep their logs for the current user, or where their environment variables put them. */
export function logPlaces(surroundings: Surroundings): readonly LogPlace[] {
  const { environment } = surroundings
  const home = homeFolder(environment)
  const given = (name: string) => foldersIn(environment[name])
  const folders = (name: string, ...names: readonly string[]) => {
    const named = given(name)
    return named.length > 0 || home === null ? named : names.map((path) => join(home, path))
  }
  const config = given('XDG_CONFIG_HOME')[0] ?? (home === null ? null : join(home, '.config'))
  const data = given('XDG_DATA_HOME')[0] ?? (home === null ? null : join(home, '.local', 'share'))
  const below = (roots: readonly string[], ...names: readonly string[]) => roots.map((root) => join(root, ...names))

  const claude = folders('CLAUDE_CONFIG_DIR', '.claude')
  const claudeToo = given('CLAUDE_CONFIG_DIR').length > 0 || config === null ? [] : [join(config, 'claude')]
  const codex = folders('CODEX_HOME', '.codex')
  const cline = below(folders('CLINE_DIR', '.cline'), 'data')
  const clineData = given('CLINE_DATA_DIR').length > 0 ? given('CLINE_DATA_DIR') : cline
  const gemini = below(home === null ? given('GEMINI_CLI_HOME') : folders('GEMINI_CLI_HOME', '.'), '.gemini', 'tmp')
  const openCode = data === null ? [] : [join(data, 'opencode')]
  const own = home === null && given('XDG_STATE_HOME').length === 0 ? [] : [sessionsFolder(environment, home)]
  const place = (agent: string, roots: readonly string[], logs: RegExp, depth: number) =>
    roots.map((folder): LogPlace => ({ agent, folder, logs, depth }))
  const spread = (...places: Parameters<typeof place>) => place(...places).map((one): LogPlace => ({ ...one, isSpread: true }))

  return [
    ...place('Claude Code', below([...claude, ...claudeToo], 'projects'), claudeSession, 5),
    ...place('Codex', below(codex, 'sessions'), rollout, 3),
    ...place('Codex', below(codex, 'archived_sessions'), rollout, 3),
    ...place('Gemini CLI', gemini, /^[^/]+\/chats\/(?:[^/]+\/)?[^/]+\.jsonl?$/, 3),
    ...spread('opencode', below(openCode, 'storage', 'session'), /^[^/]+\/ses_[^/]+\.json$/, 1),
    ...spread('opencode', below(openCode, 'project'), /^[^/]+\/storage\/session\/info\/ses_[^/]+\.json$/, 4),
    ...place('opencode', openCode, /^opencode[^/]*\.db$/, 0),
    ...place('pi', below(folders('PI_CODING_AGENT_DIR', join('.pi', 'agent')), 'sessions'), /\.jsonl$/, 3),
    ...place('Cline', below(editorFolders(surroundings, home, config), 'saoudrizwan.claude-dev', 'tasks'), task, 1),
    ...place('Cline', below(clineData, 'tasks'), task, 1),
    ...place('Cline', below(clineData, 'sessions'), /(?:^|[./])messages\.json$/, 2),
    ...place('Copilot CLI', below(folders('COPILOT_HOME', '.copilot'), 'session-state'), /^(?:[^/]+\/events|[^/]+)\.jsonl$/, 1),
    ...spread('OpenHands', below(folders('OPENHANDS_PERSISTENCE_DIR', '.openhands'), 'conversations'), firstEvent, 2),
    ...place('Plimsoll', own, /^[^/]+\/log\.jsonl$/, 1),
  ]
}

/** Next to a session are the logs of agents it started, and other files of the client. */
const claudeSession =
  /^[^/]{1,255}\/(?:[^/]{1,255}|[^/]{1,255}\/subagents\/(?:workflows\/[^/]{1,255}\/)?agent-[^/]{1,255})\.jsonl$/
const firstEvent = /^[^/]+\/events\/event-0{5,9}-[^/]+\.json$/
/** Old ones are compressed. */
const rollout = /(?:^|\/)rollout-[^/]+\.jsonl(?:\.(?:zst|gz))?$/
const task = /^[^/]+\/api_conversation_history\.json$/

/** A variable may name several folders. Relative ones are ignored, since they depend on the current folder. */
function foldersIn(value: string | undefined): readonly string[] {
  return (value ?? '')
    .split(',')
    .map((path) => path.trim())
    .filter((path) => isAbsolute(path))
}

/** Where editors let their extensions keep files. */
function editorFolders({ environment, platform }: Surroundings, home: string | null, config: string | null): readonly string[] {
  const roaming = foldersIn(environment['APPDATA'])[0] ?? (home === null ? null : join(home, 'AppData', 'Roaming'))
  const library = home === null ? null : join(home, 'Library', 'Application Support')
  const base = platform === 'win32' ? roaming : platform === 'darwin' ? library : config
  const local = base === null ? [] : editors.map((editor) => join(base, editor, 'User', 'globalStorage'))
  const remote = home === null ? [] : servers.map((server) => join(home, server, 'data', 'User', 'globalStorage'))
  return [...local, ...remote]
}

const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf']
const servers = ['.vscode-server', '.vscode-server-insiders', '.cursor-server']
