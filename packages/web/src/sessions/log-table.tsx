import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { LogListRow, SearchAnswer } from '../../../node/src/shared/server-api.ts'
import type { LogFigures } from '../../../node/src/shared/spending.ts'
import { focusLater, nextRow } from '../parts/browser.ts'
import { Marked, SearchField, Select } from '../parts/controls.tsx'
import { useLanguage } from '../parts/language.tsx'
import { visibleLine } from '../parts/safe-text.ts'

/** A log, and its figures once it was read. */
export interface ShownLog extends LogListRow {
  readonly figures?: LogFigures | undefined
}

/** The first message of a log that has what was searched for. */
export type LogHit = SearchAnswer['found'][number]['messages'][number]

export interface LogSearch {
  readonly text: string
  /** By the ids of logs. */
  readonly hits: ReadonlyMap<string, LogHit>
  /** Whether more may come. */
  readonly isSearching: boolean
}

interface LogTableProps {
  readonly rows: readonly ShownLog[]
  readonly search: LogSearch
  readonly onSearch: (text: string) => void
  /** With the message that was found in it, if any. */
  readonly onOpen: (row: LogListRow, hit: LogHit | undefined) => void
}

export const logOrders = ['date', 'cost', 'tokens'] as const
type LogOrder = (typeof logOrders)[number]

/** Any number of logs, to be searched, sorted and opened. Arrows move from one to the next. */
export function LogTable({ rows, search, onSearch, onOpen }: LogTableProps) {
  const { sessions, number } = useLanguage()
  const { logScreen } = sessions
  const [order, setOrder] = useState<LogOrder>('date')
  const [agent, setAgent] = useState('')
  const agents = useMemo(() => [...new Set(rows.map((row) => row.agent))].toSorted(), [rows])
  const logs = useMemo(() => {
    const found = foundLogs(rows, search.text, order, search.hits)
    return agents.includes(agent) ? found.filter((row) => row.agent === agent) : found
  }, [rows, search, order, agent, agents])
  // Each of them may be in another place.
  const words = useMemo(() => search.text.split(/\s+/), [search.text])
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
        <SearchField label={logScreen.search} value={search.text} onSearch={onSearch} />
        {agents.length < 2 ? null : (
          <Select
            className="field log-table-order"
            aria-label={logScreen.agent}
            value={agents.includes(agent) ? agent : ''}
            options={[['', logScreen.allAgents], ...agents.map((name) => [name, agentName(name, logScreen)] as const)]}
            onChoose={setAgent}
          />
        )}
        <Select
          className="field log-table-order"
          aria-label={logScreen.order}
          value={order}
          options={logOrders.map((name) => [name, logScreen.orders[name]])}
          onChoose={setOrder}
        />
        <span className="muted small" role="status">
          {search.isSearching ? logScreen.searching(number(logs.length)) : logScreen.found(number(logs.length))}
        </span>
      </div>
      {logs.length === 0 && !search.isSearching ? <p className="muted">{logScreen.noMatch(search.text.trim())}</p> : null}
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
                  onClick={() => onOpen(row, search.hits.get(row.id))}
                >
                  <LogFacts row={row} hit={search.hits.get(row.id)} words={words} />
                </button>
              </div>
            )
          })}
        </div>
      </div>
    </>
  )
}

interface LogFactsProps {
  readonly row: ShownLog
  readonly hit: LogHit | undefined
  readonly words: readonly string[]
}

function LogFacts({ row, hit, words }: LogFactsProps) {
  const { sessions, number, short, bytes, shortTime, money, duration } = useLanguage()
  const { logScreen } = sessions
  const { figures } = row
  const size = row.requests === undefined ? bytes(row.bytes) : logScreen.requests(number(row.requests))
  const where = figures?.project ?? `${row.folder}${row.folder === '' ? '' : '/'}${row.name}`
  const about = [agentName(row.agent, logScreen), figures?.model ?? null, where].filter((text) => text !== null)
  const cost =
    figures === undefined || figures.dollars === null ? null : `${figures.unpriced > 0 ? '≥ ' : ''}${money(figures.dollars)}`
  const tokens = figures === undefined || figures.tokens === 0 ? size : logScreen.tokens(short(figures.tokens))
  const length = figures === undefined || figures.first === null || figures.last === null ? 0 : figures.last - figures.first
  const last = figures?.last ?? row.changed
  const isLive = isWritten(row)
  return (
    <>
      <span className="log-table-name" dir="auto">
        {/* With a direction of its own it does not decide that of the title. */}
        {isLive ? (
          <span className="log-table-live small" dir="ltr">
            {logScreen.live}
          </span>
        ) : null}
        {visibleLine(figures?.title ?? row.name, 160)}
      </span>
      <span className="log-table-folder muted small">{visibleLine(about.join(' · '), 240)}</span>
      {hit === undefined ? null : (
        <span className="log-table-hit small" dir="auto">
          <Marked text={visibleLine(hit.excerpt, 300)} finds={words} />
        </span>
      )}
      <span className="log-table-cost number">{cost}</span>
      <span className="log-table-facts muted small number">
        {[tokens, ...(length < 1000 ? [] : [duration(length)]), shortTime(isLive ? row.changed : last)].join(' · ')}
      </span>
    </>
  )
}

/** A log that was written to this recently belongs to an agent that is running, in milliseconds. */
const liveMs = 60_000

function isWritten({ changed }: ShownLog): boolean {
  return Date.now() - changed < liveMs
}

function agentName(agent: string, { handedOver, gateway }: { readonly handedOver: string; readonly gateway: string }): string {
  return agent === 'file' ? handedOver : agent === 'gateway' ? gateway : agent
}

/** The logs with a text in their title, project, model, name, folder, agent or messages, in an order. */
export function foundLogs(
  rows: readonly ShownLog[],
  search: string,
  order: LogOrder,
  hits: ReadonlyMap<string, unknown> = new Map(),
): readonly ShownLog[] {
  const wanted = search.trim().toLowerCase()
  const weight = (row: ShownLog) => {
    const { figures, changed } = row
    // Figures are older than what a running agent has just written.
    if (order === 'date') return isWritten(row) ? changed : (figures?.last ?? changed)
    return (order === 'cost' ? figures?.dollars : figures?.tokens) ?? -1
  }
  return rows
    .filter(
      ({ id, name, folder, agent, figures }) =>
        hits.has(id) ||
        `${folder}/${name} ${agent} ${figures?.title ?? ''} ${figures?.project ?? ''} ${figures?.model ?? ''}`
          .toLowerCase()
          .includes(wanted),
    )
    .toSorted((one, other) => weight(other) - weight(one) || other.changed - one.changed)
}
