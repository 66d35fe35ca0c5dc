import type { LogListRow, LogSessions } from '@plimsoll/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useApp } from '../parts/app-context.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { Trouble } from '../parts/trouble.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { LogDrop } from './log-drop.tsx'
import { LogSessionsDialog } from './log-sessions-dialog.tsx'
import { LogTable } from './log-table.tsx'
import './logs-screen.css'

/** Those whose logs are looked for, as people know them. */
const agents = ['Claude Code', 'Codex', 'Gemini CLI', 'opencode', 'Cline', 'Copilot CLI', 'OpenHands', 'pi'] as const

/** The logs of other agents that were found on this machine, and any file that is handed over, to be inspected. */
export function LogsScreen() {
  const { strings } = useLanguage()
  const { api } = useApp()
  const words = strings.sessions.logScreen
  const [, go] = useLocation()
  const [logs, again] = useLoaded((signal) => api.logs(signal), [api])
  const [opening, setOpening] = useState<LogListRow | null>(null)
  const [several, setSeveral] = useState<{ readonly row: LogListRow; readonly log: LogSessions } | null>(null)
  const [error, setError] = useState<unknown>(null)

  const open = async (row: LogListRow) => {
    setOpening(row)
    setError(null)
    try {
      const log = await api.log(row.id)
      const [only] = log.sessions
      if (only !== undefined && log.sessions.length === 1) go(inspectRoute(only.id))
      else setSeveral({ row, log })
    } catch (trouble) {
      setError(trouble)
    } finally {
      setOpening(null)
    }
  }

  return (
    <div className="logs-screen">
      <header>
        <h1>{words.title}</h1>
        <p className="muted">{words.about}</p>
      </header>
      <LogDrop
        onTaken={(row) => {
          again()
          void open(row)
        }}
      />
      <p role="status" className="logs-screen-status">
        {opening === null ? '' : words.opening(visibleLine(opening.name, 80))}
      </p>
      {error === null ? null : <Trouble error={error} />}
      {logs.state === 'loading' ? <p className="muted">{words.looking}</p> : null}
      {logs.state === 'failed' ? <Trouble error={logs.error} onRetry={again} /> : null}
      {logs.state === 'there' ? (
        logs.value.length === 0 ? (
          <NoLogs />
        ) : (
          <LogTable rows={logs.value} onOpen={(row) => void open(row)} />
        )
      ) : null}
      {several === null ? null : <LogSessionsDialog row={several.row} log={several.log} onClose={() => setSeveral(null)} />}
    </div>
  )
}

function NoLogs() {
  const { strings, region } = useLanguage()
  const words = strings.sessions.logScreen
  const named = new Intl.ListFormat(region, { type: 'conjunction' }).format(agents)
  return (
    <div className="logs-screen-none">
      <h2>{words.empty}</h2>
      <p>{words.emptyAbout(named)}</p>
      <p>{words.byHand('plimsoll inspect PATH')}</p>
    </div>
  )
}
