import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { CategoryIcon } from './category.tsx'
import { deckSpace, type HullBox, type LoadBand, type LoadLineLayout, spreadLabels } from './load-line-layout.ts'

interface LoadLineMarksProps {
  readonly layout: LoadLineLayout
  readonly hull: HullBox
  readonly width: number
}

/** The marks on a hull: the draught along its stern, the load line with its mark, and the names of the levels at its bow. */
export function LoadLineMarks({ layout, hull, width }: LoadLineMarksProps) {
  const { short } = useLanguage()
  const steps = layout.draught.filter(({ at }) => at - layout.deck > 16)
  const x = hull.left + (hull.right - hull.left) * 0.56
  const y = layout.loadLine
  return (
    <>
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
      <g className={layout.numbers.overLine > 0 ? 'load-line-mark load-line-mark-over' : 'load-line-mark'}>
        <path d={`M${hull.left} ${y}H${hull.right + 4}`} className="load-line-mark-level" />
        <circle cx={x} cy={y} r="12" />
        <path d={`M${x - 24} ${y}h48`} />
      </g>
      <Levels layout={layout} hull={hull} width={width} />
    </>
  )
}

function Levels({ layout, hull, width }: LoadLineMarksProps) {
  const { loadLine, short, percent } = useLanguage()
  const { numbers } = layout
  const share = numbers.window > 0 && width - hull.right > 100 ? ` · ${percent(numbers.used / numbers.window)}` : ''
  const labels = [
    [loadLine.line, short(numbers.line), layout.loadLine, 'load-line-level'],
    [loadLine.waterline, `${short(numbers.used)}${share}`, layout.waterline, 'load-line-level load-line-level-water'],
  ] as const
  // Above the water, which would run through it.
  const places = spreadLabels([layout.loadLine, layout.waterline - 20], 34, layout.keel)
  return (
    <g className={numbers.overLine > 0 ? 'load-line-over' : undefined}>
      {labels.map(([name, value, at, className], index) => {
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

/** Thinner bands have no room for text; the table has it. */
const minHeight = 21

/** The load, written on the hull as far as there is room. Hidden from screen readers: the table has the same numbers. */
export function LoadLineTags({ layout, hull }: { readonly layout: LoadLineLayout; readonly hull: HullBox }) {
  const { loadLine, short } = useLanguage()
  const reserve = layout.loadLine - layout.deck
  return (
    <div className="load-line-tags" aria-hidden="true">
      {reserve < minHeight || layout.numbers.overLine > 0 ? null : (
        <span className="load-line-tag" style={{ left: hull.left + 10, top: layout.deck + reserve / 2 }}>
          {loadLine.reserveRow} {short(layout.numbers.reserve)}
        </span>
      )}
      {layout.bands.map((band) => (
        <BandTags key={band.category} band={band} hull={hull} />
      ))}
    </div>
  )
}

function BandTags({ band, hull }: { readonly band: LoadBand; readonly hull: HullBox }) {
  const { fill, short } = useLanguage()
  const { category, tokens, top, height, compartments } = band
  if (height < minHeight) return null
  const isOnDeck = top < hull.deck
  const hasTools = compartments.length > 1 && height >= minHeight * 2 + 4 && !isOnDeck
  const middle = hasTools ? top + 14 : top + height / 2
  // The turn of the hull at the keel would cover its corner.
  const left = isOnDeck ? deckSpace(hull).left + 8 : hull.left + (hull.keel - middle < 24 ? 22 : 10)
  return (
    <>
      <span className="load-line-tag" style={{ left, top: isOnDeck ? top + height - 14 : middle }}>
        <CategoryIcon category={category} size={13} />
        {fill.categories[category]}
        <b>{short(tokens)}</b>
      </span>
      {hasTools ? <ToolTags band={band} hull={hull} /> : null}
    </>
  )
}

function ToolTags({ band: { compartments, top, height }, hull }: { readonly band: LoadBand; readonly hull: HullBox }) {
  const { loadLine, short } = useLanguage()
  const width = hull.right - hull.left
  const tags = []
  let at = hull.left
  for (const [index, { tool, tokens, share }] of compartments.entries()) {
    const room = share * width - 14
    const left = at + 8 + (index === 0 ? 2 : 0)
    at += share * width
    // The bow is narrower than the deck.
    if (room < 96 || (index === compartments.length - 1 && room < 110)) continue
    tags.push(
      <span key={index} className="load-line-tag load-line-tag-tool" style={{ left, top: top + height - 14, maxWidth: room }}>
        <span>{tool === null ? '…' : tool === '' ? loadLine.unknownTool : visibleLine(tool, 40)}</span>
        <b>{short(tokens)}</b>
      </span>,
    )
  }
  return tags
}
