import { parentPort, workerData } from 'node:worker_threads'
import type { OwnPrices } from '../model/price-of-model.ts'
import { createO200kTokenizer } from '../model/tokens.ts'
import { priceRowNamed } from './bill/price-rows.ts'
import { sessionPrice } from './own-case.ts'
import { policySets } from './policy-sets.ts'
import { type JobContext, type ReplayJob, runJob, type SessionOutcome } from './replay-job.ts'
import type { SessionRun } from './session-run.ts'

// Replays the jobs it is sent, one after the other. Objects that cannot be sent to a thread are looked up here by name.

export interface WorkerStart {
  /** The policy sets and price rows; null for those of each session's own case. */
  readonly asked: { readonly sets: readonly string[]; readonly rows: readonly string[]; readonly withVerdict?: boolean } | null
  readonly common: readonly string[]
  /** The user's own prices. Default: none. */
  readonly prices?: OwnPrices | undefined
  /** Whether the tokens of each request are wanted too. Default: they are not. */
  readonly withPrompts?: boolean
  /** Whether each run is wanted as soon as it is there. Default: only outcomes are. */
  readonly wantsRuns?: boolean
}

/** The share of the running session that is done, a run of it, the outcome of the next session, or null once the job is done. */
export type WorkerAnswer =
  | { readonly kind: 'progress'; readonly share: number }
  | { readonly kind: 'ran'; readonly set: string; readonly run: SessionRun }
  | { readonly kind: 'outcome'; readonly outcome: SessionOutcome | null }

const { asked, common, prices, withPrompts = false, wantsRuns = false } = workerData as WorkerStart
const context: JobContext = {
  asked:
    asked === null
      ? null
      : {
          sets: asked.sets.flatMap((name) => policySets.find((set) => set.name === name) ?? []),
          rows: asked.rows.flatMap((name) => (name === sessionPrice ? [] : (priceRowNamed(name) ?? []))),
          withOwn: asked.rows.includes(sessionPrice),
          withVerdict: asked.withVerdict,
        },
  common: new Set(common),
  prices,
  tokens: await createO200kTokenizer(),
  withPrompts,
  progress,
  ...(wantsRuns ? { ran: (set, run) => say({ kind: 'ran', set, run }) } : {}),
}

parentPort?.on('message', (job: ReplayJob) => void work(job))

async function work(job: ReplayJob): Promise<void> {
  for await (const outcome of runJob(job, context)) say({ kind: 'outcome', outcome })
  say({ kind: 'outcome', outcome: null })
}

function say(answer: WorkerAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(answer)
}

/** Messages more often than a screen is drawn would only take time. */
const often = 100
let lastSaid = 0

function progress(share: number): void {
  const now = performance.now()
  if (now - lastSaid < often) return
  lastSaid = now
  say({ kind: 'progress', share })
}
