import { windowCategories } from '@plimsoll/core/bill'
import { FoldVertical, Scissors, X } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/button.tsx'
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
  const { timeline } = useLanguage()
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
            <Button key={kind} isSmall aria-pressed={shownAs === kind} onClick={() => setShownAs(kind)} text={timeline[kind]} />
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

function TimelineLegend({ requests }: { readonly requests: readonly InspectedRequest[] }) {
  const { timeline, fill } = useLanguage()
  const present = useMemo(
    () => windowCategories.filter((category) => requests.some(({ fill }) => (fill.categories[category] ?? 0) > 0)),
    [requests],
  )
  return (
    <ul className="timeline-legend small" aria-label={timeline.legend}>
      {present.map((category) => (
        <Sample key={category} sign={<CategorySwatch category={category} />} name={fill.categories[category]} />
      ))}
      <Sample sign={<LineSample className="timeline-load-line" />} name={timeline.loadLine} />
      <Sample sign={<LineSample className="timeline-window-line" />} name={timeline.window} />
      {readKinds.map((kind) => (
        <Sample key={kind} sign={<ReadsSwatch kind={kind} />} name={timeline[kind]} />
      ))}
      <Sample sign={<Scissors size={13} aria-hidden />} name={timeline.marks.edits} />
      <Sample sign={<FoldVertical size={13} aria-hidden />} name={timeline.marks.compactions} />
      <Sample sign={<X size={13} aria-hidden className="timeline-break" />} name={timeline.marks.breaks} />
    </ul>
  )
}

function Sample({ sign, name }: { readonly sign: ReactNode; readonly name: string }) {
  return (
    <li>
      {sign}
      {name}
    </li>
  )
}

function LineSample({ className }: { readonly className: string }) {
  return (
    <svg width="20" height="12" aria-hidden="true">
      <path d="M0 6H20" className={className} />
    </svg>
  )
}
