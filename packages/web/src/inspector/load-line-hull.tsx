import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core'
import { useId } from 'react'
import { useLanguage } from '../language.tsx'
import { CategoryPattern } from './category-pattern.tsx'
import { deckSpace, type HullBox, hullPath, upperWorks, waterPath } from './hull-shape.ts'
import { type LoadLineLayout, layOutLoadLine } from './load-line-layout.ts'
import { LoadLineTags } from './load-line-tags.tsx'
import { spreadLabels } from './spread-labels.ts'
import { useWidth } from './use-width.ts'

/** What is pointed at, in the picture or in the table. */
export interface Pointing {
  readonly pointed: WindowCategory | null
  readonly onPoint: (category: WindowCategory | null) => void
}

/** The window as a ship's hull: its load by category, the water as high as that, the load line, and the room up to it. */
export function LoadLineHull({ fill, pointed, onPoint }: { readonly fill: WindowFill } & Pointing) {
  const { strings, number } = useLanguage()
  const words = strings.web.inspector.loadLine
  const [element, width] = useWidth<HTMLDivElement>()
  const isNarrow = width < 480
  const height = isNarrow ? 320 : 380
  const layout = layOutLoadLine(fill, { top: 62, bottom: height - 26, tools: isNarrow ? 3 : 5 })
  const { numbers, deck, keel } = layout
  const hull: HullBox = { left: isNarrow ? 40 : 56, right: width - (isNarrow ? 84 : 108), deck, keel }
  return (
    <div className="load-line-hull" ref={element} style={{ height }}>
      {width === 0 ? null : (
        <>
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={words.picture(number(numbers.used), number(numbers.window), number(numbers.line))}
          >
            <Picture layout={layout} hull={hull} width={width} height={height} pointed={pointed} onPoint={onPoint} />
          </svg>
          <LoadLineTags layout={layout} hull={hull} />
        </>
      )}
    </div>
  )
}

interface PictureProps extends Pointing {
  readonly layout: LoadLineLayout
  readonly hull: HullBox
  readonly width: number
  readonly height: number
}

function Picture({ layout, hull, width, height, pointed, onPoint }: PictureProps) {
  const id = useId()
  const water = waterPath(width, layout.waterline, height)
  const works = upperWorks(hull)
  const space = deckSpace(hull)
  const isOver = layout.numbers.overLine > 0
  return (
    <>
      <defs>
        {windowCategories.map((category) => (
          <CategoryPattern key={category} category={category} id={`${id}-${category}`} />
        ))}
        <pattern id={`${id}-reserve`} width="8" height="8" patternUnits="userSpaceOnUse">
          <path d="M-1 9l10-10M-1 1l2-2M7 9l2-2" className="load-line-reserve-lines" />
        </pattern>
        <clipPath id={`${id}-hold`}>
          <path d={hullPath(hull)} />
          {layout.numbers.overWindow > 0 ? (
            <rect x={space.left} y={0} width={Math.max(0, space.right - space.left)} height={hull.deck} />
          ) : null}
        </clipPath>
      </defs>
      <path d={water.body} className="load-line-water" />
      <path d={water.surface} className="load-line-surface" />
      <path d={works.bridge} className="load-line-works" />
      <path d={works.windows} className="load-line-windows" />
      <path d={works.bow} className="load-line-works" />
      <path d={hullPath(hull)} className="load-line-hold" />
      <g clipPath={`url(#${id}-hold)`}>
        <rect
          x={hull.left}
          y={layout.deck}
          width={hull.right - hull.left}
          height={Math.max(0, layout.loadLine - layout.deck)}
          fill={`url(#${id}-reserve)`}
        />
        {layout.bands.map(({ category, top, height: thick, compartments }) => (
          <g
            key={category}
            className={pointed === null || pointed === category ? 'load-line-band' : 'load-line-band load-line-band-faint'}
            onPointerEnter={() => onPoint(category)}
            onPointerLeave={() => onPoint(null)}
          >
            <rect x={hull.left} y={top} width={hull.right - hull.left} height={thick} fill={`url(#${id}-${category})`} />
            {bulkheads(compartments, hull).map((at) => (
              <path key={at} d={`M${at} ${top}v${thick}`} className="load-line-seam" />
            ))}
            <path d={`M${hull.left} ${top}H${hull.right}`} className="load-line-seam" />
          </g>
        ))}
      </g>
      <path d={hullPath(hull)} className="load-line-outline" />
      <Draught layout={layout} hull={hull} />
      <Mark layout={layout} hull={hull} isOver={isOver} />
      <Levels layout={layout} hull={hull} isOver={isOver} />
    </>
  )
}

/** The numbers along the stern. */
function Draught({ layout, hull }: { readonly layout: LoadLineLayout; readonly hull: HullBox }) {
  const { short } = useLanguage()
  const steps = layout.draught.filter(({ at }) => at - layout.deck > 16)
  return (
    <g className="load-line-draught">
      {[{ tokens: layout.numbers.window, at: layout.deck }, ...steps].map(({ tokens, at }) => (
        <g key={tokens}>
          <path d={`M${hull.left - 6} ${at}h6`} />
          <text x={hull.left - 9} y={at + 4} textAnchor="end">
            {short(tokens)}
          </text>
        </g>
      ))}
    </g>
  )
}

/** The mark itself: a circle with a line through it, at window minus reserve. */
function Mark({ layout, hull, isOver }: { readonly layout: LoadLineLayout; readonly hull: HullBox; readonly isOver: boolean }) {
  const x = hull.left + (hull.right - hull.left) * 0.56
  const y = layout.loadLine
  return (
    <g className={isOver ? 'load-line-mark load-line-mark-over' : 'load-line-mark'}>
      <path d={`M${hull.left} ${y}H${hull.right + 4}`} className="load-line-mark-level" />
      <circle cx={x} cy={y} r="12" />
      <path d={`M${x - 24} ${y}h48`} />
    </g>
  )
}

/** What the load line and the waterline are called, beside the bow. */
function Levels({ layout, hull, isOver }: { readonly layout: LoadLineLayout; readonly hull: HullBox; readonly isOver: boolean }) {
  const { strings, short, percent } = useLanguage()
  const words = strings.web.inspector.loadLine
  const { numbers } = layout
  const share = numbers.window > 0 ? percent(numbers.used / numbers.window) : ''
  const labels = [
    { name: words.line, value: short(numbers.line), at: layout.loadLine, className: 'load-line-level' },
    {
      name: words.waterline,
      value: `${short(numbers.used)} · ${share}`,
      at: layout.waterline,
      className: 'load-line-level load-line-level-water',
    },
  ]
  const places = spreadLabels(
    labels.map(({ at }) => at),
    34,
    layout.keel,
  )
  return (
    <g className={isOver ? 'load-line-over' : undefined}>
      {labels.map(({ name, value, at, className }, index) => {
        const place = places[index] as number
        return (
          <g key={name} className={className}>
            <path d={`M${hull.right + 4} ${at}L${hull.right + 12} ${place}`} />
            <text x={hull.right + 15} y={place - 2}>
              {name}
            </text>
            <text x={hull.right + 15} y={place + 12} className="load-line-level-value">
              {value}
            </text>
          </g>
        )
      })}
    </g>
  )
}

function bulkheads(compartments: readonly { readonly share: number }[], { left, right }: HullBox): readonly number[] {
  const places: number[] = []
  let at = left
  for (const { share } of compartments.slice(0, -1)) {
    at += share * (right - left)
    places.push(at)
  }
  return places
}
