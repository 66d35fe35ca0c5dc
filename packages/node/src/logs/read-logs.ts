import type { Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { troubleOf } from '../files/read-text.ts'
import type { Outcome, Trouble } from '../files/trouble.ts'
import { firstOpenHandsEvent } from './agents/openhands-sdk.ts'
import { withoutPackedCopies } from './find-logs.ts'
import type { ReadLog } from './log-reader.ts'
import { type ReadLogOptions, readLog } from './read-log.ts'

/** Why a file gave no log; `not-a-log` for one that lies in a folder among logs and holds no conversation. */
export type LogTrouble = Trouble | { readonly kind: 'not-a-log' }

export interface LogOutcome {
  readonly path: string
  readonly log?: ReadLog
  readonly trouble?: LogTrouble
}

/**
 * Reads the logs of files and folders one after another, in the order of their names. Links are followed, and whatever they lead to
 * is read once. In a folder only files are read whose names end as logs do. Never throws for what a file may be.
 */
export async function* readLogs(paths: readonly string[], options: ReadLogOptions = {}): AsyncGenerator<LogOutcome, void> {
  const known = new Set<string>()
  // A stack and no recursion: folders may be nested as deep as somebody likes. The next one is the last.
  const waiting = paths.map((path) => ({ path, isGiven: true })).reverse()
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { path, isGiven } = place
    const found = await lookAt(path)
    if (found.trouble !== undefined) {
      yield { path, trouble: found.trouble }
      continue
    }
    const { real, stats } = found.value
    const isFolder = stats.isDirectory()
    if (known.has(real) || !(isFolder || isGiven || (stats.isFile() && mayBeLog(path)))) continue
    known.add(real)
    if (!isFolder) {
      yield await readOne(path, isGiven, options)
      continue
    }
    const inside = await listFolder(path)
    if (inside.trouble !== undefined) yield { path, trouble: inside.trouble }
    else for (const name of inside.value.toReversed()) waiting.push({ path: join(path, name), isGiven: false })
  }
}

async function lookAt(path: string): Promise<Outcome<{ readonly real: string; readonly stats: Stats }>> {
  try {
    const real = await realpath(path)
    return { value: { real, stats: await stat(real) } }
  } catch (error) {
    return { trouble: troubleOf(error) }
  }
}

async function readOne(path: string, isGiven: boolean, options: ReadLogOptions): Promise<LogOutcome> {
  const { value, trouble } = await readLog(path, options)
  if (value === undefined) return { path, trouble: !isGiven && notLogs.has(trouble.kind) ? { kind: 'not-a-log' } : trouble }
  if (value.sessions.some(({ messages }) => messages.length > 0)) return { path, log: value }
  return { path, trouble: isGiven || value.skipped.length > 0 ? { kind: 'empty' } : { kind: 'not-a-log' } }
}

/** What is wrong with a file that is something else altogether. */
const notLogs: ReadonlySet<Trouble['kind']> = new Set(['no-messages', 'line-without-message', 'other-format'])

function mayBeLog(path: string): boolean {
  return /\.(?:db|(?:jsonl?|ndjson|traj)(?:\.(?:zst|gz))?)$/i.test(path)
}

async function listFolder(path: string): Promise<Outcome<readonly string[]>> {
  try {
    const names = (await readdir(path)).filter((name) => !passedBy.has(name)).sort()
    return { value: storeNames(path, withoutPackedCopies(names)) }
  } catch (error) {
    return { trouble: troubleOf(error) }
  }
}

const passedBy: ReadonlySet<string> = new Set(['node_modules', '.git'])

/** Opencode and OpenHands keep messages in files of their own, which are read with the session they belong to. */
function storeNames(path: string, names: readonly string[]): readonly string[] {
  const has = (...wanted: readonly string[]) => wanted.every((name) => names.includes(name))
  if (has('session', 'message')) return ['session']
  if (basename(path) === 'session' && has('info', 'message')) return ['info']
  return firstOpenHandsEvent(path, names) ?? names.filter((name) => !(name === 'base_state.json' && has('events')))
}
