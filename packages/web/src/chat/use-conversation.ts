import { useCallback, useEffect, useReducer, useRef, useState } from 'react'
import type { SessionEvent } from '../../../node/src/shared/server-api.ts'
import { type Api, ApiError } from '../server/api.ts'
import { followEvents } from '../server/follow-events.ts'
import { type ConversationState, reduceConversation } from './conversation-state.ts'
import { loadPage, missingPages } from './stored-messages.ts'

interface FollowedConversation {
  /** Null until the session has been asked for. */
  readonly state: ConversationState | null
  /** Why there is nothing to show; null while there is. */
  readonly error: unknown
  readonly isLost: boolean
  readonly retry: () => void
  /** Asks for the messages from one number to another, where they are not there yet. */
  readonly want: (first: number, last: number) => void
}

/** Events that arrive together are shown together: a page is not painted more often than this. */
const frameMs = 40

const retryMs = 1000

/** Follows a session: as it stands, and everything that happens from then on. `onMoved` is told when it goes on in another one. */
export function useConversation(api: Api, session: string, onMoved: (session: string) => void): FollowedConversation {
  const [state, dispatch] = useReducer(reduceConversation, null)
  const [error, setError] = useState<unknown>(null)
  const [isLost, setLost] = useState(false)
  // Each time it grows, the session is asked for again.
  const [round, setRound] = useState(0)
  const again = useCallback(() => setRound((before) => before + 1), [])
  const moved = useRef(onMoved)
  useEffect(() => {
    moved.current = onMoved
  })
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
      if (event.type === 'moved') return moved.current(event.data.session)
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
        connection: (connection) => setLost(connection === 'lost'),
        refused: (refusal) => {
          setLost(false)
          setError(refusal)
        },
      })
    }
    begin().catch((trouble: unknown) => {
      if (controller.signal.aborted) return
      // What is shown stays, and is asked for again as soon as somebody answers.
      if (round === 0 || !isPassing(trouble)) return setError(trouble)
      setLost(true)
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
            // A new snapshot has been taken meanwhile: its pages are asked for anew.
            if (asked.current === pending) dispatch({ type: 'page', page, messages })
          },
          () => pending.delete(page),
        )
      }
    },
    [api, session, stored],
  )
  return { state, error, isLost, retry: again, want }
}

function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
