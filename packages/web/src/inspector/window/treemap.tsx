import type { WindowCategory } from '@plimsoll/core/bill'
import { ArrowUp, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { useWidth } from '../../parts/browser.ts'
import { Button, Select } from '../../parts/controls.tsx'
import { type Language, useLanguage } from '../../parts/language.tsx'
import { visibleLine } from '../../parts/safe-text.ts'
import { useInspector } from '../source/inspector-source.ts'
import { CategoryIcon } from './category.tsx'
import { groupMessages, onlyMessage, sizesAsSent, type TreemapGroup, type TreemapNode } from './treemap-groups.ts'
import { headingHeight, layOutTreemap, neighbour, reopen, type Tile, wayTo } from './treemap-layout.ts'
import './treemap.css'

/** Shows what is largest, as areas: by category, by tool, down to one message. */
export function Treemap({ inspection }: { readonly inspection: Inspection }) {
  const { treemap, sentences } = useLanguage()
  const [what, setWhat] = useState<'shown' | 'stored'>('shown')
  const { messages, fill } = inspection
  const sizes = useMemo(() => (what === 'shown' ? sizesAsSent(messages, fill) : messages.tokens), [what, messages, fill])
  const whole = useMemo(() => groupMessages(messages, sizes, fill.categories), [messages, sizes, fill])
  // Groups are made again when the session continues; their names stay.
  const [path, setPath] = useState<readonly TreemapGroup[]>([])
  const open = useMemo(() => reopen(whole, path), [whole, path])
  return (
    <section className="card treemap" aria-label={treemap.title}>
      <div className="treemap-head">
        <h2>{treemap.title}</h2>
        <Select
          className="button small"
          aria-label={treemap.sizes}
          value={what}
          options={(['shown', 'stored'] as const).map((name) => [name, treemap[name]])}
          onChoose={setWhat}
        />
      </div>
      <p className="muted small">{sentences(treemap.about, treemap.keys)}</p>
      <Path whole={whole} path={open} onPath={setPath} />
      <Tiles
        key={what}
        inspection={inspection}
        sizes={sizes}
        group={open.at(-1) ?? whole}
        total={whole.tokens}
        onOpen={(groups) => setPath([...open, ...groups])}
        onUp={() => setPath(open.slice(0, -1))}
      />
    </section>
  )
}

interface PathProps {
  readonly whole: TreemapGroup
  readonly path: readonly TreemapGroup[]
  readonly onPath: (path: readonly TreemapGroup[]) => void
}

function Path({ whole, path, onPath }: PathProps) {
  const language = useLanguage()
  const { treemap } = language
  return (
    <nav className="treemap-path" aria-label={treemap.path}>
      <ol>
        {[whole, ...path].map((group, depth) => (
          <li key={depth}>
            {depth === 0 ? null : <ChevronRight size={14} aria-hidden />}
            {depth === path.length ? (
              <span aria-current="true">{nameOf(group, language)}</span>
            ) : (
              <button type="button" className="treemap-step" onClick={() => onPath(path.slice(0, depth))}>
                {nameOf(group, language)}
              </button>
            )}
            <span className="muted small">{language.short(group.tokens)}</span>
          </li>
        ))}
      </ol>
      {path.length === 0 ? null : <Button isSmall icon={ArrowUp} onClick={() => onPath(path.slice(0, -1))} text={treemap.up} />}
    </nav>
  )
}

interface TilesProps {
  readonly inspection: Inspection
  readonly sizes: readonly number[]
  readonly group: TreemapGroup
  readonly total: number
  /** Goes down these groups, one after the other. */
  readonly onOpen: (groups: readonly TreemapGroup[]) => void
  readonly onUp: () => void
}

const directions = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const

function Tiles({ inspection, sizes, group, total, onOpen, onUp }: TilesProps) {
  const { onOpenMessage } = useInspector()
  const language = useLanguage()
  const { treemap, number, percent } = language
  const [element, width] = useWidth()
  const height = width < 480 ? 420 : 440
  const tiles = useMemo(
    () => (width === 0 ? [] : layOutTreemap(group, inspection.messages, sizes, width, height)),
    [group, inspection, sizes, width, height],
  )
  const [current, setCurrent] = useState(0)
  const isMoving = useRef(false)
  /** The group that is left: until another one is drawn, the focus would go to a tile that is about to vanish. */
  const left = useRef<TreemapGroup | null>(null)
  useEffect(() => setCurrent(0), [group.name])
  useEffect(() => {
    if (!isMoving.current || left.current === group) return
    isMoving.current = false
    left.current = null
    element.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const isUp = event.key === 'Escape' || event.key === 'Backspace'
    const direction = directions[event.key as keyof typeof directions]
    if (!isUp && direction === undefined) return
    event.preventDefault()
    isMoving.current = true
    setCurrent(isUp ? 0 : neighbour(tiles, Math.min(current, tiles.length - 1), direction))
    if (isUp) onUp()
  }
  const chosen = Math.min(current, Math.max(0, tiles.length - 1))
  return (
    <div className="treemap-tiles" ref={element} style={{ height }} role="group" aria-label={treemap.title} onKeyDown={onKeyDown}>
      {width > 0 && tiles.length === 0 ? <p className="muted treemap-empty">{treemap.empty}</p> : null}
      {tiles.map((tile, index) => {
        const name = nodeName(tile.node, inspection, language)
        return (
          <TreemapTile
            key={`${index} ${name}`}
            tile={tile}
            name={tile.node.type === 'message' ? `#${language.ordinal(tile.node.number)}` : name}
            category={categoryOf(tile.node)}
            label={treemap.tile(name, number(tile.node.tokens), percent(total > 0 ? tile.node.tokens / total : 0))}
            isCurrent={index === chosen}
            onFocus={() => setCurrent(index)}
            onOpen={() => {
              const only = onlyMessage(tile.node)
              if (only !== null) return onOpenMessage(only)
              isMoving.current = true
              left.current = group
              setCurrent(0)
              onOpen(wayTo(tiles, index))
            }}
          />
        )
      })}
    </div>
  )
}

function categoryOf(node: TreemapNode): WindowCategory | null {
  if (node.type === 'message') return node.category
  return 'category' in node.name ? node.name.category : null
}

function nodeName(node: TreemapNode, { messages }: Inspection, language: Language): string {
  if (node.type === 'group') return nameOf(node, language)
  const tool = messages.toolNames[messages.tools[node.number] as number]
  const name = language.treemap.message(language.ordinal(node.number))
  return tool === undefined || tool === '' ? name : `${name} · ${visibleLine(tool, 40)}`
}

function nameOf({ name, count }: TreemapGroup, { treemap, loadLine, fill, number }: Language): string {
  switch (name.kind) {
    case 'whole':
      return treemap.whole
    case 'category':
      return fill.categories[name.category]
    case 'tool':
      return name.tool === '' ? loadLine.unknownTool : visibleLine(name.tool, 60)
    case 'others':
      return treemap.others(number(count))
  }
}

interface TreemapTileProps {
  readonly tile: Tile
  readonly name: string
  readonly category: WindowCategory | null
  /** Its full text, for screen readers. */
  readonly label: string
  readonly isCurrent: boolean
  readonly onFocus: () => void
  readonly onOpen: () => void
}

/** One area of the treemap. A frame around others is a heading to be opened. */
function TreemapTile({ tile, name, category, label, isCurrent, onFocus, onOpen }: TreemapTileProps) {
  const { short } = useLanguage()
  const { box, isFrame, node } = tile
  const isMessage = node.type === 'message'
  // The number of a message is not cut: the rest would be another one.
  const hasName = box.height > 20 && box.width > (isMessage ? 16 + 8 * name.length : Math.min(60, 24 + 8 * name.length))
  const hasTokens = isFrame ? box.width > 150 : hasName && box.width > 44 && box.height > 38
  const isGroup = node.type === 'group' && node.count > 0
  const kind = isFrame ? 'treemap-heading' : isGroup ? 'treemap-tile treemap-tile-group' : 'treemap-tile'
  return (
    <>
      {isFrame ? <div className={`treemap-frame category-${category ?? 'system'}`} style={box} /> : null}
      <button
        type="button"
        className={`${kind} category-${category ?? 'system'}`}
        style={{ ...box, height: isFrame ? headingHeight : box.height }}
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
