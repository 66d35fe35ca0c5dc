import { useVirtualizer } from '@tanstack/react-virtual'
import { FileUp } from 'lucide-react'
import { type DragEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { LogListRow, LogSessions, SearchAnswer } from '../../../node/src/shared/server-api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { useLanguage } from '../parts/language.tsx'
import { inspectRoute } from '../parts/routes.ts'
import { visibleLine } from '../parts/safe-text.ts'
import { ErrorNotice, useApp, useLoaded, useWork } from '../parts/use-loaded.tsx'
import { type LogHit, type LogSearch, LogTable } from './log-table.tsx'
import './logs-screen.css'

const agents = ['Claude Code', 'Codex', 'Gemini CLI', 'opencode', 'Cline', 'Copilot CLI', 'OpenHands', 'pi'] as const

/** The logs of other agents that were found on this machine, and any uploaded file, to be inspected. */
export function LogsScreen() {
  const { api } = useApp()
  const { sessions } = useLanguage()
  const { logScreen } = sessions
  const [, go] = useLocation()
  const [logs, again] = useLoaded((signal) => api.logs(signal), [api])
  const [figures, againFigures] = useLoaded((signal) => api.logFigures(signal), [api])
  useRepeated(again, listMs)
  useRepeated(againFigures, figuresMs)
  const [text, setText] = useState('')
  const search = useLogSearch(text)
  const rows = useMemo(() => {
    if (logs.state !== 'there') return []
    const known = figures.state === 'there' ? figures.value : {}
    return logs.value.map((row) => ({ ...row, figures: known[row.id] }))
  }, [logs, figures])
  const [opening, setOpening] = useState<LogListRow | null>(null)
  const [several, setSeveral] = useState<{ readonly row: LogListRow; readonly log: LogSessions } | null>(null)
  const { error, run } = useWork()
  const open = (row: LogListRow, hit?: LogHit) => {
    if (hit !== undefined) return go(inspectRoute(hit.session, 'messages', hit.number))
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
        <h1>{logScreen.title}</h1>
        <p className="muted">{logScreen.about}</p>
      </header>
      <LogDrop
        onTaken={(row) => {
          again()
          open(row)
        }}
      />
      <p role="status" className="logs-screen-status">
        {opening === null ? '' : logScreen.opening(visibleLine(opening.name, 80))}
      </p>
      {error === null ? null : <ErrorNotice error={error} />}
      {logs.state === 'loading' ? <p className="muted">{logScreen.looking}</p> : null}
      {logs.state === 'failed' ? <ErrorNotice error={logs.error} onRetry={again} /> : null}
      {logs.state === 'there' ? (
        logs.value.length === 0 ? (
          <NoLogs />
        ) : (
          <LogTable rows={rows} search={search} onSearch={setText} onOpen={open} />
        )
      ) : null}
      {several === null ? null : <LogSessionsDialog row={several.row} log={several.log} onClose={() => setSeveral(null)} />}
    </div>
  )
}

/** Milliseconds after which the list is looked at again, as agents may be running; figures take longer. */
const listMs = 4000
const figuresMs = 30_000

function useRepeated(run: () => void, milliseconds: number): void {
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && run(), milliseconds)
    return () => clearInterval(timer)
  }, [run, milliseconds])
}

/** Shorter texts are in all logs. */
const minSearched = 3

/** Searches the messages of all logs once nothing was typed for a moment. The index is brought up to date before the first search. */
function useLogSearch(text: string): LogSearch {
  const { api } = useApp()
  const [hits, setHits] = useState<ReadonlyMap<string, LogHit>>(new Map())
  const [isSearching, setSearching] = useState(false)
  const words = text.trim()
  const wanted = words.length < minSearched ? '' : words
  useEffect(() => {
    const controller = new AbortController()
    const show = ({ found }: SearchAnswer) =>
      setHits(new Map(found.flatMap(({ log, messages: [first] }) => (first === undefined ? [] : [[log, first] as const]))))
    setSearching(wanted !== '')
    const timer = setTimeout(
      () => {
        api.search(wanted, controller.signal, show).then(
          (answer) => {
            if (controller.signal.aborted) return
            show(answer)
            setSearching(false)
          },
          () => controller.signal.aborted || setSearching(false),
        )
      },
      wanted === '' ? 1000 : 200,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
      setHits(new Map())
    }
  }, [api, wanted])
  return useMemo(() => ({ text, hits, isSearching }), [text, hits, isSearching])
}

