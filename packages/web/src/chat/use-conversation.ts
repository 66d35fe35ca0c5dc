import { useCallback, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import type { SessionEvent } from '../../../node/src/shared/server-api.ts'
import { type Api, ApiError } from '../server/api.ts'
import { followEvents } from '../server/follow-events.ts'
import { reduceConversation } from './conversation-state.ts'
import { loadPage, missingPages } from './stored-messages.ts'

/** Events that arrive together are shown together: a page is not painted more often than this. */
const frameMs = 40

const retryMs = 1000

/** Follows a session: its state, and everything that happens from then on. Calls `onMoved` when it continues in another one. */
export function useConversation(api: Api, session: string, onMoved: (session: string) => void) {
  const [state, dispatch] = useReducer(reduceConversation, null)
  const [error, setError] = useState<unknown>(null)
  // Each time it grows, the session is asked for again.
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound((before) => before + 1), [])
  const moved = useEffectEvent(onMoved)
  const asked = useRef(new Set<number>())

  useEffect(() => {
    const controller = new AbortController()
    let stop: (() => void) | null = null
    let waiting: { readonly event: SessionEvent; readonly at: number }[] = []
    let timer: ReturnType<typeof setTimeout> | null = null
    const flush = () => {
      timer = null
      const events = waiting
      waiting = []
      dispatch({ type: 'events', events })
    }
    const take = (event: SessionEvent) => {
      if (event.type === 'changed' || event.type === 'reset') return again()
      if (event.type === 'moved') return moved(event.data.session)
      waiting.push({ event, at: Date.now() })
      timer ??= setTimeout(flush, frameMs)
    }
    const begin = async () => {
      const snapshot = await api.snapshot(session, controller.signal)
      asked.current = new Set()
      dispatch({ type: 'snapshot', snapshot })
      setError(null)
      stop = followEvents(api, session, snapshot.event, {
        event: take,
        refused: setError,
      })
    }
    begin().catch((trouble: unknown) => {
      if (controller.signal.aborted) return
      // A server that is down for a moment is asked again; the messages stay.
      const isPassing = trouble instanceof ApiError && (trouble.status === 0 || trouble.status >= 500)
      if (!isPassing) return setError(trouble)
      timer = setTimeout(again, retryMs)
    })
    return () => {
      controller.abort()
      stop?.()
      if (timer !== null) clearTimeout(timer)
    }
  }, [api, session, round, again])

  const stored = state?.stored ?? null
  const want = useCallback(
    (first: number, last: number) => {
      if (stored === null) return
      const pending = asked.current
      for (const page of missingPages(stored, first, last)) {
        if (pending.has(page)) continue
        pending.add(page)
        loadPage(api, session, stored, page).then(
          (messages) => {
            // Since a new snapshot was taken, its pages are loaded again.
            if (asked.current === pending) dispatch({ type: 'page', page, messages })
          },
          () => pending.delete(page),
        )
      }
    },
    [api, session, stored],
  )
  /** `error` says why there is nothing to show; `want` loads the messages from one number to another. */
  return { state, error, retry: again, want }
}
