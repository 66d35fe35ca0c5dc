import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { SessionListRow } from '../../../node/src/shared/server-api.ts'
import { focusLater, nextRow } from '../parts/keys.ts'
import { useLanguage } from '../parts/language.tsx'
import { namedSession } from '../parts/routes.ts'
import { dayLines, dayWords } from './days.ts'
import { SessionRow } from './session-row.tsx'

interface SessionListProps {
  readonly rows: readonly SessionListRow[]
  readonly onError: (error: unknown) => void
}

/** Sessions by day, newest first, however many. Arrows, Home and End move from one to the next; Tab leads to what can be done with it. */
export function SessionList({ rows, onError }: SessionListProps) {
  const language = useLanguage()
  const [location] = useLocation()
  const scroller = useRef<HTMLDivElement>(null)
  const { lines, now } = useMemo(() => {
    const moment = Date.now()
    return { lines: dayLines(rows, moment), now: moment }
  }, [rows])
  const [active, setActive] = useState<string | null>(null)
  const current = openSession(location)
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
                <p className="session-list-day muted small">{dayWords(line.day, language, now)}</p>
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

function openSession(location: string): string | null {
  const found = /^\/(?:chat|inspect)\/([^/]+)/.exec(location)?.[1]
  return found === undefined ? null : namedSession(found)
}
