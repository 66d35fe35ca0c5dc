import { Plus, ScrollText } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { SessionListRow } from '../../../node/src/shared/server-api.ts'
import { useApp } from '../parts/app-context.tsx'
import { Button } from '../parts/button.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute, logsRoute } from '../parts/routes.ts'
import { type Loaded, Trouble, useLoaded, useWork } from '../parts/use-loaded.tsx'
import { SessionList } from './session-list.tsx'
import './session-sidebar.css'

/** The sessions, to find one and go to it. */
export function SessionSidebar() {
  const { sessions, number } = useLanguage()
  const { api, refreshSessions } = useApp()
  const [location, go] = useLocation()
  const [search, setSearch] = useState('')
  const { error, setError, run } = useWork()
  const [list, again] = useSessionList(search)
  const field = useRef<HTMLInputElement>(null)
  useSearchKey(field)

  const start = async () => {
    const { id } = await api.newSession()
    refreshSessions()
    go(chatRoute(id))
  }

  return (
    <div className="session-sidebar">
      <div className="session-sidebar-head">
        <Button look="primary" icon={Plus} onClick={() => void run(start)} text={sessions.newChat} />
        <input
          ref={field}
          type="search"
          className="field"
          aria-label={sessions.search}
          aria-keyshortcuts="/"
          title={sessions.searchKey}
          placeholder={sessions.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {error === null ? null : <Trouble error={error} />}
      </div>
      {list.state === 'loading' ? <p className="session-sidebar-note muted">{sessions.loading}</p> : null}
      {list.state === 'failed' ? <Trouble error={list.error} onRetry={again} /> : null}
      {list.state === 'there' ? (
        <>
          <p className="visually-hidden" role="status">
            {list.value.search === '' ? '' : sessions.found(number(list.value.rows.length))}
          </p>
          {list.value.rows.length > 0 ? (
            <SessionList rows={list.value.rows} onError={setError} />
          ) : (
            <Nothing search={list.value.search} />
          )}
        </>
      ) : null}
      <Link
        href={logsRoute}
        className="session-sidebar-logs"
        {...(location === logsRoute ? { 'aria-current': 'page' as const } : {})}
      >
        <ScrollText size={15} aria-hidden />
        {sessions.logs}
      </Link>
    </div>
  )
}

function Nothing({ search }: { readonly search: string }) {
  const { sessions } = useLanguage()
  return (
    <div className="session-sidebar-note">
      {search === '' ? (
        <>
          <p>
            <strong>{sessions.empty}</strong>
          </p>
          <p className="muted">{sessions.emptyAbout}</p>
        </>
      ) : (
        <p className="muted">{sessions.noMatch(search)}</p>
      )}
    </div>
  )
}

/** Lets `/` go to a field of search, wherever nothing is being typed. */
function useSearchKey(field: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      const { target } = event
      if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))) return
      // On a narrow screen the list may be put away.
      if (
        document.querySelector('dialog[open]') !== null ||
        field.current?.checkVisibility({ visibilityProperty: true }) !== true
      )
        return
      event.preventDefault()
      field.current.focus()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [field])
}

/** How often a list with work going on in it is asked for again, in milliseconds. */
const freshFor = 5000

/** The sessions that have what is searched for, all where nothing is. Asked for again when they may have changed. */
function useSessionList(typed: string): readonly [list: Loaded<SessionsFound>, again: () => void] {
  const { api, sessionsVersion } = useApp()
  const search = useSteady(typed.trim(), 200)
  const [list, again] = useLoaded(
    async (signal): Promise<SessionsFound> => ({ search, rows: await api.sessions(search, signal) }),
    [api, search, sessionsVersion],
  )
  const isBusy = list.state === 'there' && list.value.rows.some((row) => row.isBusy)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') again()
    }
    document.addEventListener('visibilitychange', look)
    const timer = isBusy ? setInterval(look, freshFor) : undefined
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
    }
  }, [isBusy, again])
  return [list, again]
}

interface SessionsFound {
  readonly search: string
  readonly rows: readonly SessionListRow[]
}

/** A value that is taken over once it has stayed the same for a moment; an empty one at once. */
function useSteady(value: string, milliseconds: number): string {
  const [steady, setSteady] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSteady(value), value === '' ? 0 : milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return steady
}
