import type { Tokenizer } from '@plimsoll/core'
import type { ReadProblem } from '../files/problem.ts'
import type { ReadSession } from '../logs/log-reader.ts'
import type { LogOutcome } from '../logs/read-logs.ts'
import type { SkipReason } from '../strings/english/requests.ts'
import { stringsOf } from './needs/need-uses.ts'
import { recordSession } from './record-session.ts'
import type { JobSession, ReplayJob } from './replay-job.ts'
import { sum } from './statistics.ts'

export interface CollectedJobs {
  readonly jobs: readonly ReplayJob[]
  readonly troubles: readonly { readonly path: string; readonly problem: ReadProblem }[]
  /** Entries that could not be read in other files. */
  readonly skipped: readonly { readonly path: string; readonly reason: SkipReason; readonly entries: number }[]
  /** Sessions without a request, by name. */
  readonly idle: readonly string[]
  /** Strings that many sessions use, so that no tool was needed for them. */
  readonly common: readonly string[]
}

interface CollectOptions {
  /** The maximum number of sessions. Default: all. */
  readonly maxSessions?: number
  readonly nameOf: (path: string) => string
  readonly read?: (files: number) => void
  /** Stops reading; what was read so far is returned. */
  readonly signal?: AbortSignal | undefined
}

/** Makes jobs of the sessions in logs, without keeping any of them in memory. */
export async function collectJobs(logs: AsyncIterable<LogOutcome>, options: CollectOptions): Promise<CollectedJobs> {
  const { maxSessions = Number.POSITIVE_INFINITY, nameOf, read, signal } = options
  const jobs: ReplayJob[] = []
  const troubles: { path: string; problem: ReadProblem }[] = []
  const skipped: { path: string; reason: SkipReason; entries: number }[] = []
  const idle: string[] = []
  const strings: ReadonlySet<string>[] = []
  const isCopy = createCopyFinder()
  let files = 0
  let count = 0
  for await (const { path, log, problem } of logs) {
    files += 1
    read?.(files)
    // Files that are not logs are ignored silently.
    if (problem !== undefined && problem.kind !== 'not-a-log') troubles.push({ path, problem })
    if (log === undefined) continue
    for (const [reason, entries] of Map.groupBy(log.skipped, (entry) => entry.reason))
      skipped.push({ path, reason, entries: entries.length })
    const sessions: JobSession[] = []
    for (const [number, session] of log.sessions.entries()) {
      const requests = requestsIn(session)
      const name = log.sessions.length === 1 ? nameOf(path) : `${nameOf(path)}#${number + 1}`
      if (requests === 0) idle.push(name)
      if (requests === 0 || count >= maxSessions || isCopy(log.format, session)) continue
      count += 1
      sessions.push({ number, name, requests, at: session.messages.findLast(({ at }) => at !== undefined)?.at ?? 0 })
      if (strings.length < enoughSessions)
        strings.push(stringsOf(recordSession(session, { name: '', format: log.format, tokens: uncounted })))
    }
    for (const part of inParts(sessions)) jobs.push({ path, sessions: part })
    if (count >= maxSessions || signal?.aborted === true) break
  }
  return { jobs, troubles, skipped, idle, common: [...commonStrings(strings)] }
}

/** More sessions would not change the common strings. */
const enoughSessions = 1000

const uncounted: Tokenizer = { name: 'none', count: () => 0 }

/** The same session may be in a folder and in an archive of it. */
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

function requestsIn({ messages }: ReadSession): number {
  const isAnswer = messages.map(({ role }) => role === 'assistant')
  return isAnswer.filter((is, index) => index > 0 && is && isAnswer[index - 1] === false).length
}

/** Minimum requests of a job: for fewer, reading the file again is not worth it. */
const requestsInPart = 300

/** The longest first, so that no thread is left alone with one at the end. */
export function longestFirst(jobs: readonly ReplayJob[]): readonly ReplayJob[] {
  const length = ({ sessions }: ReplayJob) => sum(sessions, ({ requests }) => requests)
  return jobs.toSorted((one, other) => length(other) - length(one))
}

export function newestFirst(jobs: readonly ReplayJob[]): readonly ReplayJob[] {
  const latest = ({ sessions }: ReplayJob) => sessions.reduce((max, { at }) => Math.max(max, at), 0)
  return jobs.toSorted((one, other) => latest(other) - latest(one))
}

/** Hundreds of short sessions of one file are divided among threads. */
function inParts(sessions: readonly JobSession[]): readonly (readonly JobSession[])[] {
  const parts: JobSession[][] = []
  let requests = requestsInPart
  for (const session of sessions) {
    if (requests >= requestsInPart) {
      parts.push([])
      requests = 0
    }
    parts.at(-1)?.push(session)
    requests += session.requests
  }
  return parts
}

/** The strings that more than one in twenty of the other sessions have, and at least two of them. */
export function commonStrings(sessions: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const strings of sessions) for (const text of strings) counts.set(text, (counts.get(text) ?? 0) + 1)
  const enough = Math.max(1, (sessions.length - 1) / 20)
  return new Set([...counts].flatMap(([text, count]) => (count - 1 > enough ? [text] : [])))
}
