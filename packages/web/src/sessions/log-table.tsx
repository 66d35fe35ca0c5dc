import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { LogListRow } from '../../../node/src/shared/server-api.ts'
import { focusLater, nextRow } from '../parts/browser.ts'
import { SearchField } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'

/** Any number of logs by agent, to be searched and opened. Arrows move from one to the next. */
export function LogTable({ rows, onOpen }: { readonly rows: readonly LogListRow[]; readonly onOpen: (row: LogListRow) => void }) {
  const { sessions, number } = useLanguage()
  const { logScreen } = sessions
  const [search, setSearch] = useState('')
  const lines = useMemo(() => logLines(rows, search), [rows, search])
  const logs = useMemo(() => lines.flatMap((line) => (line.kind === 'log' ? [line.row] : [])), [lines])
  const [active, setActive] = useState<string | null>(null)
  const reachable = logs.some(({ id }) => id === active) ? active : (logs[0]?.id ?? null)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'agent' ? 38 : 50),
    overscan: 10,
  })

  const move = (event: KeyboardEvent) => {
    const at = logs.findIndex(({ id }) => id === reachable)
    const next = logs[nextRow(event.key, at, logs.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    setActive(next.id)
    virtual.scrollToIndex(lines.findIndex((line) => line.kind === 'log' && line.row.id === next.id))
    focusLater(scroller, `[data-log="${CSS.escape(next.id)}"]`)
  }

  return (
    <>
      <div className="log-table-head">
        <SearchField label={logScreen.search} value={search} onSearch={setSearch} />
        <span className="muted small" role="status">
          {logScreen.found(number(logs.length))}
        </span>
      </div>
      {logs.length === 0 ? <p className="muted">{logScreen.noMatch(search.trim())}</p> : null}
      <div ref={scroller} className="log-table card" onKeyDown={move}>
        <div className="log-table-room" role="list" aria-label={logScreen.title} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const line = lines[index]
            if (line === undefined) return null
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="log-table-line"
                style={{ transform: `translateY(${start}px)` }}
                {...(line.kind === 'agent' ? { role: 'presentation' } : { role: 'listitem', 'aria-setsize': logs.length })}
              >
                {line.kind === 'agent' ? (
                  <Agent {...line} />
                ) : (
                  <button
                    type="button"
                    className="log-table-log"
                    data-log={line.row.id}
                    tabIndex={line.row.id === reachable ? 0 : -1}
                    onFocus={() => setActive(line.row.id)}
                    onClick={() => onOpen(line.row)}
                  >
                    <LogFacts row={line.row} />
                  </button>
                )}
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

function Agent({ agent, count, bytes: size }: AgentLine) {
  const { sessions, number, bytes } = useLanguage()
  const { logScreen } = sessions
  return (
    <p className="log-table-agent">
      <strong>{agent === 'file' ? logScreen.handedOver : agent === 'gateway' ? logScreen.gateway : agent}</strong>
      <span className="muted small">
        {logScreen.found(number(count))}
        {size === 0 ? null : ` · ${bytes(size)}`}
      </span>
    </p>
  )
}

function LogFacts({ row }: { readonly row: LogListRow }) {
  const { sessions, number, bytes, time } = useLanguage()
  const size = row.requests === undefined ? bytes(row.bytes) : sessions.logScreen.requests(number(row.requests))
  return (
    <>
      <span className="log-table-name">{visibleLine(row.name, 160)}</span>
      <span className="log-table-folder muted small mono">{visibleLine(row.folder, 200)}</span>
      <span className="log-table-facts muted small number">
        {size} · {time(row.changed)}
      </span>
    </>
  )
}

type AgentLine = { readonly kind: 'agent'; readonly agent: string; readonly count: number; readonly bytes: number }
type LogLine = AgentLine | { readonly kind: 'log'; readonly row: LogListRow }

/** The logs with a text in their name, folder or agent, by agent: the one that worked last first, its latest log first. */
export function logLines(rows: readonly LogListRow[], search: string): readonly LogLine[] {
  const wanted = search.trim().toLowerCase()
  const shown = rows.filter(({ name, folder, agent }) => `${folder}/${name} ${agent}`.toLowerCase().includes(wanted))
  const groups = Map.groupBy(
    shown.toSorted((one, other) => other.changed - one.changed),
    ({ agent }) => agent,
  )
  return [...groups].flatMap(([agent, logs]): readonly LogLine[] => [
    { kind: 'agent', agent, count: logs.length, bytes: logs.reduce((sum, { bytes }) => sum + bytes, 0) },
    ...logs.map((row): LogLine => ({ kind: 'log', row })),
  ])
}
