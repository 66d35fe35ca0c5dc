import { Plus, ScrollText } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { chatRoute, logsRoute } from '../parts/routes.ts'
import { Trouble } from '../parts/trouble.tsx'
import { SessionList } from './session-list.tsx'
import { useSearchKey } from './use-search-key.ts'
import { useSessionList } from './use-session-list.ts'
import './session-sidebar.css'

/** The sessions, to find one and go to it. */
export function SessionSidebar() {
  const { strings, number } = useLanguage()
  const { api, refreshSessions } = useApp()
  const words = strings.sessions
  const [location, go] = useLocation()
  const [search, setSearch] = useState('')
  const [error, setError] = useState<unknown>(null)
  const [list, again] = useSessionList(search)
  const field = useRef<HTMLInputElement>(null)
  useSearchKey(field)

  const start = async () => {
    setError(null)
    try {
      const { id } = await api.newSession()
      refreshSessions()
      go(chatRoute(id))
    } catch (trouble) {
      setError(trouble)
    }
  }

  return (
    <div className="session-sidebar">
      <div className="session-sidebar-head">
        <button type="button" className="button button-primary" onClick={() => void start()}>
          <Plus size={16} aria-hidden />
          {words.newChat}
        </button>
        <input
          ref={field}
          type="search"
          className="field"
          aria-label={words.search}
          aria-keyshortcuts="/"
          title={words.searchKey}
          placeholder={words.search}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        {error === null ? null : <Trouble error={error} />}
      </div>
      {list.state === 'loading' ? <p className="session-sidebar-note muted">{words.loading}</p> : null}
      {list.state === 'failed' ? <Trouble error={list.error} onRetry={again} /> : null}
      {list.state === 'there' ? (
        <>
          <p className="visually-hidden" role="status">
            {list.value.search === '' ? '' : words.found(number(list.value.rows.length))}
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
        {words.logs}
      </Link>
    </div>
  )
}

function Nothing({ search }: { readonly search: string }) {
  const { strings } = useLanguage()
  const words = strings.sessions
  return (
    <div className="session-sidebar-note">
      {search === '' ? (
        <>
          <p>
            <strong>{words.empty}</strong>
          </p>
          <p className="muted">{words.emptyAbout}</p>
        </>
      ) : (
        <p className="muted">{words.noMatch(search)}</p>
      )}
    </div>
  )
}
