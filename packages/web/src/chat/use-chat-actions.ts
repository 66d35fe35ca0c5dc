import { useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { useApp } from '../parts/app-context.tsx'
import { chatRoute } from '../parts/routes.ts'

/** What can be done in a chat, what of it failed, and what goes into the field. */
export interface ChatActions {
  readonly submit: (text: string) => Promise<unknown>
  readonly cancel: () => Promise<readonly string[]>
  readonly rewind: (message: string) => void
  readonly fork: (message: string) => void
  readonly resume: () => void
  readonly fillIn: (text: string) => void
  readonly fill: { readonly text: string } | null
  /** Null where nothing failed. */
  readonly error: unknown
}

/** What can be done in the chat of a session. */
export function useChatActions(session: string): ChatActions {
  const { api, refreshSessions } = useApp()
  const [, go] = useLocation()
  const [fill, setFill] = useState<{ readonly text: string } | null>(null)
  const [error, setError] = useState<unknown>(null)
  return useMemo(() => {
    const attempt = (work: () => Promise<void>) => {
      setError(null)
      work().catch(setError)
    }
    return {
      fill,
      error,
      fillIn: (text) => setFill({ text }),
      async submit(text) {
        setError(null)
        const answer = await api.command(session, 'turn', { text })
        // The first thing that is said becomes the title.
        refreshSessions()
        return answer
      },
      cancel: async () => (await api.command(session, 'cancel', {})).queue,
      rewind: (message) =>
        attempt(async () => {
          const { text } = await api.command(session, 'rewind', { before: message })
          setFill({ text })
        }),
      fork: (message) =>
        attempt(async () => {
          const { session: next } = await api.command(session, 'fork', { before: message })
          refreshSessions()
          go(chatRoute(next))
        }),
      resume: () =>
        attempt(async () => {
          await api.command(session, 'resume', {})
        }),
    }
  }, [api, session, refreshSessions, go, fill, error])
}
