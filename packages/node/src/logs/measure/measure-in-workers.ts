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
  const report = createReport(options.progress)
  const threads = Math.min(workers, logs.length)
  if (threads < 2) await measureHere(queue, options.platform, measured, report)
  else await Promise.all(Array.from({ length: threads }, () => measureThere(queue, options.platform, measured, report)))
  return measured
}

type Report = ReturnType<typeof createReport>

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

async function measureHere(
  queue: FoundLog[],
  platform: string,
  measured: Map<string, Outcome<LogMeasure>>,
  report: Report,
): Promise<void> {
  if (queue.length === 0) return
  // With an index there is often nothing to read, and the readers take longest to load.
  const { measureLog } = await import('./measure-log.ts')
  for (const log of queue) {
    measured.set(log.path, await measureLog(log, platform, (read) => report.read(log.path, read)))
    report.done(log)
  }
}

/** Starts one thread after the other until no logs are left: one that runs out of memory takes only its log with it. */
async function measureThere(
  queue: FoundLog[],
  platform: string,
  measured: Map<string, Outcome<LogMeasure>>,
  report: Report,
): Promise<void> {
  let worker: Worker | null = null
  try {
    for (let log = queue.shift(); log !== undefined; log = queue.shift()) {
      worker ??= new Worker(workerUrl('./measure-worker', import.meta.url), { workerData: platform, execArgv: [] })
      const { path, bytes } = log
      const outcome = await runIn(worker, { path, bytes }, (read) => report.read(path, read))
      if (outcome.died !== undefined) {
        await worker.terminate()
        worker = null
      }
      measured.set(path, outcome.died ?? outcome.measured)
      report.done(log)
    }
  } finally {
    await worker?.terminate()
  }
}

type ThreadOutcome = { readonly measured: Outcome<LogMeasure>; readonly died?: never } | { readonly died: Outcome<LogMeasure> }

function runIn(worker: Worker, task: WorkerTask, read: (bytes: number) => void): Promise<ThreadOutcome> {
  return new Promise((resolve) => {
    const end = (outcome: ThreadOutcome) => {
      worker.off('message', answered).off('error', failed).off('exit', ended)
      resolve(outcome)
    }
    const answered = (answer: WorkerAnswer) => {
      if (answer.read === undefined) end({ measured: answer.measured })
      else read(answer.read)
    }
    const died = (code: string) => end({ died: { problem: { kind: 'unreadable', code } } })
    const failed = (error: unknown) => died(codeOf(error) ?? 'ERR_WORKER')
    const ended = () => died('ERR_WORKER')
    worker.on('message', answered).on('error', failed).on('exit', ended)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(task)
  })
}
