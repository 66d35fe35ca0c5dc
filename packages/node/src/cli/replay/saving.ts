import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { knownPrices } from '@plimsoll/core/bill'
import type { FoundLog } from '../../logs/find-logs.ts'
import { readCacheFile, writeCacheFile } from '../../logs/measure/cache-file.ts'
import type { Overview } from '../../logs/measure/overview.ts'
import { type IndexPlace, measureVersion } from '../../logs/measure/overview-index.ts'
import type { OwnPrices } from '../../model/price-of-model.ts'
import type { CollectedJobs } from '../../replay/collect-jobs.ts'
import type { JobSession, ReplayJob, SessionOutcome } from '../../replay/replay-job.ts'
import { sum } from '../../replay/statistics.ts'
import { agentProgram } from '../../shared/agents.ts'

/** What recent sessions would have cost in economy mode, by `plimsoll replay` of their logs. */
export interface Saving {
  readonly sessions: number
  readonly requests: number
  /** Whether these are all sessions of the overview. */
  readonly isAll: boolean
  /** As recorded, and in economy mode with recalls; null if no price is known. */
  readonly dollars: { readonly recorded: number; readonly effective: number } | null
  readonly tokens: { readonly recorded: number; readonly economy: number }
  /** The command that has it. */
  readonly command: string
}

interface SavingOptions {
  /** Where the figures of each log are remembered, until it changes. */
  readonly index: IndexPlace | null
  readonly prices: OwnPrices
  readonly progress: (share: number) => void
  readonly signal?: AbortSignal | undefined
}

/** The replay of these many requests takes some seconds; the log that passes the limit is the last one. */
const maxRequests = 300
/** Longer logs are left out if there are others. Of an agent's database, the newest sessions with this many requests are replayed. */
const maxPerLog = 600
const maxLogs = 100

/** Replays the newest logs of an overview, as many as can be in some seconds, and adds what is remembered of others; null if there is no request. */
export async function measureSaving(
  overview: Overview,
  logs: readonly FoundLog[],
  options: SavingOptions,
): Promise<Saving | null> {
  const stamps = new Map(logs.map(({ path, stamp }) => [path, stamp]))
  const newest = [...Map.groupBy(overview.newest, ({ file }) => file)].slice(0, maxLogs)
  const { known, remember } = await rememberedReplays(options)
  const isKnown = (file: string) => stamps.get(file) != null && known.get(file)?.stamp === stamps.get(file)
  const files = newestFiles(newest.map(([file, sessions]) => [file, sum(sessions, ({ requests }) => requests)])).filter(
    (file) => !isKnown(file),
  )
  const replayed = files.length === 0 ? new Map<string, LogSaving>() : await replayLogs(files, options)
  if (replayed.size > 0 && options.signal?.aborted !== true)
    await remember(
      newest.flatMap(([file]) => {
        const [stamp, saving] = [stamps.get(file) ?? null, replayed.get(file)]
        if (saving !== undefined) return stamp === null ? [] : [{ file, stamp, ...saving }]
        return isKnown(file) ? (known.get(file) ?? []) : []
      }),
    )
  const all = newest.flatMap(([file]) => replayed.get(file) ?? (isKnown(file) ? (known.get(file) ?? []) : []))
  return addedUp(all, overview)
}

function newestFiles(logs: readonly (readonly [string, number])[]): readonly string[] {
  let left = maxRequests
  const chosen = logs.filter(([, requests]) => {
    if (left <= 0 || requests > maxPerLog) return false
    left -= requests
    return true
  })
  return (chosen.length > 0 ? chosen : logs.slice(0, 1)).map(([file]) => file)
}

function addedUp(all: readonly LogSaving[], overview: Overview): Saving | null {
  const [sessions, requests] = [sum(all, (one) => one.sessions), sum(all, (one) => one.requests)]
  if (requests === 0) return null
  return {
    sessions,
    requests,
    isAll: sessions === overview.sessions,
    dollars: all.every(({ dollars }) => dollars === null)
      ? null
      : { recorded: sum(all, (one) => one.dollars?.recorded ?? 0), effective: sum(all, (one) => one.dollars?.effective ?? 0) },
    tokens: { recorded: sum(all, (one) => one.tokens.recorded), economy: sum(all, (one) => one.tokens.economy) },
    command: commandFor(overview),
  }
}

