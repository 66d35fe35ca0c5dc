import type { Stats } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Outcome, ReadProblem } from '../files/problem.ts'
import { problemFrom } from '../files/read-text.ts'
import { firstOpenHandsEvent } from './agents/openhands-sdk.ts'
import { withoutPackedCopies } from './find-logs.ts'
import type { ReadLog } from './log-reader.ts'
import { type ReadLogOptions, readLog } from './read-log.ts'

/** Why a file gave no log; `not-a-log` for a file in a given folder that holds no conversation. */
export type LogProblem = ReadProblem | { readonly kind: 'not-a-log' }

export interface LogOutcome {
  readonly path: string
  readonly log?: ReadLog
  readonly problem?: LogProblem
}

/** In the order of their names. Follows links, reads each target once, and in folders only files that end like logs. */
export async function* readLogs(paths: readonly string[], options: ReadLogOptions = {}): AsyncGenerator<LogOutcome, void> {
  const known = new Set<string>()
  // A stack instead of recursion, since folders may be nested to any depth. The next one is the last.
  const waiting = paths.map((path) => ({ path, isGiven: true })).reverse()
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { path, isGiven } = place
    const found = await lookAt(path)
    if (found.problem !== undefined) {
      yield { path, problem: found.problem }
      continue
    }
    const { real, stats } = found.value
    const isFolder = stats.isDirectory()
    if (known.has(real) || !(isFolder || isGiven || (stats.isFile() && logEnding.test(path)))) continue
    known.add(real)
    if (!isFolder) {
      yield await readOne(path, isGiven, options)
      continue
    }
    const inside = await listFolder(path)
    if (inside.problem !== undefined) yield { path, problem: inside.problem }
    else for (const name of inside.value.toReversed()) waiting.push({ path: join(path, name), isGiven: false })
  }
}

async function lookAt(path: string): Promise<Outcome<{ readonly real: string; readonly stats: Stats }>> {
  try {
    const real = await realpath(path)
    return { value: { real, stats: await stat(real) } }
  } catch (error) {
    return { problem: problemFrom(error) }
  }
}

async function readOne(path: string, isGiven: boolean, options: ReadLogOptions): Promise<LogOutcome> {
  const { value, problem } = await readLog(path, options)
  if (value === undefined) return { path, problem: !isGiven && notLogs.has(problem.kind) ? { kind: 'not-a-log' } : problem }
  if (value.sessions.some(({ messages }) => messages.length > 0)) return { path, log: value }
  return { path, problem: isGiven || value.skipped.length > 0 ? { kind: 'empty' } : { kind: 'not-a-log' } }
}

const notLogs: ReadonlySet<ReadProblem['kind']> = new Set(['no-messages', 'line-without-message', 'other-format'])

const logEnding = /\.(?:db|(?:jsonl?|ndjson|traj)(?:\.(?:zst|gz))?)$/i

async function listFolder(path: string): Promise<Outcome<readonly string[]>> {
  try {
    const names = (await readdir(path)).filter((name) => name !== 'node_modules' && name !== '.git').sort()
    return { value: storeNames(path, withoutPackedCopies(names)) }
  } catch (error) {
    return { problem: problemFrom(error) }
  }
}

/** Opencode and OpenHands keep messages in separate files, which are read with the session they belong to. */
function storeNames(path: string, names: readonly string[]): readonly string[] {
  const has = (...wanted: readonly string[]) => wanted.every((name) => names.includes(name))
  if (has('session', 'message')) return ['session']
  if (basename(path) === 'session' && has('info', 'message')) return ['info']
  return firstOpenHandsEvent(path, names) ?? names.filter((name) => !(name === 'base_state.json' && has('events')))
}
