import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { homeFolder, stateFolder } from '../config/home-folder.ts'
import { SessionError } from './session-error.ts'

export interface SessionPaths {
  readonly folder: string
  readonly log: string
  /** Says where the log ended when it was last written. */
  readonly end: string
  readonly blobs: string
  readonly lock: string
}

/** The folder of all sessions: under `XDG_STATE_HOME`, by default `~/.local/state`. Throws `SessionError` if there is no home. */
export function sessionsFolder(
  environment: Readonly<Record<string, string | undefined>>,
  home: string | null = homeFolder(environment),
): string {
  const folder = stateFolder(environment, home)
  if (folder === null) throw new SessionError({ kind: 'no-home' })
  return join(folder, 'sessions')
}

export function pathsOf(folder: string): SessionPaths {
  return {
    folder,
    log: join(folder, 'log.jsonl'),
    end: join(folder, 'log.end'),
    blobs: join(folder, 'blobs'),
    lock: join(folder, 'lock'),
  }
}

/** A new id such as `20261115-054440-k3f9x2`; ids sort by time. */
export function newSessionId(now: number): string {
  const time = new Date(now).toISOString().replace(/\.\d+Z$/, '').replace(/[-:]/g, '').replace('T', '-') // biome-ignore format: one idea
  const suffix = Array.from({ length: 6 }, () => randomInt(36).toString(36)).join('')
  return `${time}-${suffix}`
}

/** Whether a name is a session's id. Nothing else becomes part of a path. */
export function isSessionId(name: string): boolean {
  return /^\d{8}-\d{6}-[0-9a-z]{6}$/.test(name)
}

export function sessionTime(id: string): number {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (id.match(/^\d{4}|\d{2}/g) ?? []).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
