import { Worker } from 'node:worker_threads'
import type { FuzzResult } from './fuzz.ts'
import type { WorkerNews, WorkerTask } from './fuzz-worker.ts'
import { createWatch } from './watch.ts'

/** Runs targets one after another in a thread that may hang or run out of memory without affecting this one. */
export interface FuzzThread {
  readonly run: (task: WorkerTask, progress: (line: string) => void) => Promise<FuzzResult>
  readonly close: () => Promise<void>
}

/** Starts the thread on first use, and again after one was lost. */
export function createFuzzThread(maxSilentSeconds = 60): FuzzThread {
  let thread: { readonly worker: Worker; readonly watch: ReturnType<typeof createWatch> } | null = null

  const start = () => {
    const watch = createWatch()
    const worker = new Worker(new URL('./fuzz-worker.ts', import.meta.url), {
      workerData: { memory: watch.memory },
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    })
    return { worker, watch }
  }

  const close = async () => {
    const open = thread
    thread = null
    await open?.worker.terminate()
  }

  return {
    close,
    async run(task, progress) {
      thread ??= start()
      const { worker, watch } = thread
      const { promise, resolve, reject } = Promise.withResolvers<FuzzResult>()
      const lost = (key: string, message: string) => {
        void close()
        const find = { key, message, input: watch.read() }
        resolve({ ...nothing, target: task.target, executions: watch.turn(), finds: [find] })
      }
      const onNews = (news: WorkerNews) => {
        if (news.kind === 'progress') progress(news.line)
        else if (news.kind === 'result') resolve(news.result)
        else reject(new Error(news.message))
      }
      const onError = (error: Error) => lost('stays within its memory', error.message)
      let turn = -1
      const timer = setInterval(() => {
        if (turn === watch.turn() && turn > 0) lost('ends at all', `nothing came back for ${maxSilentSeconds} seconds`)
        turn = watch.turn()
      }, maxSilentSeconds * 1000)
      worker.on('message', onNews).on('error', onError)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      worker.postMessage(task)
      try {
        return await promise
      } finally {
        clearInterval(timer)
        worker.off('message', onNews).off('error', onError)
      }
    },
  }
}

const nothing = { seconds: 0, branches: 0, bySeeds: 0, reached: 0, kept: 0, steps: 0, corpus: [] }
