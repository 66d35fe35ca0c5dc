import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { LogListRow } from '../../../node/src/shared/server-api.ts'
import type { LogFigures } from '../../../node/src/shared/spending.ts'
import { focusLater, nextRow } from '../parts/browser.ts'
import { SearchField, Select } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'

/** A log, and its figures once it was read. */
export interface ShownLog extends LogListRow {
  readonly figures?: LogFigures | undefined
}

export const logOrders = ['date', 'cost', 'tokens'] as const
type LogOrder = (typeof logOrders)[number]

/** Any number of logs, to be searched, sorted and opened. Arrows move from one to the next. */
export function LogTable({ rows, onOpen }: { readonly rows: readonly ShownLog[]; readonly onOpen: (row: LogListRow) => void }) {
  const { sessions, number } = useLanguage()
  const { logScreen } = sessions
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<LogOrder>('date')
  const logs = useMemo(() => foundLogs(rows, search, order), [rows, search, order])
  const [active, setActive] = useState<string | null>(null)
  const reachable = logs.some(({ id }) => id === active) ? active : (logs[0]?.id ?? null)
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: logs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 50,
    overscan: 10,
  })

  const move = (event: KeyboardEvent) => {
    const at = logs.findIndex(({ id }) => id === reachable)
    const next = logs[nextRow(event.key, at, logs.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    setActive(next.id)
    virtual.scrollToIndex(logs.indexOf(next))
    focusLater(scroller, `[data-log="${CSS.escape(next.id)}"]`)
  }

  return (
    <>
      <div className="log-table-head">
        <SearchField label={logScreen.search} value={search} onSearch={setSearch} />
        <Select
          className="field log-table-order"
          aria-label={logScreen.order}
          value={order}
          options={logOrders.map((name) => [name, logScreen.orders[name]])}
          onChoose={setOrder}
        />
        <span className="muted small" role="status">
          {logScreen.found(number(logs.length))}
        </span>
      </div>
      {logs.length === 0 ? <p className="muted">{logScreen.noMatch(search.trim())}</p> : null}
      <div ref={scroller} className="log-table card" onKeyDown={move}>
        <div className="log-table-room" role="list" aria-label={logScreen.title} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = logs[index]
            if (row === undefined) return null
            return (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="log-table-line"
                style={{ transform: `translateY(${start}px)` }}
                role="listitem"
                aria-setsize={logs.length}
                aria-posinset={index + 1}
              >
                <button
                  type="button"
                  className="log-table-log"
                  data-log={row.id}
                  tabIndex={row.id === reachable ? 0 : -1}
                  onFocus={() => setActive(row.id)}
                  onClick={() => onOpen(row)}
                >
                  <LogFacts row={row} />
                </button>
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

function LogFacts({ row }: { readonly row: ShownLog }) {
  const { sessions, number, bytes, time, dollars } = useLanguage()
  const { logScreen } = sessions
  const { figures } = row
  const size = row.requests === undefined ? bytes(row.bytes) : logScreen.requests(number(row.requests))
  const where = figures?.project ?? `${row.folder}${row.folder === '' ? '' : '/'}${row.name}`
  const about = [agentName(row.agent, logScreen), figures?.model ?? null, where].filter((text) => text !== null)
  const cost =
    figures === undefined || figures.dollars === null ? null : `${figures.unpriced > 0 ? '≥ ' : ''}${dollars(figures.dollars)}`
  const tokens = figures === undefined || figures.tokens === 0 ? size : logScreen.tokens(number(figures.tokens))
  return (
    <>
      <span className="log-table-name">{visibleLine(figures?.title ?? row.name, 160)}</span>
      <span className="log-table-folder muted small">{visibleLine(about.join(' · '), 240)}</span>
      <span className="log-table-cost number">{cost}</span>
      <span className="log-table-facts muted small number">
        {tokens} · {time(figures?.last ?? row.changed)}
      </span>
    </>
  )
}

function agentName(agent: string, { handedOver, gateway }: { readonly handedOver: string; readonly gateway: string }): string {
  return agent === 'file' ? handedOver : agent === 'gateway' ? gateway : agent
}

/** The logs with a text in their title, project, model, name, folder or agent, in an order. */
export function foundLogs(rows: readonly ShownLog[], search: string, order: LogOrder): readonly ShownLog[] {
  const wanted = search.trim().toLowerCase()
  const weight = ({ figures, changed }: ShownLog) => {
    if (order === 'date') return figures?.last ?? changed
    return (order === 'cost' ? figures?.dollars : figures?.tokens) ?? -1
  }
  return rows
    .filter(({ name, folder, agent, figures }) =>
      `${folder}/${name} ${agent} ${figures?.title ?? ''} ${figures?.project ?? ''} ${figures?.model ?? ''}`
        .toLowerCase()
        .includes(wanted),
    )
    .toSorted((one, other) => weight(other) - weight(one) || other.changed - one.changed)
}
