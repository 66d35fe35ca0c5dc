import { parentPort, workerData } from 'node:worker_threads'
import { createO200kTokenizer } from '../model/tokens.ts'
import { policySets } from './policy-sets.ts'
import { priceRows } from './price-rows.ts'
import { type ReplayJob, runJob, type SessionOutcome } from './replay-job.ts'

// A thread of its own that replays the jobs it is sent, one after the other. What cannot be sent is named and looked up here.

/** What a worker is started with. */
export interface WorkerStart {
  readonly sets: readonly string[]
  readonly rows: readonly string[]
  readonly common: readonly string[]
}

/** What a worker says: what became of the next session of its job, or that the job is done. */
export type WorkerAnswer = { readonly outcome: SessionOutcome } | { readonly outcome: null }

const start = workerData as WorkerStart
const context = {
  sets: start.sets.flatMap((name) => policySets.find((set) => set.name === name) ?? []),
  rows: start.rows.flatMap((name) => priceRows.find((row) => row.name === name) ?? []),
  common: new Set(start.common),
  tokens: await createO200kTokenizer(),
}

parentPort?.on('message', (job: ReplayJob) => void work(job))

async function work(job: ReplayJob): Promise<void> {
  for await (const outcome of runJob(job, context)) say({ outcome })
  say({ outcome: null })
}

function say(answer: WorkerAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(answer)
}
