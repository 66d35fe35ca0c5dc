import { parentPort, workerData } from 'node:worker_threads'
import type { Outcome } from '../../files/problem.ts'
import { type LogMeasure, measureLog } from './measure-log.ts'

// Measures the logs it is sent, one after the other.

/** How many bytes were read so far, or the measure of the log. */
export type WorkerAnswer = { readonly read: number } | { readonly measured: Outcome<LogMeasure>; readonly read?: never }

export interface WorkerTask {
  readonly path: string
  readonly bytes: number
}

const platform = workerData as string

parentPort?.on('message', (task: WorkerTask) => void work(task))

async function work(task: WorkerTask): Promise<void> {
  say({ measured: await measureLog(task, platform, (read) => say({ read })) })
}

function say(answer: WorkerAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(answer)
}
