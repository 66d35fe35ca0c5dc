/** The work took longer than it may. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError'
}

/**
 * Runs work for at most so many seconds. The work is told by its signal when time is up or when `cancel` fires, and is not waited for
 * when it does not listen. Fails with a `TimeLimitError` when time was up, with the reason of `cancel` when that came first.
 */
export async function withinLimit<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  seconds: number,
  cancel: AbortSignal | null,
): Promise<Value> {
  cancel?.throwIfAborted()
  const stop = new AbortController()
  const signal = cancel === null ? stop.signal : AbortSignal.any([cancel, stop.signal])
  const timer = setTimeout(
    () => stop.abort(new TimeLimitError(`not done within ${seconds} s`)),
    Math.min(seconds * 1000, longestTimer),
  )
  try {
    return await Promise.race([work(signal), stopped(signal)])
  } finally {
    clearTimeout(timer)
  }
}

/** A longer one would fire at once. */
const longestTimer = 2 ** 31 - 1

function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason as Error)
    if (signal.aborted) fail()
    else signal.addEventListener('abort', fail, { once: true })
  })
}
