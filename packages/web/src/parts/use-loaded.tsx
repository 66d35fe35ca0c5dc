import { useCallback, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import type { Hello } from '../../../node/src/shared/server-api.ts'
import { type Api, ApiError } from '../server/api.ts'
import { Button, Sentence } from './controls.tsx'
import { useLanguage } from './language.tsx'
import { requiredContext } from './required-context.ts'
import { chatRoute } from './routes.ts'

/** A request for something: pending, loaded or failed. */
export type Loaded<Value> =
  | { readonly state: 'loading' }
  | { readonly state: 'there'; readonly value: Value }
  | { readonly state: 'failed'; readonly error: unknown }

/** Asks for something, and again whenever what it depends on changes or `again` is called. The old value stays until the new one is there. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  dependencies: readonly unknown[],
): readonly [loaded: Loaded<Value>, again: () => void] {
  const [loaded, setLoaded] = useState<Loaded<Value>>({ state: 'loading' })
  const [times, setTimes] = useState(0)
  // What failed, or is old, is asked for again when the server is back.
  const reached = useReached()
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
  }, [...dependencies, times, reached])
  return [loaded, useCallback(() => setTimes((before) => before + 1), [])]
}

/** Runs work that may fail, and returns whether it is running and the last error, or null. */
export function useWork() {
  const [isWorking, setWorking] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = useCallback(async (work: () => Promise<unknown>) => {
    setWorking(true)
    setError(null)
    try {
      await work()
    } catch (trouble) {
      setError(trouble)
    } finally {
      setWorking(false)
    }
  }, [])
  return { isWorking, error, setError, run }
}

/** Shows an error and what to do about it, in place. */
export function ErrorNotice({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const { shell } = useLanguage()
  const app = useContext(AppContext)
  const isApi = error instanceof ApiError
  // The page says so once, for everything on it.
  if (isApi && error.code === 'UNREACHABLE' && app?.api.reach.isLost() === true) return null
  const message =
    isApi && error.code === 'UNREACHABLE' ? shell.unreachable : error instanceof Error ? error.message : shell.unexpected
  const suggestion = isApi ? (error.code === 'UNREACHABLE' ? shell.isItRunning : error.suggestion) : null
  return (
    <div className="notice notice-danger" role="alert">
      <p>
        <Sentence text={message === '' ? shell.unexpected : message} />
      </p>
      {suggestion === null ? null : (
        <p className="muted">
          <Sentence text={suggestion} />
        </p>
      )}
      {onRetry === undefined ? null : <Button onClick={onRetry} text={shell.tryAgain} />}
    </div>
  )
}

/** How often the server was there again; 0 outside of the app. */
function useReached(): number {
  const reach = useContext(AppContext)?.api.reach
  return useSyncExternalStore(reach?.watch ?? watchNothing, () => reach?.times() ?? 0)
}

const watchNothing = () => () => undefined

interface AppContextValue {
  readonly api: Api
  readonly hello: Hello
  /** Reports that the list of sessions may have changed. */
  readonly refreshSessions: () => void
  /** Grows whenever it may have. */
  readonly sessionsVersion: number
}

/** Goes to the chat of a session that was just made. */
export function useOpenChat(): (session: string) => void {
  const { refreshSessions } = useApp()
  const [, go] = useLocation()
  return (session) => {
    refreshSessions()
    go(chatRoute(session))
  }
}

/** The app that a component is in. */
export const [AppContext, useApp] = requiredContext<AppContextValue>('the app')
