import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { useWidth } from '../../parts/browser.ts'
import { Button } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import type { Strings } from '../../strings/strings-for.ts'
import { useInspector } from '../source/inspector-source.ts'
import {
  columnOfRequest,
  rangeWithin,
  type TimelineColumn,
  type TimelineRange,
  type TimelineView,
  timelineColumns,
  zoomedRange,
} from './timeline-columns.ts'
import { TimelineDrawing } from './timeline-drawing.tsx'
import { chartTop, type TimelineContents, timelinePlaces } from './timeline-layout.ts'

type TimelineChartProps = TimelineView & { readonly spent: readonly number[] }

/** The requests as columns: tokens by category with what happened above them, costs below, and the cache below that. */
export function TimelineChart({ spent, range, selected, onSelect, onRange }: TimelineChartProps) {
  const { inspection, hits } = useInspector()
  const { requests, recorded } = inspection
  const { timeline, number, dollars } = useLanguage()
  const [element, width] = useWidth()
  const [dragged, setDragged] = useState<TimelineColumn | null>(null)
  const [scale, setScale] = useState<'window' | 'fill' | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const contents = useMemo(() => ({ ...contentsOf(requests), hits: hits !== null }), [requests, hits])
  const places = useMemo(() => timelinePlaces(width, contents), [width, contents])
  const { from, to } = range
  const columns = useMemo(() => timelineColumns(requests, { from, to }, places.width), [requests, from, to, places])
  const whole = chartTop(columns, requests, 'window')
  const fitted = chartTop(columns, requests, 'fill')
  // A window that is mostly empty would leave nothing to see.
  const used = scale ?? (fitted < whole / 4 ? 'fill' : 'window')
  const top = used === 'window' ? whole : fitted

  const cursor = columns[columnOfRequest(columns, selected)]
  const over = hovered === null ? undefined : columns[hovered]
  const merged = columns.reduce((max, column) => Math.max(max, column.to - column.from), 0)
  const chosen = requests[selected]
  const limit = chosen === undefined ? 0 : chosen.fill.window - chosen.fill.reserve
  const unknown = chosen?.usage == null ? timeline.detail.notReported : timeline.detail.noPrice
  const money = chosen?.cost == null ? unknown : dollars(chosen.cost.dollars)

  const columnAt = (clientX: number): number | null => {
    const edge = element.current?.getBoundingClientRect().left ?? 0
    const x = clientX - edge - places.left
    const index = columns.findIndex((column) => x < column.x + column.width)
    return index === -1 || x < 0 ? null : index
  }
  const nearest = (clientX: number): TimelineColumn | undefined =>
    columns[columnAt(clientX) ?? (dragged === null ? -1 : columns.length - 1)]
  useZoomingWheel(element, (event) => {
    const at = columns[columnAt(event.clientX) ?? -1]?.shown ?? selected
    onRange(zoomedRange(range, event.deltaY < 0 ? 0.8 : 1.25, at, requests.length))
  })
  const drop = (event: PointerEvent<HTMLDivElement>) => {
    const column = nearest(event.clientX)
    const start = dragged
    setDragged(null)
    if (start === null || column === undefined) return
    const [first, last] = [start, column].toSorted((one, other) => one.from - other.from) as [TimelineColumn, TimelineColumn]
    if (first === last) onSelect(column.shown)
    else onRange(rangeWithin(first.from, last.to, requests.length))
  }
  const marked = dragged === null || over === undefined ? over : spanOf(dragged, over)
  return (
    <>
      <div className="timeline-choice" role="group" aria-label={timeline.height}>
        <Button isSmall aria-pressed={used === 'window'} onClick={() => setScale('window')} text={timeline.wholeWindow} />
        <Button isSmall aria-pressed={used === 'fill'} onClick={() => setScale('fill')} text={timeline.fitted} />
        {limit > top ? <span className="muted small">{timeline.aboveChart(number(limit))}</span> : null}
      </div>
      <div
        ref={element}
        className="timeline-chart"
        role="slider"
        tabIndex={0}
        aria-label={timeline.cursor}
        aria-valuemin={1}
        aria-valuemax={requests.length}
        aria-valuenow={selected + 1}
        aria-valuetext={timeline.hover(number(selected + 1), number(chosen?.fill.tokens ?? 0), money)}
        aria-describedby="timeline-keys"
        onKeyDown={(event) => {
          const next = requestFor(event, selected, range, requests.length)
          if (next !== null) onSelect(next)
          else if (event.key === '+' || event.key === '=') onRange(zoomedRange(range, 0.5, selected, requests.length))
          else if (event.key === '-') onRange(zoomedRange(range, 2, selected, requests.length))
          else if (event.key === '0') onRange({ from: 0, to: requests.length })
          else return
          event.preventDefault()
        }}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDragged(nearest(event.clientX) ?? null)
        }}
        onPointerMove={(event) => setHovered(columnAt(event.clientX))}
        onPointerUp={drop}
        onPointerLeave={() => setHovered(null)}
        onPointerCancel={() => setDragged(null)}
        onDoubleClick={() => onRange({ from: 0, to: requests.length })}
      >
        {width === 0 ? null : (
          <svg width={width} height={places.height} aria-hidden="true">
            <TimelineDrawing
              requests={requests}
              recorded={recorded}
              hits={hits}
              spent={spent}
              columns={columns}
              top={top}
              places={places}
            />
            {marked === undefined ? null : (
              <rect
                className="timeline-hover"
                x={places.left + marked.x}
                width={Math.max(1, marked.width)}
                height={places.height}
              />
            )}
            {cursor === undefined ? null : (
              <g transform={`translate(${places.left + cursor.x + cursor.width / 2} 0)`}>
                <path className="timeline-cursor" d={`M0 6V${places.cache.top + places.cache.height}`} />
                <path className="timeline-cursor-head" d="M-5 0H5L0 7z" />
              </g>
            )}
          </svg>
        )}
        {over === undefined ? null : (
          <TimelineTip column={over} spent={spent} x={places.left + over.x + over.width} width={width} />
        )}
      </div>
      {merged > 1 ? <p className="muted small">{timeline.merged(number(merged))}</p> : null}
      <p id="timeline-keys" className="muted small timeline-keys">
        {timeline.keys}
      </p>
    </>
  )
}

