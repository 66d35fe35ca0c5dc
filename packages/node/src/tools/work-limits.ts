import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'

export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/** Runs work with a signal that also fires after a time limit. Rejects then, even if the work ignores it. */
export async function within<Value>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted()
  const own = new AbortController()
  const stop = () => own.abort(signal.reason)
  const late = () => own.abort(new TimeLimitError(`not done within ${milliseconds / 1000} seconds`))
  const timer = setTimeout(late, Math.min(milliseconds, maxTimer))
  signal.addEventListener('abort', stop, { once: true })
  const stopped = new Promise<never>((_resolve, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true })
  })
  try {
    return await Promise.race([work(own.signal), stopped])
  } catch (error) {
    // The reason for stopping says more than what the work rejected with because of it.
    own.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** The most milliseconds of a timer: a longer one would fire at once. */
export const maxTimer = 2 ** 31 - 1

/** Results in the order of the items, with at most `atOnce` running. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { atOnce = 16 } = {},
): Promise<Result[]> {
  const results: Result[] = Array.from({ length: items.length })
  const waiting = items.entries()
  async function takeTurns(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns))
  return results
}

/** Returns null if the worker ends without an answer. Rejects with the worker's error. */
export async function askWorker(worker: Worker, question: unknown): Promise<unknown> {
  const over = new AbortController()
  const { signal } = over
  try {
    const answered = once(worker, 'message', { signal })
    const ended = once(worker, 'exit', { signal }).then(() => [null])
    worker.postMessage(question, [])
    return (await Promise.race([answered, ended]))[0]
  } finally {
    over.abort()
  }
}
