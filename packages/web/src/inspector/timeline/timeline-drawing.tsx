import { promptTotal } from '@plimsoll/core/bill'
import { FoldVertical, Scissors, Search, X } from 'lucide-react'
import { memo, type ReactNode, useId } from 'react'
import type { InspectedRequest, RecordedSide } from '../../../../node/src/shared/inspection/inspection.ts'
import { useLanguage } from '../../parts/language.tsx'
import { CategoryPattern } from '../window/category.tsx'
import { hitsByRequest, spentAfter, type TimelineColumn, type TimelineReads } from './timeline-columns.ts'
import {
  axisTicks,
  barPaths,
  type ChartPlace,
  chartTicks,
  fillBands,
  moneyLayout,
  readBands,
  readKinds,
  stepPath,
  type TimelinePlaces,
  timelineMarks,
} from './timeline-layout.ts'

interface TimelineDrawingProps {
  readonly requests: readonly InspectedRequest[]
  /** The same session as recorded, if it is simulated. */
  readonly recorded: RecordedSide | undefined
  /** The numbers of the messages that were searched for and found, in order; null without a search. */
  readonly hits: readonly number[] | null
  readonly spent: readonly number[]
  readonly columns: readonly TimelineColumn[]
  readonly top: number
  readonly places: TimelinePlaces
}

/** The parts of the timeline that do not change while the cursor moves. */
export const TimelineDrawing = memo(function TimelineDrawing(props: TimelineDrawingProps) {
  return (
    <>
      <Marks {...props} />
      <TokensChart {...props} />
      <MoneyChart {...props} />
      <CacheChart {...props} />
      <Axis {...props} />
    </>
  )
})

const icons = { hits: Search, edits: Scissors, compactions: FoldVertical, breaks: X }

function Marks({ requests, hits, columns, places }: TimelineDrawingProps) {
  const { short } = useLanguage()
  const foundIn = hitsByRequest(requests, hits ?? [])
  const countOf = (kind: keyof typeof icons, column: TimelineColumn) =>
    kind === 'hits' ? sumOf(foundIn.slice(column.from, column.to)) : column[kind]
  return (['hits', 'edits', 'compactions', 'breaks'] as const).map((kind) => {
    const Icon = icons[kind]
    return timelineMarks(columns, (column) => countOf(kind, column), 30).map(({ x, count, request }) => (
      <g key={`${kind}-${request}`} transform={`translate(${places.left + x - 6} ${places.marks[kind]})`}>
        <Icon width={12} height={12} x={0} y={1} className={kind === 'breaks' ? 'timeline-break' : 'timeline-mark'} />
        {count > 1 ? (
          <text x={13} y={11} className="timeline-text">
            {short(count)}
          </text>
        ) : null}
      </g>
    ))
  })
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}

/** A character of a time, in pixels. */
const characterWidth = 7

/** Numbers of requests, and their times below them. */
function Axis({ requests, columns, places }: TimelineDrawingProps) {
  const { number, clock, day } = useLanguage()
  const ticks = axisTicks(columns, places.width)
  // The day where it begins, or where another one does. A time that would touch the one before it is left out.
  let shownDay: string | null = null
  let end = Number.NEGATIVE_INFINITY
  const times = ticks.map(({ request, x }, index) => {
    const at = requests[request]?.at ?? null
    if (at === null) return null
    const text = day(at) === shownDay ? clock(at) : `${day(at)} ${clock(at)}`
    const width = text.length * characterWidth
    const start = index === 0 ? x : x - width / 2
    if (start < end + characterWidth) return null
    shownDay = day(at)
    end = start + width
    return text
  })
  return (
    <g transform={`translate(${places.left} ${places.axis})`}>
      {ticks.map(({ request, x }, index) => {
        const time = times[index] ?? null
        return (
          <g key={request} transform={`translate(${x} 0)`}>
            <path d="M0 0v4" className="timeline-base" />
            <text y={15} textAnchor={index === 0 ? 'start' : 'middle'} className="timeline-text">
              {number(request + 1)}
            </text>
            {time === null ? null : (
              <text y={28} textAnchor={index === 0 ? 'start' : 'middle'} className="timeline-text">
                {time}
              </text>
            )}
          </g>
        )
      })}
    </g>
  )
}

function TokensChart({ requests, recorded, columns, top, places }: TimelineDrawingProps) {
  const { timeline, short } = useLanguage()
  const id = useId()
  const place = places.tokens
  const fillOf = (column: TimelineColumn) => requests[column.shown]?.fill
  const paths = barPaths(columns, (column) => {
    const fill = fillOf(column)
    return fill === undefined ? [] : fillBands(fill, top, place.height)
  })
  const window = stepPath(columns, (column) => fillOf(column)?.window ?? 0, top, place.height)
  const usable = (column: TimelineColumn) => (fillOf(column)?.window ?? 0) - (fillOf(column)?.reserve ?? 0)
  const limit = stepPath(columns, usable, top, place.height)
  return (
    <Frame
      title={timeline.tokensChart}
      place={place}
      places={places}
      ticks={chartTicks(top, 4).map((tick) => ({ at: tick / top, text: short(tick) }))}
    >
      <defs>
        {[...paths.keys()].map((category) => (
          <CategoryPattern key={category} category={category} id={`${id}-${category}`} />
        ))}
      </defs>
      {[...paths].map(([category, path]) => (
        <path key={category} d={path} fill={`url(#${id}-${category})`} />
      ))}
      <path d={window} className="timeline-window-line" />
      {recorded === undefined ? null : (
        <path d={stepPath(columns, recordedTokens(recorded), top, place.height)} className="timeline-recorded" />
      )}
      <path d={limit} className="timeline-load-line" />
    </Frame>
  )
}