type LogSaving = Pick<Saving, 'sessions' | 'requests' | 'dollars' | 'tokens'>

interface RememberedSaving extends LogSaving {
  readonly file: string
  readonly stamp: string
}

/** Figures of other prices are not taken. */
async function rememberedReplays({ index, prices }: SavingOptions) {
  if (index === null) return { known: new Map<string, RememberedSaving>(), remember: async () => undefined }
  const file = join(dirname(index.file), 'overview-saving')
  const priced = createHash('sha256')
    .update(JSON.stringify([knownPrices.date, prices]))
    .digest('hex')
  const header = `plimsoll saving ${measureVersion} ${index.program} ${process.platform} ${priced}`
  const rows = (await readCacheFile(file, header)) as readonly RememberedSaving[]
  return {
    known: new Map(rows.map((row) => [row.file, row])),
    remember: (now: readonly RememberedSaving[]) => writeCacheFile(file, header, now),
  }
}

/** Loaded only here: what a replay needs takes longer to load than an overview from its index. */
async function replayLogs(files: readonly string[], options: SavingOptions): Promise<ReadonlyMap<string, LogSaving>> {
  const { readLogs } = await import('../../logs/read-logs.ts')
  const { collectJobs } = await import('../../replay/collect-jobs.ts')
  const { summariseBrief } = await import('../../replay/brief-summary.ts')
  const collected = await collectJobs(readLogs(files), { nameOf: (path) => path, signal: options.signal })
  const jobs = collected.jobs.map((job) => ({ ...job, sessions: newestSessions(job.sessions) }))
  const outcomes = await replay(jobs, collected, options)
  return new Map(
    files.map((file) => {
      const names = jobs.filter(({ path }) => path === file).flatMap(({ sessions }) => sessions.map(({ name }) => name))
      const { sessions, requests, dollars, tokens } = summariseBrief({
        ...nothingSaid,
        outcomes: names.flatMap((name) => outcomes.get(name) ?? []),
      })
      const costs = dollars === null ? null : { recorded: dollars.recorded, effective: dollars.effective }
      return [file, { sessions, requests, dollars: costs, tokens }]
    }),
  )
}

const nothingSaid = { configuration: '', pricesFrom: '', assumption: '', found: 0, unreadable: [] }

/** An agent's database has all of its sessions. */
function newestSessions(sessions: readonly JobSession[]): readonly JobSession[] {
  let left = maxPerLog
  return sessions
    .toSorted((a, b) => b.at - a.at)
    .filter(({ requests }, index) => {
      left -= requests
      return left >= 0 || index === 0
    })
}

/** Starting a thread takes as long as replaying these many requests. */
const minForThreads = 60

async function replay(
  jobs: readonly ReplayJob[],
  { common }: CollectedJobs,
  { prices, progress, signal }: SavingOptions,
): Promise<ReadonlyMap<string, SessionOutcome>> {
  const all = sum(jobs, ({ sessions }) => sum(sessions, ({ requests }) => requests))
  if (all >= minForThreads) {
    const { longestFirst } = await import('../../replay/collect-jobs.ts')
    const { replayInWorkers } = await import('../../replay/replay-in-workers.ts')
    let done = 0
    return replayInWorkers(longestFirst(jobs), {
      asked: null,
      common,
      prices,
      signal,
      progress: ({ requests }, share) => progress((done + requests * share) / all),
      done({ requests }) {
        done += requests
        progress(done / all)
      },
    })
  }
  const { runJob } = await import('../../replay/replay-job.ts')
  const { createO200kTokenizer } = await import('../../model/tokens.ts')
  const context = { asked: null, common: new Set(common), prices, tokens: await createO200kTokenizer() }
  const outcomes = new Map<string, SessionOutcome>()
  for (const job of jobs) {
    const names = job.sessions.map(({ name }) => name).values()
    for await (const outcome of runJob(job, context)) outcomes.set(names.next().value ?? '', outcome)
  }
  return outcomes
}

/** For the agent that cost most. */
function commandFor({ agents }: Overview): string {
  const agent = agents[0]?.agent ?? ''
  return agent === 'Plimsoll' ? 'plimsoll chat --policies economy' : `plimsoll run --trim economy -- ${agentProgram(agent)}`
}
