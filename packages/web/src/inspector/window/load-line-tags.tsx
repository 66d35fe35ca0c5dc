import { useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { CategoryIcon } from './category-icon.tsx'
import { deckSpace, type HullBox } from './hull-shape.ts'
import type { LoadBand, LoadLineLayout } from './load-line-layout.ts'

/** Thinner bands have no room for words; the table has them. */
const leastHeight = 21

/** What lies in the hull, written on it where there is room. For the eye only: the table says the same. */
export function LoadLineTags({ layout, hull }: { readonly layout: LoadLineLayout; readonly hull: HullBox }) {
  const { strings, short } = useLanguage()
  const words = strings.inspector
  const reserve = layout.loadLine - layout.deck
  return (
    <div className="load-line-tags" aria-hidden="true">
      {reserve < leastHeight || layout.numbers.overLine > 0 ? null : (
        <span className="load-line-tag" style={{ left: hull.left + 10, top: layout.deck + reserve / 2 }}>
          {words.loadLine.reserveRow} {short(layout.numbers.reserve)}
        </span>
      )}
      {layout.bands.map((band) => (
        <BandTags key={band.category} band={band} hull={hull} />
      ))}
    </div>
  )
}

function BandTags({ band, hull }: { readonly band: LoadBand; readonly hull: HullBox }) {
  const { strings, short } = useLanguage()
  const { category, tokens, top, height, compartments } = band
  if (height < leastHeight) return null
  const isOnDeck = top < hull.deck
  const hasTools = compartments.length > 1 && height >= leastHeight * 2 + 4 && !isOnDeck
  const middle = hasTools ? top + 14 : top + height / 2
  // The turn of the hull at the keel would cover what stands in its corner.
  const left = isOnDeck ? deckSpace(hull).left + 8 : hull.left + (hull.keel - middle < 24 ? 22 : 10)
  return (
    <>
      <span className="load-line-tag" style={{ left, top: isOnDeck ? top + height - 14 : middle }}>
        <CategoryIcon category={category} size={13} />
        {strings.fill.categories[category]}
        <b>{short(tokens)}</b>
      </span>
      {hasTools ? <ToolTags band={band} hull={hull} /> : null}
    </>
  )
}

function ToolTags({ band: { compartments, top, height }, hull }: { readonly band: LoadBand; readonly hull: HullBox }) {
  const { strings, short } = useLanguage()
  const words = strings.inspector.loadLine
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
        <span>{tool === null ? '…' : tool === '' ? words.unknownTool : visibleLine(tool, 40)}</span>
        <b>{short(tokens)}</b>
      </span>,
    )
  }
  return tags
}
