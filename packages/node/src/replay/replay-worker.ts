import { parentPort, workerData } from 'node:worker_threads'
import { createO200kTokenizer } from '../model/tokens.ts'
import { priceRows } from './bill/price-rows.ts'
import { policySets } from './policy-sets.ts'
import { type JobContext, type ReplayJob, runJob, type SessionOutcome } from './replay-job.ts'

// Replays the jobs it is sent, one after the other. Objects that cannot be sent to a thread are looked up here by name.

export interface WorkerStart {
  readonly sets: readonly string[]
  readonly rows: readonly string[]
  readonly common: readonly string[]
  /** Whether the tokens of each request are wanted too. Default: they are not. */
  readonly withPrompts?: boolean
}

/** The name of a set that has run, the outcome of the next session of the job, or null once the job is done. */
export type WorkerAnswer = { readonly ran: string } | { readonly outcome: SessionOutcome | null; readonly ran?: never }

const start = workerData as WorkerStart
const context: JobContext = {
  sets: start.sets.flatMap((name) => policySets.find((set) => set.name === name) ?? []),
  rows: start.rows.flatMap((name) => priceRows.find((row) => row.name === name) ?? []),
  common: new Set(start.common),
  tokens: await createO200kTokenizer(),
  withPrompts: start.withPrompts === true,
  ran: (set) => say({ ran: set }),
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
