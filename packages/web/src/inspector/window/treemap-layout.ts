import { hierarchy, treemap } from 'd3-hierarchy'
import type { MessageTable } from '../../../../node/src/shared/inspection/inspection.ts'
import { insideGroup, type TreemapGroup, type TreemapNode } from './treemap-groups.ts'

export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface Tile {
  readonly node: TreemapNode
  readonly box: Box
  /** The place of its group in the list of tiles; null if it is in the treemap itself. */
  readonly within: number | null
  /** Whether others are in it, below a heading. */
  readonly isFrame: boolean
}

export const headingHeight = 22

/** Tiles smaller than this (in square pixels) are put together as one. */
const minArea = 700
const maxTiles = 240
/** Frames inside frames inside frames: category, tool, messages. */
const maxDepth = 3

/** Lays out what is in a group, and in large enough groups what is in those. Areas are in proportion to tokens inside each. */
export function layOutTreemap(
  group: TreemapGroup,
  table: MessageTable,
  sizes: readonly number[],
  width: number,
  height: number,
): readonly Tile[] {
  const tiles: Tile[] = []
  const fill = (from: TreemapGroup, box: Box, within: number | null, depth: number) => {
    const area = box.width * box.height
    const room = Math.max(2, Math.floor((maxTiles * area) / (width * height)))
    const nodes = insideGroup(from, table, sizes, room, (from.tokens * minArea) / Math.max(1, area))
    for (const [index, place] of divide(nodes, box).entries()) {
      const node = nodes[index] as TreemapNode
      const inside = innerBox(place)
      const isFrame =
        depth < maxDepth && inside !== null && node.type === 'group' && node.name.kind !== 'others' && node.count > 1
      const at = tiles.push({ node, box: place, within, isFrame }) - 1
      if (isFrame) fill(node, inside, at, depth + 1)
    }
  }
  if (width > 0 && height > 0) fill(group, { left: 0, top: 0, width, height }, null, 1)
  return tiles
}

/** The tile that an arrow key leads to, or the same one if there is none that way: the nearest one beyond the edge on that side. */
export function neighbour(tiles: readonly Tile[], from: number, direction: 'left' | 'right' | 'up' | 'down'): number {
  const start = tiles[from]
  if (start === undefined) return tiles.length > 0 ? 0 : -1
  const isBack = direction === 'left' || direction === 'up'
  const isAcross = direction === 'left' || direction === 'right'
  const here = spanned(start)
  let best = from
  let nearest = Number.POSITIVE_INFINITY
  for (const [index, tile] of tiles.entries()) {
    if (index === from) continue
    const there = spanned(tile)
    const [along, along2] = isAcross ? [here.x, there.x] : [here.y, there.y]
    const [aside, aside2] = isAcross ? [here.y, there.y] : [here.x, there.x]
    const ahead = isBack ? along.from - along2.to : along2.from - along.to
    if (ahead < -0.5) continue
    // A tile that only touches at a corner is not straight ahead.
    const apart = Math.max(0, aside.from - aside2.to + 1, aside2.from - aside.to + 1)
    // Of tiles straight ahead, the one whose middle is nearest.
    const distance = Math.max(0, ahead) + apart * 2 + Math.abs(aside.middle - aside2.middle) / 1000
    if (distance >= nearest) continue
    nearest = distance
    best = index
  }
  return best
}

/** How far a tile reaches both ways; of a frame its heading, whose middle is where its name is, so that its first tile is below it. */
function spanned({ box, isFrame }: Tile) {
  const { left, top, width } = box
  const height = isFrame ? headingHeight : box.height
  return {
    x: { from: left, to: left + width, middle: left + (isFrame ? Math.min(width, 80) : width) / 2 },
    y: { from: top, to: top + height, middle: top + height / 2 },
  }
}

type Leaf = { readonly tokens: number; readonly children?: readonly Leaf[] }

function divide(nodes: readonly TreemapNode[], { left, top, width, height }: Box): readonly Box[] {
  const root = hierarchy<Leaf>({ tokens: 0, children: nodes.map(({ tokens }) => ({ tokens })) }, (leaf) => leaf.children)
  const laidOut = treemap<Leaf>().size([width, height])(root.sum(({ tokens }) => tokens))
  return (laidOut.children ?? []).map(({ x0, y0, x1, y1 }) => ({
    left: left + x0,
    top: top + y0,
    width: x1 - x0,
    height: y1 - y0,
  }))
}

/** The room in a box below its heading, or null if it is too small to have anything inside. */
function innerBox({ left, top, width, height }: Box): Box | null {
  if (width < 72 || height < headingHeight + 28) return null
  return { left: left + 3, top: top + headingHeight, width: width - 6, height: height - headingHeight - 3 }
}

/** The groups that lead to a tile, the outermost first and its own last. Empty for one with nothing inside. */
export function wayTo(tiles: readonly Tile[], place: number): readonly TreemapGroup[] {
  const way: TreemapGroup[] = []
  for (let tile = tiles[place]; tile !== undefined; tile = tile.within === null ? undefined : tiles[tile.within])
    if (tile.node.type === 'group' && tile.node.count > 0) way.unshift(tile.node)
  return tiles[place]?.node === way.at(-1) ? way : []
}

/** The same path in a tree that was made again, as far as it is still there. A group of others is opened as it was. */
export function reopen(whole: TreemapGroup, path: readonly TreemapGroup[]): readonly TreemapGroup[] {
  const open: TreemapGroup[] = []
  let group = whole
  for (const step of path) {
    const wanted = JSON.stringify(step.name)
    const next = step.name.kind === 'others' ? step : group.groups.find(({ name }) => JSON.stringify(name) === wanted)
    if (next === undefined) break
    open.push(next)
    group = next
  }
  return open
}
