import type { Trouble } from '../files/trouble.ts'
import type { ReadLog, ReadSession } from '../logs/log-reader.ts'
import type { LogOutcome } from '../logs/read-logs.ts'
import type { SkipReason } from '../strings/english/view.ts'
import { stringsOf } from './needs/need-uses.ts'
import { recordSession } from './record-session.ts'
import type { JobSession, ReplayJob } from './replay-job.ts'

/** What there is to replay, and what there is not. */
export interface CollectedJobs {
  readonly jobs: readonly ReplayJob[]
  /** Files of which nothing could be read. */
  readonly troubles: readonly { readonly path: string; readonly trouble: Trouble }[]
  /** Entries that could not be read in files that otherwise could. */
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason; readonly entries: number }[]
  /** Sessions in which nothing was asked of a model, by name. */
  readonly idle: readonly string[]
  /** Strings that many of the sessions use, which nobody needed a tool for. */
  readonly common: readonly string[]
}

/** What is wanted of the logs. */
export interface CollectOptions {
  /** The most sessions. Default: all. */
  readonly most?: number
  /** What a file is called in the results. */
  readonly nameOf: (path: string) => string
  /** Told after each file. */
  readonly read?: (files: number) => void
}

/** Goes through logs and makes jobs of their sessions; holds on to none of them. */
export async function collectJobs(logs: AsyncIterable<LogOutcome>, options: CollectOptions): Promise<CollectedJobs> {
  const { most = Number.POSITIVE_INFINITY, nameOf, read } = options
  const jobs: ReplayJob[] = []
  const troubles: { path: string; trouble: Trouble }[] = []
  const skipped: { path: string; reason: SkipReason; entries: number }[] = []
  const idle: string[] = []
  const strings: ReadonlySet<string>[] = []
  const isCopy = createCopyFinder()
  let files = 0
  let count = 0
  for await (const { path, log, trouble } of logs) {
    files += 1
    read?.(files)
    // What only lies among logs is not missed by anybody.
    if (trouble !== undefined && trouble.kind !== 'not-a-log') troubles.push({ path, trouble })
    if (log === undefined) continue
    for (const [reason, entries] of countReasons(log)) skipped.push({ path, reason, entries })
    const sessions: JobSession[] = []
    for (const [number, session] of log.sessions.entries()) {
      const requests = requestsIn(session)
      const name = log.sessions.length === 1 ? nameOf(path) : `${nameOf(path)}#${number + 1}`
      if (requests === 0) idle.push(name)
      if (requests === 0 || count >= most || isCopy(log.format, session)) continue
      count += 1
      sessions.push({ number, name, requests })
      if (strings.length < enoughSessions) strings.push(stringsIn(session, log.format))
    }
    for (const part of inParts(sessions)) jobs.push({ path, sessions: part })
    if (count >= most) break
  }
  return { jobs, troubles, skipped, idle, common: [...commonStrings(strings)] }
}

/** More sessions do not say better what all sessions have. */
const enoughSessions = 1000

function stringsIn(session: ReadSession, format: string): ReadonlySet<string> {
  // What was used does not depend on how it is counted.
  return stringsOf(recordSession(session, { name: '', format, tokens: { name: 'none', count: () => 0 } }))
}

/** The same session may lie in a folder and in an archive of it. */
function createCopyFinder(): (format: string, session: ReadSession) => boolean {
  const known = new Set<string>()
  return (format, { id, messages }) => {
    if (id === null) return false
    const key = JSON.stringify([format, id, messages.length, messages.at(-1)?.id])
    if (known.has(key)) return true
    known.add(key)
    return false
  }
}

/** An answer that does not follow an answer is that of a request. */
function requestsIn({ messages }: ReadSession): number {
  let requests = 0
  for (let index = 1; index < messages.length; index += 1) {
    if (messages[index]?.role === 'assistant' && messages[index - 1]?.role !== 'assistant') requests += 1
  }
  return requests
}

function countReasons({ skipped }: ReadLog): ReadonlyMap<SkipReason, number> {
  const counts = new Map<SkipReason, number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}

/** So many requests are worth reading a file for once more. */
const enough = 300

/** Hundreds of short sessions of one file are shared out among threads. */
function inParts(sessions: readonly JobSession[]): readonly (readonly JobSession[])[] {
  const parts: JobSession[][] = []
  let requests = enough
  for (const session of sessions) {
    if (requests >= enough) {
      parts.push([])
      requests = 0
    }
    parts.at(-1)?.push(session)
    requests += session.requests
  }
  return parts
}

/** The strings that more than one in twenty of the other sessions have, and at least two of them: nobody needed a tool to know them. */
export function commonStrings(sessions: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const strings of sessions) for (const text of strings) counts.set(text, (counts.get(text) ?? 0) + 1)
  const most = Math.max(1, (sessions.length - 1) / 20)
  return new Set([...counts].flatMap(([text, count]) => (count - 1 > most ? [text] : [])))
}
