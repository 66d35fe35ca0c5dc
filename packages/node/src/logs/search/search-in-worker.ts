import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../files/worker-url.ts'
import type { FoundIn } from './search-logs.ts'
import type { SearchLine, SearchTask } from './search-worker.ts'

/** Searches all logs of the user in another thread. Ends early when a signal is aborted. */
export async function searchInWorker(task: SearchTask, found: (log: FoundIn) => void, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const worker = new Worker(workerUrl('./search-worker', import.meta.url), { workerData: task, execArgv: [] })
  const done = Promise.withResolvers<void>()
  const end = () => done.resolve()
  worker.on('message', (line: SearchLine) => (line === null ? end() : found(line)))
  worker.on('error', done.reject).on('exit', end)
  signal.addEventListener('abort', end)
  try {
    await done.promise
  } finally {
    signal.removeEventListener('abort', end)
    await worker.terminate()
  }
}
