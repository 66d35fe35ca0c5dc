import { type KeyboardEvent, type MouseEvent, useMemo, useState } from 'react'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { useWidth } from '../../parts/browser.ts'
import { Button } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { useInspector } from '../source/inspector-source.ts'
import { columnOfRequest, type TimelineRange, type TimelineView, timelineColumns, zoomedRange } from './timeline-columns.ts'
import { TimelineDrawing } from './timeline-drawing.tsx'
import { chartTop, type TimelineContents, timelinePlaces } from './timeline-layout.ts'

type TimelineChartProps = TimelineView & { readonly spent: readonly number[] }

/** The requests as columns: tokens by category with what happened above them, costs below, and the cache below that. */
export function TimelineChart({ spent, range, selected, onSelect, onRange }: TimelineChartProps) {
  const { requests } = useInspector().inspection
  const { timeline, number, dollars } = useLanguage()
  const [element, width] = useWidth()
  const [scale, setScale] = useState<'window' | 'fill' | null>(null)
  const [hovered, setHovered] = useState<number | null>(null)
  const contents = useMemo(() => contentsOf(requests), [requests])
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
  const told = requests[over?.shown ?? selected]
  const unknown = told?.usage == null ? timeline.detail.notReported : timeline.detail.noPrice
  const money = told?.cost == null ? unknown : dollars(told.cost.dollars)
  const merged = columns.reduce((max, column) => Math.max(max, column.to - column.from), 0)
  const chosen = requests[selected]?.fill
  const limit = chosen === undefined ? 0 : chosen.window - chosen.reserve
  const caption = timeline.hover(number((over?.shown ?? selected) + 1), number(told?.fill.tokens ?? 0), money)

  const columnAt = (event: MouseEvent<HTMLDivElement>): number | null => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - places.left
    const index = columns.findIndex((column) => x < column.x + column.width)
    return index === -1 || x < 0 ? null : index
  }
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
        aria-valuetext={timeline.hover(number(selected + 1), number(chosen?.tokens ?? 0), money)}
        aria-describedby="timeline-keys"
        onKeyDown={(event) => {
          const next = requestFor(event, selected, range, requests.length)
          if (next !== null) onSelect(next)
          else if (event.key === '+' || event.key === '=') onRange(zoomedRange(range, 0.5, selected, requests.length))
          else if (event.key === '-') onRange(zoomedRange(range, 2, selected, requests.length))
          else return
          event.preventDefault()
        }}
        onPointerMove={(event) => setHovered(columnAt(event))}
        onPointerLeave={() => setHovered(null)}
        onClick={(event) => {
          const column = columns[columnAt(event) ?? -1]
          if (column !== undefined) onSelect(column.shown)
        }}
      >
        {width === 0 ? null : (
          <svg width={width} height={places.height} aria-hidden="true">
            <TimelineDrawing requests={requests} spent={spent} columns={columns} top={top} places={places} />
            {over === undefined ? null : (
              <rect className="timeline-hover" x={places.left + over.x} width={Math.max(1, over.width)} height={places.height} />
            )}
            {cursor === undefined ? null : (
              <g transform={`translate(${places.left + cursor.x + cursor.width / 2} 0)`}>
                <path className="timeline-cursor" d={`M0 6V${places.height}`} />
                <path className="timeline-cursor-head" d="M-5 0H5L0 7z" />
              </g>
            )}
          </svg>
        )}
      </div>
      <p className="timeline-caption small">{caption}</p>
      {merged > 1 ? <p className="muted small">{timeline.merged(number(merged))}</p> : null}
      <p id="timeline-keys" className="muted small timeline-keys">
        {timeline.keys}
      </p>
    </>
  )
}

/** Of the whole session, so that nothing moves while another range is chosen. */
function contentsOf(requests: readonly InspectedRequest[]): TimelineContents {
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