function NoLogs() {
  const { sessions, shell, region } = useLanguage()
  const { logScreen } = sessions
  const named = new Intl.ListFormat(region, { type: 'conjunction' }).format(agents)
  return (
    <div className="logs-screen-none">
      <h2>{logScreen.empty}</h2>
      <p>{logScreen.emptyAbout(named)}</p>
      <p>{logScreen.byHand('plimsoll inspect PATH')}</p>
      <p>
        <Link className="button" href={inspectRoute('example', 'overview', null, 'economy')}>
          {shell.example}
        </Link>
      </p>
    </div>
  )
}

type LogSessionsDialogProps = { readonly row: LogListRow; readonly log: LogSessions; readonly onClose: () => void }

function LogSessionsDialog({ row, log, onClose }: LogSessionsDialogProps) {
  const { sessions, number } = useLanguage()
  const { logScreen } = sessions
  return (
    <Dialog title={logScreen.sessionsIn(visibleLine(row.name, 80))} onClose={onClose} close={logScreen.close}>
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

function LogDrop({ onTaken }: { readonly onTaken: (row: LogListRow) => void }) {
  const { sessions, bytes } = useLanguage()
  const { logScreen } = sessions
  const { api } = useApp()
  const [isOver, setOver] = useState(false)
  const [sending, setSending] = useState<File | null>(null)
  const { error, setError, run } = useWork()

  const take = (files: readonly File[]) => {
    const [file] = files
    const trouble = logFileProblem(files)
    if (file === undefined) return
    const name = visibleLine(file.name, 80)
    if (trouble === 'several') return setError(new Error(logScreen.oneOnly))
    if (trouble === 'empty') return setError(new Error(logScreen.emptyFile(name)))
    if (trouble === 'too-large') return setError(new Error(logScreen.tooLarge(name, bytes(file.size), bytes(maxLogBytes))))
    setSending(file)
    void run(async () => onTaken(await api.upload(file).finally(() => setSending(null))))
  }
  const drag = (event: DragEvent) => {
    event.preventDefault()
    setOver(true)
  }

  return (
    <div
      className={isOver ? 'log-drop log-drop-over' : 'log-drop'}
      onDragEnter={drag}
      onDragOver={drag}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take([...event.dataTransfer.files])
      }}
    >
      <p className="log-drop-line">
        <label className="button log-drop-choose">
          <FileUp size={16} aria-hidden />
          {logScreen.choose}
          <input
            type="file"
            className="visually-hidden"
            disabled={sending !== null}
            onChange={({ target }) => {
              const files = [...(target.files ?? [])]
              // So that the same file can be chosen again.
              target.value = ''
              take(files)
            }}
          />
        </label>
        <span className="muted log-drop-or">{logScreen.drop}</span>
      </p>
      <p className="muted small">{logScreen.limit(bytes(maxLogBytes))}</p>
      {sending === null ? null : (
        <p role="status">
          <label>
            {logScreen.sending(visibleLine(sending.name, 80), bytes(sending.size))} <progress />
          </label>
        </p>
      )}
      {error === null ? null : <ErrorNotice error={error} />}
    </div>
  )
}

/** The server takes no larger files. */
export const maxLogBytes = 256_000_000

/** Checks files that were chosen or dropped, before any of their bytes are sent. */
export function logFileProblem(files: readonly { readonly size: number }[]): 'too-large' | 'empty' | 'several' | null {
  const [file] = files
  if (file === undefined || files.length > 1) return 'several'
  if (file.size > maxLogBytes) return 'too-large'
  return file.size === 0 ? 'empty' : null
}
