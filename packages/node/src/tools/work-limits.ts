/** What a time limit that passed rejects with. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/**
 * Does something within a time, with a signal that fires when the time is over or the caller's does. Rejects then, whether or not
 * whoever works listens to the signal: with `TimeLimitError`, or with the reason of the caller's signal.
 */
export async function within<Value>(
  milliseconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  signal.throwIfAborted()
  const own = new AbortController()
  const stop = () => own.abort(signal.reason)
  const late = () => own.abort(new TimeLimitError(`not done within ${milliseconds / 1000} seconds`))
  const timer = setTimeout(late, Math.min(milliseconds, longestTimer))
  signal.addEventListener('abort', stop, { once: true })
  const stopped = new Promise<never>((_resolve, reject) => {
    own.signal.addEventListener('abort', () => reject(own.signal.reason as Error), { once: true })
  })
  try {
    return await Promise.race([work(own.signal), stopped])
  } catch (error) {
    // What the work rejected with because it was stopped says less than why it was.
    own.signal.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** The most milliseconds of a timer: a longer one would fire at once. */
export const longestTimer = 2 ** 31 - 1

/** The results for all items in their order, with only so many under way at one time. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
  { atOnce = 16 } = {},
): Promise<Result[]> {
  const results: Result[] = Array.from({ length: items.length })
  let next = 0
  async function takeTurns(): Promise<void> {
    while (next < items.length) {
      const index = next
      next += 1
      results[index] = await work(items[index] as Item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeTurns))
  return results
}
