import { parentPort, workerData } from 'node:worker_threads'
import { type SpendingOptions, spendingNow } from '../logs/measure/spending-now.ts'

export type SpendingTask = SpendingOptions

// Logs that have changed are read here, so that the server can answer meanwhile.

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.postMessage(await spendingNow(workerData as SpendingTask))
