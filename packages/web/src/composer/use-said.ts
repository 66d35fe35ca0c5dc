import { useCallback, useEffect, useRef, useState } from 'react'
import { useApp } from '../parts/app-context.tsx'
import { type SaidMessage, saidMessages } from './said-messages.ts'

/** How far the list is: being asked for, with more before it, whole, or refused. */
export type SaidState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'more' }
  | { readonly kind: 'all' }
  | { readonly kind: 'failed'; readonly error: unknown }

/** How many messages are asked for at a time, which is as many as the server gives. */
const pageSize = 500

/** What the user said in a session, newest first: the latest at once, and more of it on demand. */
export function useSaid(session: string) {
  const { api } = useApp()
  const [said, setSaid] = useState<readonly SaidMessage[]>([])
  const [state, setState] = useState<SaidState>({ kind: 'loading' })
  // Messages before this number were not asked for yet; null before anything was.
  const start = useRef<number | null>(null)

  const load = useCallback(
    async (signal?: AbortSignal) => {
      setState({ kind: 'loading' })
      try {
        const before = start.current
        if (before === null) {
          const snapshot = await api.snapshot(session, signal)
          start.current = snapshot.start
          setSaid(saidMessages(snapshot.messages))
        } else {
          const from = Math.max(0, before - pageSize)
          const earlier = saidMessages(await api.messages(session, from, before, signal))
          start.current = from
          setSaid((later) => [...later, ...earlier])
        }
        if (signal?.aborted !== true) setState({ kind: start.current > 0 ? 'more' : 'all' })
      } catch (error) {
        if (signal?.aborted !== true) setState({ kind: 'failed', error })
      }
    },
    [api, session],
  )
  useEffect(() => {
    const controller = new AbortController()
    void load(controller.signal)
    return () => controller.abort()
  }, [load])
  return { said, state, loadEarlier: useCallback(() => void load(), [load]) }
}
