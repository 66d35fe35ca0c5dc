import { Worker } from 'node:worker_threads'
import { workerUrl } from '../files/worker-url.ts'
import { SessionError } from '../session/session-error.ts'
import { InspectError, type InspectSettings } from './inspect-facts.ts'
import type { WorkerAnswer, WorkerProblem, WorkerQuestion } from './inspection-worker.ts'
import type { AskOptions, InspectAnswer, Inspector } from './inspector.ts'

/**
 * Runs an inspector in another thread, which starts with the first question, or shortly after `warmUp`, and ends after `idleMs`
 * without one. If the thread dies, open questions are rejected, and the next one starts another thread.
 */
export function inspectInWorker(settings: InspectSettings, { idleMs = 120_000 } = {}): Inspector {
  let thread: Thread | null = null
  let idle: NodeJS.Timeout | null = null
  let warming: NodeJS.Timeout | null = null
  let asked = 0

  function started(): Thread {
    if (thread !== null) return thread
    const made = startThread(settings, {
      ended: () => {
        if (thread === made) thread = null
      },
      resting,
    })
    thread = made
    return made
  }

  function resting(): void {
    if (idle !== null) clearTimeout(idle)
    idle = setTimeout(() => void end(), idleMs)
    idle.unref()
  }

  async function end(): Promise<void> {
    const ended = thread
    thread = null
    await ended?.worker.terminate()
  }

  return {
    async ask(target, question, { pack = false, signal, progress } = {}) {
      if (signal?.aborted === true) throw reasonOf(signal)
      if (idle !== null) clearTimeout(idle)
      asked += 1
      const number = asked
      const { promise, resolve, reject } = Promise.withResolvers<InspectAnswer>()
      const asking = started()
      const { worker, waiting } = asking
      const stop = () => {
        reject(reasonOf(signal))
        // Work that has started cannot be stopped; if no one else waits, the thread ends with it.
        if (waiting.delete(number) && waiting.size === 0 && thread === asking) void end()
      }
      waiting.set(number, { resolve, reject, progress })
      signal?.addEventListener('abort', stop)
      // An open question keeps the process alive.
      worker.ref()
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      worker.postMessage({ number, target, question, pack } satisfies WorkerQuestion)
      return promise.finally(() => signal?.removeEventListener('abort', stop))
    },
    warmUp() {
      if (thread !== null || warming !== null) return
      warming = setTimeout(() => {
        warming = null
        if (thread !== null) return
        started()
        resting()
      }, warmUpMs)
      warming.unref()
    },
    async close() {
      if (warming !== null) clearTimeout(warming)
      if (idle !== null) clearTimeout(idle)
      await end()
    },
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error('the question was aborted')
}

interface Thread {
  readonly worker: Worker
  readonly waiting: Map<number, Pick<PromiseWithResolvers<InspectAnswer>, 'resolve' | 'reject'> & Pick<AskOptions, 'progress'>>
}

function startThread(settings: InspectSettings, on: { readonly ended: () => void; readonly resting: () => void }): Thread {
  const worker = new Worker(workerUrl('./inspection-worker', import.meta.url), {
    workerData: settings,
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb },
  })
  const waiting: Thread['waiting'] = new Map()
  const failed = (reason: unknown) => {
    on.ended()
    const error = reason instanceof Error ? reason : new Error(`the thread ended with code ${String(reason)}`)
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.on('error', failed).on('exit', failed)
  worker.on('message', (reply: WorkerAnswer) => {
    const asker = waiting.get(reply.number)
    if (reply.kind === 'progress') return asker?.progress?.(reply.share)
    waiting.delete(reply.number)
    if (waiting.size === 0) {
      worker.unref()
      on.resting()
    }
    if (reply.kind === 'problem') asker?.reject(errorOf(reply.problem))
    else asker?.resolve(reply.answer)
  })
  worker.unref()
  return { worker, waiting }
}

/** A delay, because the caller that warms up is busy right now. */
const warmUpMs = 200

/** Most of the data read becomes garbage at once; with enough room, little of it is copied. */
const maxYoungGenerationSizeMb = 96

function errorOf(problem: WorkerProblem): Error {
  switch (problem.kind) {
    case 'inspect':
      return new InspectError(problem.code, problem.problem)
    case 'session':
      return new SessionError(problem.problem)
    case 'defect':
      return new Error(problem.message)
  }
}
