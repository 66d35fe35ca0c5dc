import { availableParallelism, totalmem } from 'node:os'
import { Worker } from 'node:worker_threads'
import { thrownText } from '../files/problem.ts'
import { workerUrl } from '../files/worker-url.ts'
import type { JobSession, ReplayJob, SessionOutcome } from './replay-job.ts'
import type { WorkerAnswer, WorkerStart } from './replay-worker.ts'
import type { SessionRun } from './session-run.ts'

interface WorkerOptions extends Omit<WorkerStart, 'wantsRuns'> {
  readonly done?: (session: JobSession, outcome: SessionOutcome) => void
  /** Called often while a session is replayed, with the share of it that is done. */
  readonly progress?: (session: JobSession, share: number) => void
  /** Called after each policy set of a session. */
  readonly ran?: (session: JobSession, set: string, run: SessionRun) => void
  /** Default: one for each core. */
  readonly workers?: number
  /** Ends all threads; sessions that are not done have no outcome then. */
  readonly signal?: AbortSignal | undefined
}

/** Replays jobs in other threads, in their order. Returns the outcome of each session, by its name. */
export async function replayInWorkers(
  jobs: readonly ReplayJob[],
  options: WorkerOptions,
): Promise<ReadonlyMap<string, SessionOutcome>> {
  const { workers = Math.min(availableParallelism(), Math.ceil(totalmem() / threadBytes)) } = options
  const queue = [...jobs]
  const outcomes = new Map<string, SessionOutcome>()
  const threads = Array.from({ length: Math.min(workers, queue.length) }, () => work(queue, outcomes, options))
  await Promise.all(threads)
  return outcomes
}

/** Each request leaves lists as long as its conversation behind; with enough room, few of them are copied. */
const maxYoungGenerationSizeMb = 96

/** The memory of a thread with a long session. */
const threadBytes = 1 << 30

/** Starts one thread after the other until no jobs are left: if one dies, its session is lost and the next one continues. */
async function work(queue: ReplayJob[], outcomes: Map<string, SessionOutcome>, options: WorkerOptions): Promise<void> {
  let worker: Worker | null = null
  try {
    for (let job = queue.shift(); job !== undefined && !isStopped(options); job = queue.shift()) {
      worker ??= startWorker(options)
      const reason = await runIn(worker, job, outcomes, options)
      if (reason === null) continue
      await worker.terminate()
      worker = null
      if (isStopped(options)) return
      const [lost, ...rest] = job.sessions.filter(({ name }) => !outcomes.has(name))
      if (lost === undefined) continue
      outcomes.set(lost.name, { reason })
      options.done?.(lost, { reason })
      if (rest.length > 0) queue.unshift({ ...job, sessions: rest })
    }
  } finally {
    await worker?.terminate()
  }
}

function isStopped({ signal }: WorkerOptions): boolean {
  return signal?.aborted === true
}

/** Resolves to null once the job is done, else to the reason why the thread died. */
function runIn(
  worker: Worker,
  job: ReplayJob,
  outcomes: Map<string, SessionOutcome>,
  { done, progress, ran, signal }: WorkerOptions,
): Promise<string | null> {
  const rest = [...job.sessions]
  return new Promise((resolve) => {
    const end = (reason: string | null) => {
      worker.off('message', answered).off('error', failed).off('exit', ended)
      signal?.removeEventListener('abort', stopped)
      resolve(reason)
    }
    const answered = (answer: WorkerAnswer) => {
      const [current] = rest
      if (answer.kind !== 'outcome') {
        if (current === undefined) return
        if (answer.kind === 'progress') progress?.(current, answer.share)
        else ran?.(current, answer.set, answer.run)
        return
      }
      const { outcome } = answer
      const session = outcome === null ? undefined : rest.shift()
      if (outcome === null || session === undefined) return end(null)
      outcomes.set(session.name, outcome)
      done?.(session, outcome)
    }
    const failed = (error: unknown) => end(thrownText(error))
    const ended = (code: number) => end(`the thread ended with code ${code}`)
    const stopped = () => end('stopped')
    signal?.addEventListener('abort', stopped, { once: true })
    worker.on('message', answered).on('error', failed).on('exit', ended)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
    worker.postMessage(job)
  })
}

function startWorker({ asked, common, prices, withPrompts = false, ran }: WorkerOptions): Worker {
  const start: WorkerStart = { asked, common, prices, withPrompts, wantsRuns: ran !== undefined }
  const resourceLimits = { maxYoungGenerationSizeMb }
  return new Worker(workerUrl('./replay-worker', import.meta.url), { workerData: start, execArgv: [], resourceLimits })
}
