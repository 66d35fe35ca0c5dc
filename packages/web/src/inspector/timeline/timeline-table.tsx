import { useVirtualizer } from '@tanstack/react-virtual'
import { type Ref, useEffect, useRef } from 'react'
import type { InspectedRequest } from '../../../../node/src/shared/inspection/inspection.ts'
import { ColumnHeads } from '../../parts/controls.tsx'
import { useLanguage } from '../../parts/language.tsx'
import { useInspector } from '../source/inspector-source.ts'
import type { TimelineView } from './timeline-columns.ts'

/** The timeline as a table: the same numbers for users who cannot see a chart, or would rather read. */
export function TimelineTable({ range, selected, onSelect }: TimelineView) {
  const { requests } = useInspector().inspection
  const { timeline } = useLanguage()
  const scrolled = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: range.to - range.from,
    getScrollElement: () => scrolled.current,
    estimateSize: () => 34,
    overscan: 10,
  })
  useEffect(() => rows.scrollToIndex(selected - range.from), [rows, selected, range.from])
  const items = rows.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = rows.getTotalSize() - (items.at(-1)?.end ?? 0)
  const numbers = [
    timeline.columns.tokens,
    timeline.columns.ofLimit,
    timeline.columns.read,
    timeline.columns.write,
    timeline.columns.fresh,
    timeline.columns.output,
    timeline.columns.money,
  ]
  const heads = [
    [timeline.columns.request, 'number'],
    [timeline.columns.time, ''],
    ...numbers.map((head) => [head, 'number'] as const),
    [timeline.columns.happened],
  ] as const
  return (
    <div ref={scrolled} className="timeline-table" tabIndex={0} role="region" aria-label={timeline.columns.caption}>
      <table className="table small" aria-rowcount={range.to - range.from + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <ColumnHeads heads={heads} />
          </tr>
        </thead>
        <tbody>
          {above > 0 ? <tr style={{ height: above }} aria-hidden="true" /> : null}
          {items.map(({ index }) => {
            const place = range.from + index
            const request = requests[place]
            return request === undefined ? null : (
              <RequestRow
                key={place}
                request={request}
                place={place}
                index={index}
                ref={rows.measureElement}
                isSelected={place === selected}
                onSelect={onSelect}
              />
            )
          })}
          {below > 0 ? <tr style={{ height: below }} aria-hidden="true" /> : null}
        </tbody>
      </table>
    </div>
  )
}

interface RequestRowProps {
  readonly request: InspectedRequest
  readonly place: number
  readonly index: number
  readonly ref: Ref<HTMLTableRowElement>
  readonly isSelected: boolean
  readonly onSelect: (request: number) => void
}

function RequestRow({ request, place, index, ref, isSelected, onSelect }: RequestRowProps) {
  const { timeline, number, percent, dollars, time } = useLanguage()
  const { fill, usage, cost, broken } = request
  const limit = fill.window - fill.reserve
  const happened = [
    ...(request.edits > 0 ? [timeline.columns.edits(number(request.edits), number(request.saved))] : []),
    ...(request.isCompacted ? [timeline.columns.compacted] : []),
    ...(broken === null ? [] : [timeline.columns.broken(number(broken.tokens))]),
  ]
  const counted = (value: number | undefined) => (value === undefined ? '–' : number(value))
  return (
    <tr ref={ref} data-index={index} aria-rowindex={index + 2} className={isSelected ? 'timeline-chosen' : undefined}>
      <th scope="row" className="number">
        <button type="button" className="timeline-row-button" aria-pressed={isSelected} onClick={() => onSelect(place)}>
          {number(place + 1)}
        </button>
      </th>
      <td>{request.at === null ? '–' : time(request.at)}</td>
      <td className="number">{number(fill.tokens)}</td>
      <td className="number">{limit > 0 ? percent(fill.tokens / limit) : '–'}</td>
      <td className="number">{counted(usage?.cacheRead)}</td>
      <td className="number">{counted(usage?.cacheWrite)}</td>
      <td className="number">{counted(usage?.input)}</td>
      <td className="number">{counted(usage?.output)}</td>
      <td className="number">{cost === null ? '–' : dollars(cost.dollars)}</td>
      <td>{happened.join(' · ')}</td>
    </tr>
  )
}
