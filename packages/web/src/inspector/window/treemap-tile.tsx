import type { WindowCategory } from '@plimsoll/core'
import { useLanguage } from '../../parts/language.tsx'
import { CategoryIcon } from './category-icon.tsx'
import { headingHeight, type Tile } from './treemap-layout.ts'

/** What a tile is given. */
export interface TreemapTileProps {
  readonly tile: Tile
  /** What is written on it. */
  readonly name: string
  readonly category: WindowCategory | null
  /** Everything it says, for those who do not see it. */
  readonly label: string
  readonly isCurrent: boolean
  readonly onFocus: () => void
  readonly onOpen: () => void
}

/** One area of the treemap. A frame around others is a heading to be opened. */
export function TreemapTile({ tile, name, category, label, isCurrent, onFocus, onOpen }: TreemapTileProps) {
  const { short } = useLanguage()
  const { box, isFrame, node } = tile
  const hasName = box.width > 40 && box.height > 20
  const hasTokens = isFrame ? box.width > 150 : box.width > 44 && box.height > 38
  const kind = isFrame
    ? 'treemap-heading'
    : node.type === 'group' && node.count > 0
      ? 'treemap-tile treemap-tile-group'
      : 'treemap-tile'
  return (
    <>
      {isFrame ? (
        <div
          className={`treemap-frame category-${category ?? 'system'}`}
          style={{ left: box.left, top: box.top, width: box.width, height: box.height }}
        />
      ) : null}
      <button
        type="button"
        className={`${kind} category-${category ?? 'system'}`}
        style={{ left: box.left, top: box.top, width: box.width, height: isFrame ? headingHeight : box.height }}
        title={label}
        tabIndex={isCurrent ? 0 : -1}
        onFocus={onFocus}
        onClick={onOpen}
      >
        {hasName ? (
          <span className="treemap-name" aria-hidden="true">
            {category !== null && box.width > 70 && tile.within === null ? <CategoryIcon category={category} size={13} /> : null}
            <span>{name}</span>
          </span>
        ) : null}
        {hasTokens ? (
          <span className="treemap-tokens" aria-hidden="true">
            {short(node.tokens)}
          </span>
        ) : null}
        <span className="visually-hidden">{label}</span>
      </button>
    </>
  )
}
