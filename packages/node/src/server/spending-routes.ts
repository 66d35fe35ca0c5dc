import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Hono } from 'hono'
import { cacheFolder } from '../config/home-folder.ts'
import { workerUrl } from '../files/worker-url.ts'
import { spendingOf } from '../logs/measure/spending.ts'
import { readSpending } from '../logs/measure/spending-file.ts'
import { lastDays, type SpendingFound } from '../logs/measure/spending-now.ts'
import { searchInWorker } from '../logs/search/search-in-worker.ts'
import type { FoundIn } from '../logs/search/search-logs.ts'
import type { SearchAnswer } from '../shared/server-api.ts'
import type { Finding, HomeFigures, LogFigures } from '../shared/spending.ts'
import { answerInLines, wantsLines } from './answer-in-lines.ts'
import { logId, ownAgent } from './log-shelf.ts'
import type { RouteOptions } from './server-options.ts'
import type { SpendingTask } from './spending-worker.ts'

/**
 * What all agents on this machine spent, and on what. With `accept: application/x-ndjson`, the first line has what was known when logs were
 * measured last, without reading any. `/logs` has the figures of each log, by its id.
 */
export function spendingRoutes(options: RouteOptions): Hono {
  const { environment, platform, now, config, version, atClose } = options
  const { budget, prices } = config
  let worker: Worker | null = null
  let last: { readonly at: number; readonly found: Promise<SpendingFound> } | null = null
  atClose(async () => {
    await worker?.terminate()
  })

  const measured = (): Promise<SpendingFound> => {
    const at = now()
    if (last === null || at - last.at > freshFor) {
      const found = measure({ environment, platform, now: at, budget, prices, version })
      last = { at, found }
      found.catch(() => {
        last = null
      })
    }
    return last.found
  }

  async function measure(data: SpendingTask): Promise<SpendingFound> {
    worker = new Worker(workerUrl('./spending-worker', import.meta.url), { workerData: data, execArgv: [] })
    try {
      const ended = once(worker, 'exit').then(() => Promise.reject(new Error('the thread ended')))
      const [found] = (await Promise.race([once(worker, 'message'), ended])) as [SpendingFound]
      ended.catch(() => undefined)
      return found
    } finally {
      void worker.terminate()
      worker = null
    }
  }

  return new Hono()
    .get('/', async (context) => {
      if (!wantsLines(context)) return context.json(homeOf(await measured(), now()))
      return answerInLines<HomeFigures>(context, options, async (say) => {
        const folder = cacheFolder(environment)
        const known = folder === null ? null : readSpending(folder, version)
        if (known !== null) say({ soFar: { ...spendingOf(known, now(), budget), days: lastDays(known, now()) } })
        return new TextEncoder().encode(JSON.stringify(homeOf(await measured(), now())))
      })
    })
    .get('/logs', async (context) => {
      const { logs } = await measured()
      const figures = logs.map(({ file, ...row }): [string, LogFigures] => [logId(file), row])
      return context.json(Object.fromEntries(figures))
    })
}

function homeOf({ spending, days, logs, findings }: SpendingFound, now: number): HomeFigures {
  // Chats with Plimsoll have a list of their own.
  const paid = logs.filter(({ agent, dollars }) => agent !== ownAgent && dollars !== null && dollars > 0)
  const recent = paid.filter(({ last }) => last !== null && last > now - recentTime)
  const sessions = (recent.length > 0 ? recent : paid)
    .toSorted((one, other) => (other.dollars ?? 0) - (one.dollars ?? 0))
    .slice(0, shownSessions)
    .map(({ file, ...row }) => ({ id: logId(file), ...row }))
  return { ...spending, days, sessions, findings: findings.map(withId) }
}

function withId({ worst, ...finding }: Finding): Finding {
  return { ...finding, worst: worst === null ? null : { ...worst, file: logId(worst.file) } }
}

/** Messages of all logs by their words, in another thread. Without a text the index is only brought up to date. Lines have what was found so far. */
export function searchRoutes(options: RouteOptions): Hono {
  const { environment, platform, stopping } = options
  return new Hono().get('/', (context) => {
    const text = (context.req.query('text') ?? '').slice(0, maxText)
    return answerInLines<SearchAnswer>(context, options, async (say, gone) => {
      const found: SearchAnswer['found'][number][] = []
      const hear = (log: FoundIn) => {
        found.push(hitOf(log))
        say({ soFar: { found } })
      }
      await searchInWorker({ environment, platform, text, maxLogs: maxFound }, hear, AbortSignal.any([gone, stopping]))
      return new TextEncoder().encode(JSON.stringify({ found } satisfies SearchAnswer))
    })
  })
}

const maxText = 200
const maxFound = 50

function hitOf({ path, messages }: FoundIn): SearchAnswer['found'][number] {
  const log = logId(path)
  return {
    log,
    messages: messages.map(({ session, message, role, excerpt }) => ({
      session: `${log}.${session + 1}`,
      number: message,
      role,
      excerpt,
    })),
  }
}

const shownSessions = 5
/** In milliseconds: two weeks. */
const recentTime = 14 * 86_400_000

/** Milliseconds in which logs are not looked at again. */
const freshFor = 30_000
