import { windowCategories } from '@plimsoll/core/bill'
import { ChevronLeft, ChevronRight, FoldVertical, Maximize2, Scissors, Search, X, ZoomIn, ZoomOut } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { useWidth } from '../../parts/browser.ts'
import { Button } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { useInspector } from '../source/inspector-source.ts'
import { CategorySwatch } from '../window/category.tsx'
import { TimelineChart } from './timeline-chart.tsx'
import {
  minSpan,
  movedRange,
  rangeAround,
  rangeWithin,
  spentAfter,
  type TimelineRange,
  type TimelineView,
  timelineColumns,
  zoomedRange,
} from './timeline-columns.ts'
import { TimelineDetail } from './timeline-detail.tsx'
import { ReadsSwatch } from './timeline-drawing.tsx'
import { barPaths, readKinds } from './timeline-layout.ts'
import { TimelineTable } from './timeline-table.tsx'
import './timeline.css'

interface TimelineProps {
  /** The place of the chosen request; null for the last one. */
  readonly request: number | null
  readonly onRequest: (request: number) => void
}

/** Every request of a session: what filled its window, what it cost, what the cache did, and what was edited. */
export function Timeline({ request, onRequest }: TimelineProps) {
  const { timeline } = useLanguage()
  const { inspection } = useInspector()
  const { requests } = inspection
  const count = requests.length
  const [asked, setRange] = useState<TimelineRange | null>(null)
  const [shownAs, setShownAs] = useState<'chart' | 'table'>('chart')
  const spent = useMemo(() => spentAfter(requests), [requests])
  if (count === 0) return <p className="notice">{timeline.empty}</p>

  const selected = Math.max(0, Math.min(request ?? count - 1, count - 1))
  const range = asked === null ? { from: 0, to: count } : rangeWithin(asked.from, asked.to, count)
  const select = (wanted: number) => {
    const next = Math.max(0, Math.min(wanted, count - 1))
    if (next !== selected) onRequest(next)
    if (asked !== null) setRange(rangeAround(range, next, count))
  }
  const onRange = (next: TimelineRange) => setRange(next.to - next.from >= count ? null : next)
  const view: TimelineView = { range, selected, onSelect: select, onRange }
  return (
    <div className="timeline">
      <div className="timeline-bar">
        <h2>{timeline.title}</h2>
        <div className="timeline-choice" role="group" aria-label={timeline.shownAs}>
          {(['chart', 'table'] as const).map((kind) => (
            <Button key={kind} isSmall aria-pressed={shownAs === kind} onClick={() => setShownAs(kind)} text={timeline[kind]} />
          ))}
        </div>
      </div>
      <TimelineRangePicker {...view} />
      <div className="timeline-beside">
        {shownAs === 'chart' ? (
          <div className="timeline-charts">
            <TimelineChart {...view} spent={spent} />
            <TimelineLegend />
          </div>
        ) : (
          <TimelineTable {...view} />
        )}
        <TimelineDetail spent={spent} selected={selected} onSelect={select} />
      </div>
    </div>
  )
}

function TimelineLegend() {
  const { inspection, hits } = useInspector()
  const { requests, recorded } = inspection
  const { timeline, fill: names } = useLanguage()
  const present = useMemo(
    () => windowCategories.filter((category) => requests.some(({ fill }) => (fill.categories[category] ?? 0) > 0)),
    [requests],
  )
  const line = (className: string) => (
    <svg width="20" height="12" aria-hidden="true">
      <path d="M0 6H20" className={className} />
    </svg>
  )
  const samples: readonly (readonly [sign: ReactNode, name: string])[] = [
    ...present.map((category) => [<CategorySwatch category={category} />, names.categories[category]] as const),
    [line('timeline-load-line'), timeline.loadLine],
    [line('timeline-window-line'), timeline.window],
    ...(recorded === undefined ? [] : [[line('timeline-recorded'), timeline.recorded] as const]),
    ...readKinds.map((kind) => [<ReadsSwatch kind={kind} />, timeline[kind]] as const),
    ...(hits === null ? [] : [[<Search size={13} aria-hidden />, timeline.marks.hits] as const]),
    [<Scissors size={13} aria-hidden />, timeline.marks.edits],
    [<FoldVertical size={13} aria-hidden />, timeline.marks.compactions],
    [<X size={13} aria-hidden className="timeline-break" />, timeline.marks.breaks],
  ]
  return (
    <ul className="timeline-legend small" aria-label={timeline.legend}>
      {samples.map(([sign, name], index) => (
        <li key={index}>
          {sign}
          {name}
        </li>
      ))}
    </ul>
  )
}