/** The largest recorded prompt in a column, in the same tokens as the simulated ones. */
function recordedTokens({ usages }: RecordedSide): (column: TimelineColumn) => number {
  return ({ from, to }) => usages.slice(from, to).reduce((most, usage) => Math.max(most, promptTotal(usage)), 0)
}

function MoneyChart({ recorded, spent, columns, places }: TimelineDrawingProps) {
  const { timeline, dollars } = useLanguage()
  const place = places.money
  const before = recorded === undefined ? [] : spentAfter(recorded.costs.map((cost) => ({ cost })))
  const { bars, line, before: beforeLine, max, total } = moneyLayout(columns, spent, before, place.height)
  const isKnown = columns.some((column) => column.dollars !== null)
  const title = isKnown
    ? timeline.moneyScales
    : `${timeline.moneyChart}: ${columns.some(({ read }) => read !== null) ? timeline.noPrices : timeline.noUsage}`
  return (
    <Frame
      title={title}
      place={place}
      places={places}
      ticks={max > 0 ? [{ at: 1, text: dollars(max) }] : []}
      rightTicks={total > 0 ? [1, 0.5].map((at) => ({ at, text: dollars(total * at) })) : []}
    >
      <path d={bars} className="timeline-money" />
      <path d={beforeLine} className="timeline-recorded" />
      <path d={line} className="timeline-spent" />
    </Frame>
  )
}

function CacheChart({ columns, places }: TimelineDrawingProps) {
  const { timeline, percent } = useLanguage()
  const id = useId()
  const place = places.cache
  const paths = barPaths(columns, ({ read }) => (read === null ? [] : readBands(read, place.height)))
  const isKnown = columns.some(({ read }) => read !== null)
  return (
    <Frame
      title={isKnown ? timeline.cacheChart : `${timeline.cacheChart}: ${timeline.noUsage}`}
      place={place}
      places={places}
      ticks={isKnown ? [{ at: 1, text: percent(1) }] : []}
    >
      <defs>
        {readKinds.map((kind) => (
          <ReadsPattern key={kind} kind={kind} id={`${id}-${kind}`} />
        ))}
      </defs>
      {[...paths].map(([kind, path]) => (
        <path key={kind} d={path} fill={`url(#${id}-${kind})`} />
      ))}
    </Frame>
  )
}

interface FrameProps {
  readonly title: string
  readonly place: ChartPlace
  readonly places: TimelinePlaces
  readonly ticks: readonly { readonly at: number; readonly text: string }[]
  /** The scale of a line that is not that of the bars. */
  readonly rightTicks?: FrameProps['ticks']
  readonly children: ReactNode
}

function Frame({ title, place, places, ticks, rightTicks = [], children }: FrameProps) {
  return (
    <>
      <text x={0} y={place.title} className="timeline-chart-title">
        {title}
      </text>
      <g transform={`translate(0 ${place.top})`}>
        {ticks.map(({ at, text }) => {
          const y = Math.round(place.height * (1 - at))
          return (
            <g key={text}>
              <path d={`M${places.left} ${y + 0.5}H${places.left + places.width}`} className="timeline-grid" />
              <text x={places.left - 5} y={y + 4} textAnchor="end" className="timeline-text">
                {text}
              </text>
            </g>
          )
        })}
        {rightTicks.map(({ at, text }) => (
          <text
            key={at}
            x={places.left + places.width + 5}
            y={Math.round(place.height * (1 - at)) + 4}
            className="timeline-text timeline-text-line"
          >
            {text}
          </text>
        ))}
        <g transform={`translate(${places.left} 0)`}>{children}</g>
        {place.height === 0 ? null : (
          <path d={`M${places.left} ${place.height + 0.5}H${places.left + places.width}`} className="timeline-base" />
        )}
      </g>
    </>
  )
}

const lines: Readonly<Record<keyof TimelineReads, string>> = { read: '', write: 'M-1 7L7 -1', fresh: 'M0 3H6M3 0V6' }

/** The fills of tokens read from a cache, written to it or uncached: `url(#id)`. */
function ReadsPattern({ kind, id }: { readonly kind: keyof TimelineReads; readonly id: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" className={`timeline-${kind}`} />
      <path d={lines[kind]} className="timeline-reads-lines" />
    </pattern>
  )
}

/** A small square of it. */
export function ReadsSwatch({ kind }: { readonly kind: keyof TimelineReads }) {
  const id = useId()
  return (
    <svg width="14" height="14" aria-hidden="true">
      <defs>
        <ReadsPattern kind={kind} id={id} />
      </defs>
      <rect width="14" height="14" rx="3" fill={`url(#${id})`} />
    </svg>
  )
}
