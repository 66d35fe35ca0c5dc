import { parentPort, workerData } from 'node:worker_threads'
import { countBranches } from './coverage.ts'
import { type FuzzResult, fuzz } from './fuzz.ts'
import type { FuzzInput } from './target.ts'
import { targets } from './targets.ts'
import { createWatch } from './watch.ts'

/** A task for the thread. */
export interface WorkerTask {
  readonly target: string
  readonly seed: number
  readonly runs: number
  readonly seconds: number
  readonly isGuided: boolean
  readonly isOwnOnly: boolean
  readonly earlier: readonly FuzzInput[]
}

/** A message from the thread. */
export type WorkerNews =
  | { readonly kind: 'progress'; readonly line: string }
  | { readonly kind: 'result'; readonly result: FuzzResult }
  | { readonly kind: 'error'; readonly message: string }

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
const tell = (news: WorkerNews) => parentPort?.postMessage(news)
const watch = createWatch((workerData as { readonly memory: SharedArrayBuffer }).memory)
// Before any target is imported: only modules loaded after this are instrumented.
const coverage = countBranches()

parentPort?.on('message', (task: WorkerTask) => {
  void (async () => {
    const target = await targets.get(task.target)?.()
    if (target === undefined) throw new Error(`unknown target ${task.target}`)
    const result = await fuzz(target, coverage, {
      ...task,
      trying: watch.write,
      progress: ({ executions, seconds, reached, branches, kept, finds }) =>
        tell({
          kind: 'progress',
          line: `${task.target}: ${executions} executions in ${Math.round(seconds)} s, ${reached} of ${branches} branches, ${kept} kept, ${finds} finds`,
        }),
    })
    tell({ kind: 'result', result })
  })().catch((error: unknown) =>
    tell({ kind: 'error', message: error instanceof Error ? (error.stack ?? error.message) : 'unknown' }),
  )
})
