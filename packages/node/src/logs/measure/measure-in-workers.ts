import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { codeOf, type Outcome } from '../../files/problem.ts'
import { workerUrl } from '../../files/worker-url.ts'
import type { FoundLog } from '../find-logs.ts'
import type { LogMeasure } from './measure-log.ts'
import type { WorkerAnswer, WorkerTask } from './measure-worker.ts'

interface WorkersOptions {
  readonly platform: string
  readonly progress: (so: { readonly files: number; readonly bytes: number }) => void
  /** Default: one for each core, at most eight; none for few bytes. */
  readonly workers?: number
}

/** Starting a thread takes as long as reading this much. */
const minBytes = 8_000_000
const maxWorkers = 8

/** Measures logs, the largest first, in as many threads as are worth it. Returns the measures by path. */
export async function measureInWorkers(
  logs: readonly FoundLog[],
  options: WorkersOptions,
): Promise<ReadonlyMap<string, Outcome<LogMeasure>>> {
  const queue = logs.toSorted((one, other) => other.bytes - one.bytes)
  const bytes = logs.reduce((sum, log) => sum + log.bytes, 0)
  const { workers = Math.min(maxWorkers, availableParallelism(), Math.floor(bytes / minBytes)) } = options
  const measured = new Map<string, Outcome<LogMeasure>>()
  const work = { queue, platform: options.platform, measured, report: createReport(options.progress) }
  const threads = Math.min(workers, logs.length)
  if (threads < 2) await measureHere(work)
  else await Promise.all(Array.from({ length: threads }, () => measureThere(work)))
  return measured
}

interface Work {
  readonly queue: FoundLog[]
  readonly platform: string
  readonly measured: Map<string, Outcome<LogMeasure>>
  readonly report: ReturnType<typeof createReport>
}

/** Adds up the bytes of the logs that are done and of those that are being read. */
function createReport(progress: WorkersOptions['progress']) {
  const reading = new Map<string, number>()
  let files = 0
  let bytes = 0
  const tell = () => progress({ files, bytes: [...reading.values()].reduce((sum, read) => sum + read, bytes) })
  return {
    read(path: string, so: number) {
      reading.set(path, so)
      tell()
    },
    done(log: FoundLog) {
      reading.delete(log.path)
      files += 1
      bytes += log.bytes
      tell()
    },
  }
}

async function measureHere({ queue, platform, measured, report }: Work): Promise<void> {
  if (queue.length === 0) return
  // With an index there is often nothing to read, and the readers take longest to load.
  const { measureLog } = await import('./measure-log.ts')
  for (const log of queue) {
    measured.set(log.path, await measureLog(log, platform, (read) => report.read(log.path, read)))
    report.done(log)
  }
}

/** Starts one thread after the other until no logs are left: one that runs out of memory takes only its log with it. */
async function measureThere({ queue, platform, measured, report }: Work): Promise<void> {
  let worker: Worker | null = null
  try {
    for (let log = queue.shift(); log !== undefined; log = queue.shift()) {
      worker ??= new Worker(workerUrl('./measure-worker', import.meta.url), { workerData: platform, execArgv: [] })
      const { path, bytes } = log
      const { outcome, isAlive } = await runIn(worker, { path, bytes }, (read) => report.read(path, read))
      if (!isAlive) {
        await worker.terminate()
        worker = null
      }
      measured.set(path, outcome)
      report.done(log)
    }
  } finally {
    await worker?.terminate()
  }
}

function runIn(worker: Worker, task: WorkerTask, read: (bytes: number) => void) {
  return new Promise<{ readonly outcome: Outcome<LogMeasure>; readonly isAlive: boolean }>((resolve) => {
    const end = (outcome: Outcome<LogMeasure>, isAlive: boolean) => {
      worker.off('message', answered).off('error', failed).off('exit', ended)
      resolve({ outcome, isAlive })
    }
    const answered = (answer: WorkerAnswer) => {
      if (answer.read === undefined) end(answer.measured, true)
      else read(answer.read)
    }
    const failed = (error: unknown) => end({ problem: { kind: 'unreadable', code: codeOf(error) ?? 'ERR_WORKER' } }, false)
    const ended = () => failed(null)
    worker.on('message', answered).on('error', failed).on('exit', ended)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(task)
  })
}