/** From the left edge of one column to the right edge of another. */
function spanOf(one: TimelineColumn, other: TimelineColumn): { readonly x: number; readonly width: number } {
  const x = Math.min(one.x, other.x)
  return { x, width: Math.max(one.x + one.width, other.x + other.width) - x }
}

/** Zooms while Ctrl or Command is held, as maps do: the wheel alone scrolls the page. */
function useZoomingWheel(element: RefObject<HTMLElement | null>, zoom: (event: WheelEvent) => void): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    zoom(event)
  })
  useEffect(() => {
    const current = element.current
    const listen = (event: WheelEvent) => onWheel(event)
    current?.addEventListener('wheel', listen, { passive: false })
    return () => current?.removeEventListener('wheel', listen)
  }, [element])
}

interface TimelineTipProps {
  readonly column: TimelineColumn
  readonly spent: readonly number[]
  /** The right edge of the column, in a chart of this width. */
  readonly x: number
  readonly width: number
}

/** What is under the pointer, next to it. Screen readers have the cursor and the table. */
function TimelineTip({ column, spent, x, width }: TimelineTipProps) {
  const { requests } = useInspector().inspection
  const { timeline, number, dollars, time, percent } = useLanguage()
  const request = requests[column.shown]
  if (request === undefined) return null
  const { detail, columns } = timeline
  const { read } = column
  const prompt = read === null ? 0 : read.read + read.write + read.fresh
  const facts = [
    [columns.time, request.at === null ? '' : time(request.at)],
    [columns.tokens, number(request.fill.tokens)],
    [columns.money, column.dollars === null ? '' : dollars(column.dollars)],
    [timeline.soFar, column.dollars === null ? '' : dollars(spent[column.to - 1] ?? 0)],
    [columns.read, read === null || prompt === 0 ? '' : percent(read.read / prompt)],
    [columns.happened, happenedIn(request, column, timeline, number)],
  ].filter(([, text]) => text !== '')
  const last = column.to - 1
  const name = column.from === last ? number(column.from + 1) : `${number(column.from + 1)}–${number(last + 1)}`
  return (
    <div
      className="timeline-tip small"
      aria-hidden="true"
      style={x > width / 2 ? { right: width - x + column.width + 6 } : { left: x + 6 }}
    >
      <strong>{detail.title(name, number(requests.length))}</strong>
      <dl>
        {facts.map(([fact, text]) => (
          <div key={fact}>
            <dt>{fact}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function happenedIn(
  request: InspectedRequest,
  column: TimelineColumn,
  { columns, marks }: Strings['timeline'],
  number: (value: number) => string,
): string {
  const events = [
    column.edits > 0 ? `${marks.edits}: ${number(column.edits)}` : '',
    column.compactions > 0 ? columns.compacted : '',
    column.breaks > 0 ? (request.broken === null ? marks.breaks : columns.broken(number(request.broken.tokens))) : '',
  ]
  return events.filter((text) => text !== '').join(' · ')
}

/** Of the whole session, so that nothing moves while another range is chosen. */
function contentsOf(requests: readonly InspectedRequest[]): Omit<TimelineContents, 'hits'> {
  return {
    edits: requests.some(({ edits }) => edits > 0),
    compactions: requests.some(({ isCompacted }) => isCompacted),
    breaks: requests.some(({ broken }) => broken !== null),
    money: requests.some(({ cost }) => cost !== null && cost.dollars > 0),
    usage: requests.some(({ usage }) => usage !== null),
  }
}

function requestFor(event: KeyboardEvent, selected: number, { from, to }: TimelineRange, count: number): number | null {
  const leap = Math.max(1, Math.round((to - from) / 10))
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: selected - 1,
    ArrowDown: selected - 1,
    ArrowRight: selected + 1,
    ArrowUp: selected + 1,
    PageUp: selected - leap,
    PageDown: selected + leap,
    Home: 0,
    End: count - 1,
  }
  return steps[event.key] ?? null
}
