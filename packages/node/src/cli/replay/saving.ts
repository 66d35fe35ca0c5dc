import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { knownPrices } from '@plimsoll/core/bill'
import type { FoundLog } from '../../logs/find-logs.ts'
import { readCacheFile, writeCacheFile } from '../../logs/measure/cache-file.ts'
import type { Overview } from '../../logs/measure/overview.ts'
import { type IndexPlace, measureVersion } from '../../logs/measure/overview-index.ts'
import type { OwnPrices } from '../../model/price-of-model.ts'
import type { CollectedJobs } from '../../replay/collect-jobs.ts'
import type { ReplayJob, SessionOutcome } from '../../replay/replay-job.ts'

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
  /** Where the last answer is remembered, until one of the logs changes. */
  readonly index: IndexPlace | null
  readonly prices: OwnPrices
  readonly progress: (share: number) => void
  readonly signal?: AbortSignal | undefined
}

/** The replay of these many requests takes some seconds. */
const maxRequests = 300
const maxSessions = 30

/** Replays recent sessions of an overview; null if there is none with a request. */
export async function measureSaving(
  overview: Overview,
  logs: readonly FoundLog[],
  options: SavingOptions,
): Promise<Saving | null> {
  const files = [...new Set(fitting(overview.newest).map(({ file }) => file))]
  const stamps = new Map(logs.map(({ path, stamp }) => [path, stamp]))
  const states = files.map((file) => [file, stamps.get(file) ?? null] as const)
  const isKnown = states.every(([, stamp]) => stamp !== null)
  const key = createHash('sha256')
    .update(JSON.stringify([states, knownPrices.date, options.prices, overview.sessions, commandFor(overview)]))
    .digest('hex')
  const place = isKnown && options.index !== null ? placeBeside(options.index) : null
  const [remembered] = place === null ? [] : ((await readCacheFile(place.file, place.header)) as readonly RememberedSaving[])
  if (remembered?.key === key) return remembered.saving
  const saving = await replayRecent(overview, files, options)
  if (place !== null && options.signal?.aborted !== true)
    await writeCacheFile(place.file, place.header, [{ key, saving } satisfies RememberedSaving])
  return saving
}

interface RememberedSaving {
  readonly key: string
  readonly saving: Saving | null
}

function placeBeside({ file, program }: IndexPlace) {
  return {
    file: join(dirname(file), 'overview-saving'),
    header: `plimsoll saving ${measureVersion} ${program} ${process.platform}`,
  }
}

/** The newest that can be replayed in time; if all are too long, the shortest of them. */
function fitting<Session extends { readonly requests: number }>(newest: readonly Session[]): readonly Session[] {
  const recent = newest.slice(0, maxSessions)
  let left = maxRequests
  const chosen = recent.filter(({ requests }) => {
    if (requests > left) return false
    left -= requests
    return true
  })
  return chosen.length > 0 ? chosen : recent.toSorted((a, b) => a.requests - b.requests).slice(0, 1)
}

/** Loaded only here: what a replay needs takes longer to load than an overview from its index. */
async function replayRecent(overview: Overview, files: readonly string[], options: SavingOptions): Promise<Saving | null> {
  const { readLogs } = await import('../../logs/read-logs.ts')
  const { collectJobs } = await import('../../replay/collect-jobs.ts')
  const { summariseBrief } = await import('../../replay/brief-summary.ts')
  const collected = await collectJobs(readLogs(files), { nameOf: (path) => path, signal: options.signal })
  const outcomes = await replay(recentSessions(collected.jobs), collected, options)
  const { sessions, requests, dollars, tokens } = summariseBrief({ ...nothingSaid, outcomes })
  if (requests === 0) return null
  return {
    sessions,
    requests,
    isAll: sessions === overview.sessions,
    dollars: dollars === null ? null : { recorded: dollars.recorded, effective: dollars.effective },
    tokens,
    command: commandFor(overview),
  }
}

const nothingSaid = { configuration: '', pricesFrom: '', assumption: '', found: 0, unreadable: [] }

/** A database of an agent has all of its sessions, so they are counted again here. */
function recentSessions(jobs: readonly ReplayJob[]): readonly ReplayJob[] {
  const newest = jobs.flatMap(({ sessions }) => sessions).toSorted((a, b) => b.at - a.at)
  const chosen = new Set(fitting(newest).map(({ name }) => name))
  return jobs
    .map((job) => ({ ...job, sessions: job.sessions.filter(({ name }) => chosen.has(name)) }))
    .filter(({ sessions }) => sessions.length > 0)
}

/** Starting a thread takes as long as replaying these many requests. */
const minForThreads = 60

async function replay(
  jobs: readonly ReplayJob[],
  { common }: CollectedJobs,
  { prices, progress, signal }: SavingOptions,
): Promise<readonly SessionOutcome[]> {
  const all = jobs.reduce((sum, { sessions }) => sum + sessions.reduce((count, { requests }) => count + requests, 0), 0)
  if (all >= minForThreads) {
    const { longestFirst } = await import('../../replay/collect-jobs.ts')
    const { replayInWorkers } = await import('../../replay/replay-in-workers.ts')
    let done = 0
    const outcomes = await replayInWorkers(longestFirst(jobs), {
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
    return [...outcomes.values()]
  }
  const { runJob } = await import('../../replay/replay-job.ts')
  const { createO200kTokenizer } = await import('../../model/tokens.ts')
  const context = { asked: null, common: new Set(common), prices, tokens: await createO200kTokenizer() }
  const outcomes: SessionOutcome[] = []
  for (const job of jobs) for await (const outcome of runJob(job, context)) outcomes.push(outcome)
  return outcomes
}

/** For the agent that cost most. */
function commandFor({ agents }: Overview): string {
  const agent = agents[0]?.agent ?? ''
  return agent === 'Plimsoll'
    ? 'plimsoll chat --policies economy'
    : `plimsoll run --trim economy -- ${programs[agent] ?? 'AGENT'}`
}

const programs: Readonly<Record<string, string>> = {
  'Claude Code': 'claude',
  Codex: 'codex',
  'Gemini CLI': 'gemini',
  opencode: 'opencode',
  'Copilot CLI': 'copilot',
  pi: 'pi',
}
