import { type InspectedRequest, windowCategories } from '@plimsoll/core'
import { FoldVertical, Scissors, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import type { InspectorPartProps } from '../source/inspector-source.ts'
import { CategorySwatch } from '../window/category.tsx'
import { TimelineChart } from './timeline-chart.tsx'
import { rangeAround, rangeWithin, spentAfter, type TimelineRange } from './timeline-columns.ts'
import { TimelineDetail } from './timeline-detail.tsx'
import { ReadsSwatch, readKinds } from './timeline-drawing.tsx'
import { TimelineRangePicker } from './timeline-range-picker.tsx'
import { TimelineTable } from './timeline-table.tsx'
import './timeline.css'

/** Every request of a session: what filled its window, what it cost, what the cache did, and what was edited. */
export function Timeline(props: InspectorPartProps) {
  const { strings } = useLanguage()
  const { timeline } = strings.requests
  const { requests } = props.inspection
  const count = requests.length
  const [chosen, setChosen] = useState(() => props.focus?.requests[0] ?? count - 1)
  const [asked, setRange] = useState<TimelineRange | null>(null)
  const [shownAs, setShownAs] = useState<'chart' | 'table'>('chart')
  const spent = useMemo(() => spentAfter(requests), [requests])
  if (count === 0) return <p className="notice">{timeline.empty}</p>

  const selected = Math.max(0, Math.min(chosen, count - 1))
  const range = asked === null ? { from: 0, to: count } : rangeWithin(asked.from, asked.to, count)
  const select = (request: number) => {
    const next = Math.max(0, Math.min(request, count - 1))
    setChosen(next)
    if (asked !== null) setRange(rangeAround(range, next, count))
  }
  return (
    <div className="timeline">
      <div className="timeline-bar">
        <h2>{timeline.title}</h2>
        <div className="timeline-choice" role="group" aria-label={timeline.shownAs}>
          {(['chart', 'table'] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              className="button small"
              aria-pressed={shownAs === kind}
              onClick={() => setShownAs(kind)}
            >
              {timeline[kind]}
            </button>
          ))}
        </div>
      </div>
      <TimelineRangePicker
        requests={requests}
        range={range}
        selected={selected}
        onRange={(next) => setRange(next.to - next.from >= count ? null : next)}
      />
      {shownAs === 'chart' ? (
        <>
          <TimelineChart
            requests={requests}
            spent={spent}
            range={range}
            selected={selected}
            onSelect={select}
            onRange={setRange}
          />
          <TimelineLegend requests={requests} />
        </>
      ) : (
        <TimelineTable requests={requests} range={range} selected={selected} onSelect={select} />
      )}
      <TimelineDetail {...props} spent={spent} selected={selected} onSelect={select} />
    </div>
  )
}

/** What the colours, lines and marks of the timeline stand for. */
function TimelineLegend({ requests }: { readonly requests: readonly InspectedRequest[] }) {
  const { strings } = useLanguage()
  const { timeline } = strings.requests
  const names = strings.fill.categories
  const present = useMemo(
    () => windowCategories.filter((category) => requests.some(({ fill }) => (fill.categories[category] ?? 0) > 0)),
    [requests],
  )
  return (
    <ul className="timeline-legend small" aria-label={timeline.legend}>
      {present.map((category) => (
        <li key={category}>
          <CategorySwatch category={category} />
          {names[category]}
        </li>
      ))}
      <li>
        <LineSample className="timeline-load-line" />
        {timeline.loadLine}
      </li>
      <li>
        <LineSample className="timeline-window-line" />
        {timeline.window}
      </li>
      {readKinds.map((kind) => (
        <li key={kind}>
          <ReadsSwatch kind={kind} />
          {timeline[kind]}
        </li>
      ))}
      <li>
        <Scissors size={13} aria-hidden />
        {timeline.marks.edits}
      </li>
      <li>
        <FoldVertical size={13} aria-hidden />
        {timeline.marks.compactions}
      </li>
      <li>
        <X size={13} aria-hidden className="timeline-break" />
        {timeline.marks.breaks}
      </li>
    </ul>
  )
}

function LineSample({ className }: { readonly className: string }) {
  return (
    <svg width="20" height="12" aria-hidden="true">
      <path d="M0 6H20" className={className} />
    </svg>
  )
}
