import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { LogListRow, LogSessions } from '../../../node/src/shared/server-api.ts'
import { useApp } from '../parts/app-context.tsx'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { Trouble, useLoaded, useWork } from '../parts/use-loaded.tsx'
import { LogDrop } from './log-drop.tsx'
import { LogTable } from './log-table.tsx'
import './logs-screen.css'

/** Those whose logs are looked for, as people know them. */
const agents = ['Claude Code', 'Codex', 'Gemini CLI', 'opencode', 'Cline', 'Copilot CLI', 'OpenHands', 'pi'] as const

/** The logs of other agents that were found on this machine, and any file that is handed over, to be inspected. */
export function LogsScreen() {
  const { api } = useApp()
  const { sessions } = useLanguage()
  const [, go] = useLocation()
  const [logs, again] = useLoaded((signal) => api.logs(signal), [api])
  const [opening, setOpening] = useState<LogListRow | null>(null)
  const [several, setSeveral] = useState<{ readonly row: LogListRow; readonly log: LogSessions } | null>(null)
  const { error, run } = useWork()
  const open = (row: LogListRow) => {
    setOpening(row)
    void run(async () => {
      const log = await api.log(row.id).finally(() => setOpening(null))
      const [only] = log.sessions
      if (only !== undefined && log.sessions.length === 1) go(inspectRoute(only.id))
      else setSeveral({ row, log })
    })
  }

  return (
    <div className="logs-screen">
      <header>
        <h1>{sessions.logScreen.title}</h1>
        <p className="muted">{sessions.logScreen.about}</p>
      </header>
      <LogDrop
        onTaken={(row) => {
          again()
          open(row)
        }}
      />
      <p role="status" className="logs-screen-status">
        {opening === null ? '' : sessions.logScreen.opening(visibleLine(opening.name, 80))}
      </p>
      {error === null ? null : <Trouble error={error} />}
      {logs.state === 'loading' ? <p className="muted">{sessions.logScreen.looking}</p> : null}
      {logs.state === 'failed' ? <Trouble error={logs.error} onRetry={again} /> : null}
      {logs.state === 'there' ? logs.value.length === 0 ? <NoLogs /> : <LogTable rows={logs.value} onOpen={open} /> : null}
      {several === null ? null : <LogSessionsDialog row={several.row} log={several.log} onClose={() => setSeveral(null)} />}
    </div>
  )
}

function NoLogs() {
  const { sessions, region } = useLanguage()
  const named = new Intl.ListFormat(region, { type: 'conjunction' }).format(agents)
  return (
    <div className="logs-screen-none">
      <h2>{sessions.logScreen.empty}</h2>
      <p>{sessions.logScreen.emptyAbout(named)}</p>
      <p>{sessions.logScreen.byHand('plimsoll inspect PATH')}</p>
    </div>
  )
}

interface LogSessionsDialogProps {
  readonly row: LogListRow
  readonly log: LogSessions
  readonly onClose: () => void
}

function LogSessionsDialog({ row, log, onClose }: LogSessionsDialogProps) {
  const { sessions, number } = useLanguage()
  const { logScreen } = sessions
  return (
    <Dialog
      title={logScreen.sessionsIn(visibleLine(row.name, 80))}
      onClose={onClose}
      actions={<Button onClick={onClose} text={logScreen.close} />}
    >
      <div className="log-sessions">
        {log.sessions.length === 0 ? (
          <p>{logScreen.noSessions}</p>
        ) : (
          <p className="muted">
            {logScreen.sessionsAbout(sessions.found(number(log.sessions.length)), visibleLine(log.format, 40))}
          </p>
        )}
        {log.troubles.length === 0 ? null : (
          <ul className="notice notice-warn log-sessions-troubles">
            {log.troubles.slice(0, 20).map((trouble) => (
              <li key={trouble}>{visibleLine(trouble, 400)}</li>
            ))}
          </ul>
        )}
        {log.sessions.length === 0 ? null : <Sessions all={log.sessions} />}
      </div>
    </Dialog>
  )
}

function Sessions({ all }: { readonly all: LogSessions['sessions'] }) {
  const { sessions, number } = useLanguage()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: all.length,
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
          const session = all[index]
          if (session === undefined) return null
          return (
            <div
              key={key}
              role="listitem"
              aria-setsize={all.length}
              aria-posinset={index + 1}
              className="log-table-line"
              style={{ transform: `translateY(${start}px)` }}
            >
              <Link href={inspectRoute(session.id)} className="log-sessions-link">
                <span className="log-sessions-title">
                  {number(index + 1)}. {session.title === null ? sessions.untitled : visibleLine(session.title, 160)}
                </span>
                <span className="muted small number">{sessions.messages(number(session.messages))}</span>
              </Link>
            </div>
          )
        })}
      </div>
    </div>
  )
}