const height = 36

/** All requests in small, with two handles and buttons that choose which of them are shown large. Nothing if there are only a few. */
function TimelineRangePicker({ range, selected, onRange }: TimelineView) {
  const { requests } = useInspector().inspection
  const { timeline, number } = useLanguage()
  const count = requests.length
  const [element, width] = useWidth()
  const path = useMemo(() => totalsPath(requests, width), [requests, width])
  if (count <= minSpan) return null

  const span = range.to - range.from
  const at = (request: number) => (count === 0 ? 0 : (request / count) * width)
  const buttons = [
    { name: timeline.closer, icon: ZoomIn, to: zoomedRange(range, 0.5, selected, count), isOff: span <= minSpan },
    { name: timeline.wider, icon: ZoomOut, to: zoomedRange(range, 2, selected, count), isOff: span >= count },
    { name: timeline.earlier, icon: ChevronLeft, to: movedRange(range, -Math.ceil(span / 2), count), isOff: range.from === 0 },
    { name: timeline.later, icon: ChevronRight, to: movedRange(range, Math.ceil(span / 2), count), isOff: range.to >= count },
    { name: timeline.all, icon: Maximize2, to: { from: 0, to: count }, isOff: span >= count },
  ]
  return (
    <div className="timeline-range">
      <div className="timeline-range-strip">
        <div ref={element} className="timeline-range-picture">
          <svg width={width} height={height} aria-hidden="true">
            <path d={path} className="timeline-range-total" />
            <rect x={0} y={0} width={at(range.from)} height={height} className="timeline-range-out" />
            <rect x={at(range.to)} width={Math.max(0, width - at(range.to))} height={height} className="timeline-range-out" />
          </svg>
        </div>
        <input
          type="range"
          className="timeline-range-handle"
          aria-label={timeline.fromRequest}
          aria-valuetext={number(range.from + 1)}
          min={0}
          max={count}
          value={range.from}
          onChange={(event) => onRange(rangeWithin(Math.min(Number(event.target.value), range.to - minSpan), range.to, count))}
        />
        <input
          type="range"
          className="timeline-range-handle"
          aria-label={timeline.toRequest}
          aria-valuetext={number(range.to)}
          min={0}
          max={count}
          value={range.to}
          onChange={(event) => {
            const to = Math.max(Number(event.target.value), Math.min(count, range.from + minSpan))
            onRange({ from: range.from, to })
          }}
        />
      </div>
      <div className="timeline-range-buttons">
        {buttons.map(({ name, icon: Icon, to, isOff }) => (
          <Button key={name} isSmall icon={Icon} disabled={isOff} title={name} onClick={() => onRange(to)}>
            <span className="timeline-range-word">{name}</span>
          </Button>
        ))}
        <span className="muted small" aria-live="polite">
          {timeline.range(number(range.from + 1), number(range.to), number(count))}
        </span>
      </div>
    </div>
  )
}

function totalsPath(requests: readonly InspectedRequest[], width: number): string {
  const max = requests.reduce((top, { fill }) => Math.max(top, fill.tokens), 1)
  const columns = timelineColumns(requests, { from: 0, to: requests.length }, width)
  // A column may not be as wide as it could be, and the handles go from edge to edge.
  const each = columns.length === 0 ? 0 : width / columns.length
  const whole = columns.map((column, index) => ({ ...column, x: index * each, width: each }))
  const paths = barPaths(whole, ({ shown }) => {
    const size = ((requests[shown]?.fill.tokens ?? 0) / max) * height
    return [{ name: 'all', y: height - size, height: size }]
  })
  return paths.get('all') ?? ''
}
