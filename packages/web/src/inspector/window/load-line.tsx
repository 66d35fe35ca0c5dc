import { type WindowCategory, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import { Anchor, TriangleAlert } from 'lucide-react'
import { useId, useState } from 'react'
import type { Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { useWidth } from '../../parts/browser.ts'
import { useLanguage } from '../../parts/language.tsx'
import { CategoryPattern } from './category.tsx'
import {
  deckSpace,
  type HullBox,
  hullPath,
  type LoadLineLayout,
  layOutLoadLine,
  loadNumbers,
  upperWorks,
  waterPath,
} from './load-line-layout.ts'
import { LoadLineMarks, LoadLineTags } from './load-line-marks.tsx'
import { type LoadLineActions, LoadLineTable, type Pointing } from './load-line-table.tsx'
import './load-line.css'

/** Shows what fills the window: as a drawing, in one sentence, and in a table. */
export function LoadLine({ inspection, ...actions }: LoadLineActions & { readonly inspection: Inspection }) {
  const { inspector, loadLine, fill: fillStrings, number, percent, sentences } = useLanguage()
  const { fill, messages, session, recorded } = inspection
  const [pointed, setPointed] = useState<WindowCategory | null>(null)
  const { used, window, reserve, free, overLine, overWindow } = loadNumbers(fill)
  // Only Plimsoll's sessions have the complete prompt.
  const isHidden = !session.isOwn && (fill.categories.system ?? 0) > 0 && !messages.categories.includes('system')
  const share = (tokens: number) => percent(window > 0 ? tokens / window : 0)
  const over = overWindow > 0 ? loadLine.overWindow(number(overWindow)) : loadLine.over(number(overLine))
  return (
    <section
      className={recorded === undefined ? 'card load-line' : 'card load-line load-line-compared'}
      aria-label={fillStrings.title}
    >
      <div className="load-line-picture">
        <h2 className="load-line-headline">{loadLine.used(number(used), number(window), share(used))}</h2>
        <p className={overLine > 0 ? 'load-line-verdict load-line-verdict-over' : 'load-line-verdict'}>
          {overLine > 0 ? <TriangleAlert size={16} aria-hidden /> : <Anchor size={16} aria-hidden />}
          {overLine > 0 ? over : loadLine.free(number(free), share(free))}
        </p>
        {recorded === undefined ? (
          <LoadLineHull fill={fill} pointed={pointed} onPoint={setPointed} />
        ) : (
          <div className="load-line-pair">
            {([recorded.fill, fill] as const).map((side, index) => (
              <figure key={index}>
                <figcaption className="small">
                  {index === 0 ? inspector.under.recordedSide : inspector.under.simulatedSide}
                </figcaption>
                <LoadLineHull fill={side} scale={heightOf(recorded.fill, fill)} pointed={pointed} onPoint={setPointed} />
              </figure>
            ))}
          </div>
        )}
        <p className="muted small">
          {sentences(
            fill.source !== 'usage' ? loadLine.estimated : recorded === undefined ? loadLine.counted : loadLine.scaled,
            loadLine.reserve(number(reserve), number(window)),
            isHidden ? loadLine.hiddenPrompt : null,
          )}
        </p>
      </div>
      <div className="load-line-numbers">
        {used === 0 ? <p className="muted">{loadLine.empty}</p> : null}
        <LoadLineTable inspection={inspection} pointed={pointed} onPoint={setPointed} {...actions} />
      </div>
    </section>
  )
}

/** The tokens that the larger of two windows, or its load, needs. */
function heightOf(...fills: readonly WindowFill[]): number {
  return Math.max(...fills.map(({ window, tokens }) => Math.max(window, tokens)))
}

interface LoadLineHullProps extends Pointing {
  readonly fill: WindowFill
  /** The tokens of its height, if there is another hull next to it. */
  readonly scale?: number
}

/** The window as a ship's hull: its load by category, the water as high as that, the load line, and the room up to it. */
function LoadLineHull({ fill, scale, pointed, onPoint }: LoadLineHullProps) {
  const { loadLine, number } = useLanguage()
  const [element, width] = useWidth()
  const isNarrow = width < 480
  const height = isNarrow ? 340 : 520
  const layout = layOutLoadLine(fill, {
    top: 62,
    bottom: height - 26,
    tools: isNarrow ? 3 : 5,
    ...(scale === undefined ? {} : { scale }),
  })
  const { numbers, deck, keel } = layout
  const left = isNarrow ? 40 : 56
  // While a page is laid out, or printed, it may have next to no width.
  const hull: HullBox = { left, right: Math.max(left + 40, width - (isNarrow ? 84 : 124)), deck, keel }
  return (
    <div className="load-line-hull" ref={element} style={{ height }}>
      {width === 0 ? null : (
        <>
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={loadLine.picture(number(numbers.used), number(numbers.window), number(numbers.line))}
          >
            <Hull layout={layout} hull={hull} width={width} height={height} pointed={pointed} onPoint={onPoint} />
          </svg>
          <LoadLineTags layout={layout} hull={hull} />
        </>
      )}
    </div>
  )
}

interface HullProps extends Pointing {
  readonly layout: LoadLineLayout
  readonly hull: HullBox
  readonly width: number
  readonly height: number
}

function Hull({ layout, hull, width, height, pointed, onPoint }: HullProps) {
  const id = useId()
  const water = waterPath(width, layout.waterline, height)
  const works = upperWorks(hull)
  const space = deckSpace(hull)
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
      <LoadLineMarks layout={layout} hull={hull} width={width} />
    </>
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
