import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Hono } from 'hono'
import { cacheFolder } from '../config/home-folder.ts'
import { workerUrl } from '../files/worker-url.ts'
import { spendingOf } from '../logs/measure/spending.ts'
import { readSpending } from '../logs/measure/spending-file.ts'
import type { Spending } from '../shared/spending.ts'
import { answerInLines, wantsLines } from './answer-in-lines.ts'
import type { RouteOptions } from './server-options.ts'
import type { SpendingTask } from './spending-worker.ts'

/**
 * What all agents on this machine spent. With `accept: application/x-ndjson`, the first line has what was known when logs were measured
 * last, without reading any.
 */
export function spendingRoutes(options: RouteOptions): Hono {
  const { environment, platform, now, config, version, atClose } = options
  const { budget, prices } = config
  let worker: Worker | null = null
  let last: { readonly at: number; readonly spending: Promise<Spending> } | null = null
  atClose(async () => {
    await worker?.terminate()
  })

  const measured = (): Promise<Spending> => {
    const at = now()
    if (last === null || at - last.at > freshFor) {
      const spending = measure({ environment, platform, now: at, budget, prices, version })
      last = { at, spending }
      spending.catch(() => {
        last = null
      })
    }
    return last.spending
  }

  async function measure(data: SpendingTask): Promise<Spending> {
    worker = new Worker(workerUrl('./spending-worker', import.meta.url), { workerData: data, execArgv: [] })
    try {
      const ended = once(worker, 'exit').then(() => Promise.reject(new Error('the thread ended')))
      const [spending] = (await Promise.race([once(worker, 'message'), ended])) as [Spending]
      ended.catch(() => undefined)
      return spending
    } finally {
      void worker.terminate()
      worker = null
    }
  }

  return new Hono().get('/', async (context) => {
    if (!wantsLines(context)) return context.json(await measured())
    return answerInLines<Spending>(context, options, async (say) => {
      const folder = cacheFolder(environment)
      const known = folder === null ? null : readSpending(folder, version)
      if (known !== null) say({ soFar: spendingOf(known, now(), budget) })
      return new TextEncoder().encode(JSON.stringify(await measured()))
    })
  })
}

/** Milliseconds in which logs are not looked at again. */
const freshFor = 30_000
