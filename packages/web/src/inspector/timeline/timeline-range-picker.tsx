import { ChevronLeft, ChevronRight, Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import { useMemo } from 'react'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { Button } from '../../parts/button.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { useWidth } from '../../parts/use-width.ts'
import { leastSpan, movedRange, rangeWithin, type TimelineRange, timelineColumns, zoomedRange } from './timeline-columns.ts'
import { barPaths } from './timeline-layout.ts'

interface TimelineRangePickerProps {
  readonly requests: readonly InspectedRequest[]
  readonly range: TimelineRange
  readonly selected: number
  readonly onRange: (range: TimelineRange) => void
}

const height = 36

/** All requests in small, with two handles and buttons that choose which of them are shown large. Nothing where there are only a few. */
export function TimelineRangePicker({ requests, range, selected, onRange }: TimelineRangePickerProps) {
  const { timeline, number } = useLanguage()
  const count = requests.length
  const [element, width] = useWidth<HTMLDivElement>()
  const path = useMemo(() => totalsPath(requests, width), [requests, width])
  if (count <= leastSpan) return null

  const span = range.to - range.from
  const at = (request: number) => (count === 0 ? 0 : (request / count) * width)
  const buttons = [
    { name: timeline.closer, icon: ZoomIn, to: zoomedRange(range, 0.5, selected, count), isOff: span <= leastSpan },
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
            <rect
              x={at(range.to)}
              y={0}
              width={Math.max(0, width - at(range.to))}
              height={height}
              className="timeline-range-out"
            />
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
          onChange={(event) => onRange(rangeWithin(Math.min(Number(event.target.value), range.to - leastSpan), range.to, count))}
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
            const to = Math.max(Number(event.target.value), Math.min(count, range.from + leastSpan))
            onRange({ from: range.from, to })
          }}
        />
      </div>
      <div className="timeline-range-buttons">
        {buttons.map(({ name, icon: Icon, to, isOff }) => (
          <Button key={name} isSmall icon={Icon} disabled={isOff} onClick={() => onRange(to)} text={name} />
        ))}
        <span className="muted small" aria-live="polite">
          {timeline.range(number(range.from + 1), number(range.to), number(count))}
        </span>
      </div>
    </div>
  )
}

function totalsPath(requests: readonly InspectedRequest[], width: number): string {
  const most = requests.reduce((top, { fill }) => Math.max(top, fill.tokens), 1)
  const columns = timelineColumns(requests, { from: 0, to: requests.length }, width)
  // A column may not be as wide as it could be, and the handles go from edge to edge.
  const each = columns.length === 0 ? 0 : width / columns.length
  const whole = columns.map((column, index) => ({ ...column, x: index * each, width: each }))
  const paths = barPaths(whole, ({ shown }) => {
    const size = ((requests[shown]?.fill.tokens ?? 0) / most) * height
    return [{ name: 'all', y: height - size, height: size }]
  })
  return paths.get('all') ?? ''
}
