import { useVirtualizer } from '@tanstack/react-virtual'
import { Plus, ScrollText } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { SessionListRow } from '../../../node/src/shared/server-api.ts'
import { focusLater, nextRow, usePageKey } from '../parts/browser.ts'
import { Button, SearchField } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { logsRoute, namedSession } from '../parts/routes.ts'
import { ErrorNotice, useApp, useLoaded, useOpenChat, useWork } from '../parts/use-loaded.tsx'
import { dayLines, dayName } from './days.ts'
import { SessionRow } from './session-row.tsx'
import './session-sidebar.css'

/** The sessions, to find one and go to it. */
export function SessionSidebar() {
  const { sessions, number } = useLanguage()
  const { api } = useApp()
  const openChat = useOpenChat()
  const [location] = useLocation()
  const [search, setSearch] = useState('')
  const { error, setError, run } = useWork()
  const [list, again] = useSessionList(search)
  const field = useRef<HTMLInputElement>(null)
  // `/` goes to the field, wherever nothing is being typed.
  usePageKey((event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const { target } = event
    if (target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))) return
    if (document.querySelector('dialog[open]') !== null) return
    // On a narrow screen the list may be hidden.
    if (field.current?.checkVisibility({ visibilityProperty: true }) !== true) return
    event.preventDefault()
    field.current.focus()
  })

  return (
    <div className="session-sidebar">
      <div className="session-sidebar-head">
        <Button
          look="primary"
          icon={Plus}
          onClick={() => void run(async () => openChat((await api.newSession()).id))}
          text={sessions.newChat}
        />
        <SearchField
          ref={field}
          label={sessions.search}
          aria-keyshortcuts="/"
          title={sessions.searchKey}
          value={search}
          onSearch={setSearch}
        />
        {error === null ? null : <ErrorNotice error={error} />}
      </div>
      {list.state === 'loading' ? <p className="session-sidebar-note muted">{sessions.loading}</p> : null}
      {list.state === 'failed' ? <ErrorNotice error={list.error} onRetry={again} /> : null}
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
        <p>
          <strong>{sessions.empty}</strong>
        </p>
      ) : null}
      <p className="muted">{search === '' ? sessions.emptyAbout : sessions.noMatch(search)}</p>
    </div>
  )
}

/** The sessions that match a search, or all. Asked for again when they may have changed. */
function useSessionList(typed: string) {
  const { api, sessionsVersion } = useApp()
  const search = useSteady(typed.trim(), 200)
  const [list, again] = useLoaded(
    async (signal) => ({ search, rows: await api.sessions(search, signal) }),
    [api, search, sessionsVersion],
  )
  const isBusy = list.state === 'there' && list.value.rows.some((row) => row.isBusy)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') again()
    }
    document.addEventListener('visibilitychange', look)
    const timer = isBusy ? setInterval(look, 5000) : undefined
    return () => {
      document.removeEventListener('visibilitychange', look)
      clearInterval(timer)
    }
  }, [isBusy, again])
  return [list, again] as const
}

/** A value once it has stayed the same for a moment; an empty one at once. */
function useSteady(value: string, milliseconds: number): string {
  const [steady, setSteady] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSteady(value), value === '' ? 0 : milliseconds)
    return () => clearTimeout(timer)
  }, [value, milliseconds])
  return steady
}

type SessionListProps = { readonly rows: readonly SessionListRow[]; readonly onError: (error: unknown) => void }

/** Any number of sessions by day, newest first. Arrows, Home and End move from one to the next; Tab leads to its menu. */
function SessionList({ rows, onError }: SessionListProps) {
  const language = useLanguage()
  const [location] = useLocation()
  const scroller = useRef<HTMLDivElement>(null)
  const now = useMemo(() => Date.now(), [rows])
  const lines = useMemo(() => dayLines(rows, now), [rows, now])
  const [active, setActive] = useState<string | null>(null)
  const named = /^\/(?:chat|inspect)\/([^/]+)/.exec(location)?.[1]
  const current = named === undefined ? null : namedSession(named)
  const isThere = (id: string | null) => rows.some((row) => row.id === id)
  const reachable = isThere(active) ? active : isThere(current) ? current : (rows[0]?.id ?? null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'day' ? 30 : 52),
    getItemKey: (index) => {
      const line = lines[index]
      return line === undefined ? index : line.kind === 'day' ? `day ${line.day.ago}` : line.row.id
    },
    overscan: 8,
  })

  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target instanceof HTMLAnchorElement)) return
    const at = rows.findIndex((row) => row.id === reachable)
    const next = rows[nextRow(event.key, at, rows.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    setActive(next.id)
    virtual.scrollToIndex(lines.findIndex((line) => line.kind === 'row' && line.row.id === next.id))
    focusLater(scroller, `a[data-session="${CSS.escape(next.id)}"]`)
  }

  return (
    <div ref={scroller} className="session-list" onKeyDown={move}>
      <div
        role="list"
        aria-label={language.sessions.list}
        className="session-list-room"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index]
          if (line === undefined) return null
          return (
            <div
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className="session-list-line"
              style={{ transform: `translateY(${start}px)` }}
              {...(line.kind === 'day'
                ? { role: 'presentation' }
                : { role: 'listitem', 'aria-setsize': rows.length, 'aria-posinset': line.number + 1 })}
            >
              {line.kind === 'day' ? (
                <p className="session-list-day muted small">{dayName(line.day, language, now)}</p>
              ) : (
                <SessionRow
                  row={line.row}
                  isCurrent={line.row.id === current}
                  isReachable={line.row.id === reachable}
                  onReach={() => setActive(line.row.id)}
                  onError={onError}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}
