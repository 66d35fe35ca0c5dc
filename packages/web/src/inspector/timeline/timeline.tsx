import { useMemo, useState } from 'react'
import { useLanguage } from '../../parts/language.tsx'
import type { InspectorPartProps } from '../source/inspector-part.ts'
import { TimelineChart } from './timeline-chart.tsx'
import { spentAfter } from './timeline-columns.ts'
import { TimelineDetail } from './timeline-detail.tsx'
import { TimelineLegend } from './timeline-legend.tsx'
import { rangeAround, rangeWithin, type TimelineRange } from './timeline-range.ts'
import { TimelineRangePicker } from './timeline-range-picker.tsx'
import { TimelineTable } from './timeline-table.tsx'
import './timeline.css'

/** Every request of a session: what filled its window, what it cost, what the cache did, and what was edited. */
export function Timeline(props: InspectorPartProps) {
  const { strings } = useLanguage()
  const words = strings.requests.timeline
  const { requests } = props.inspection
  const count = requests.length
  const [chosen, setChosen] = useState(() => props.focus?.requests[0] ?? count - 1)
  const [asked, setRange] = useState<TimelineRange | null>(null)
  const [shownAs, setShownAs] = useState<'chart' | 'table'>('chart')
  const spent = useMemo(() => spentAfter(requests), [requests])
  if (count === 0) return <p className="notice">{words.empty}</p>

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
        <h2>{words.title}</h2>
        <div className="timeline-choice" role="group" aria-label={words.shownAs}>
          {(['chart', 'table'] as const).map((kind) => (
            <button
              key={kind}
              type="button"
              className="button small"
              aria-pressed={shownAs === kind}
              onClick={() => setShownAs(kind)}
            >
              {words[kind]}
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
