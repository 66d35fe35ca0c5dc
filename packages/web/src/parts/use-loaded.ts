import { useCallback, useEffect, useState } from 'react'

/** Something that is asked for: not there yet, there, or refused. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'there'; readonly value: Value }
  | { readonly state: 'failed'; readonly error: unknown }

/** Asks for something, and again whenever what it depends on changes or `again` is called. What was there stays until the new one is. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  dependencies: readonly unknown[],
): readonly [loaded: Loaded<Value>, again: () => void] {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' })
  const [times, setTimes] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) setLoaded({ state: 'there', value })
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setLoaded({ state: 'failed', error })
      },
    )
    return () => controller.abort()
  }, [...dependencies, times])
  return [loaded, useCallback(() => setTimes((before) => before + 1), [])]
}
