import type { LogListRow, LogSessions } from '@plimsoll/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import { Link } from 'wouter'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'

/** A log with several sessions in it, or with something in it that could not be read. */
export interface LogSessionsDialogProps {
  readonly row: LogListRow
  readonly log: LogSessions
  readonly onClose: () => void
}

/** Lists what a log holds, to inspect one session of it. */
export function LogSessionsDialog({ row, log, onClose }: LogSessionsDialogProps) {
  const { strings, number } = useLanguage()
  const all = strings.sessions
  const words = all.logScreen
  return (
    <Dialog
      title={words.sessionsIn(visibleLine(row.name, 80))}
      onClose={onClose}
      actions={
        <button type="button" className="button" onClick={onClose}>
          {words.close}
        </button>
      }
    >
      <div className="log-sessions">
        {log.sessions.length === 0 ? (
          <p>{words.noSessions}</p>
        ) : (
          <p className="muted">{words.sessionsAbout(all.found(number(log.sessions.length)), visibleLine(log.format, 40))}</p>
        )}
        {log.troubles.length === 0 ? null : (
          <ul className="notice notice-warn log-sessions-troubles">
            {log.troubles.slice(0, 20).map((trouble) => (
              <li key={trouble}>{visibleLine(trouble, 400)}</li>
            ))}
          </ul>
        )}
        {log.sessions.length === 0 ? null : <Sessions sessions={log.sessions} />}
      </div>
    </Dialog>
  )
}

function Sessions({ sessions }: { readonly sessions: LogSessions['sessions'] }) {
  const { strings, number } = useLanguage()
  const words = strings.sessions
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: sessions.length,
    getScrollElement: () => scroller.current,
    // As its style sheet says. Nothing is measured: before the dialog is open nothing has a size.
    estimateSize: () => 40,
    initialRect: { width: 400, height: 400 },
    overscan: 10,
  })
  return (
    <div ref={scroller} className="log-sessions-list">
      <div role="list" className="log-table-room" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const session = sessions[index]
          if (session === undefined) return null
          return (
            <div
              key={key}
              role="listitem"
              aria-setsize={sessions.length}
              aria-posinset={index + 1}
              className="log-table-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Link href={inspectRoute(session.id)} className="log-sessions-link">
                <span className="log-sessions-title">
                  {number(index + 1)}. {session.title === null ? words.untitled : visibleLine(session.title, 160)}
                </span>
                <span className="muted small number">{words.messages(number(session.messages))}</span>
              </Link>
            </div>
          )
        })}
      </div>
    </div>
  )
}
