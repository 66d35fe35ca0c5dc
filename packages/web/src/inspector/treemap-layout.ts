import type { MessageTable } from '@plimsoll/core'
import { hierarchy, treemap } from 'd3-hierarchy'
import { insideGroup, type TreemapGroup, type TreemapNode } from './treemap-groups.ts'

/** A rectangle. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Something of a treemap with its place. */
export interface Tile {
  readonly node: TreemapNode
  readonly box: Box
  /** The group it stands in: its place in the list of tiles; null where it stands in the treemap itself. */
  readonly within: number | null
  /** Whether others stand in it, below a heading. */
  readonly isFrame: boolean
}

/** The height of a frame's heading. */
export const headingHeight = 22

/** Tiles smaller than this (in square pixels) are put together as one. */
const leastArea = 700

/** So many tiles at most in one treemap. */
const mostTiles = 240

/** Frames inside frames inside frames: category, tool, messages. */
const deepest = 3

/** Lays out what stands in a group, and in large enough groups what stands in those. Areas are in proportion to tokens inside each. */
export function layOutTreemap(
  group: TreemapGroup,
  table: MessageTable,
  sizes: readonly number[],
  width: number,
  height: number,
): readonly Tile[] {
  const tiles: Tile[] = []
  const fill = (from: TreemapGroup, box: Box, within: number | null, depth: number) => {
    const room = Math.max(2, Math.floor((mostTiles * box.width * box.height) / (width * height)))
    const nodes = insideGroup(from, table, sizes, room, leastTokens(from, box))
    for (const [index, place] of divide(nodes, box).entries()) {
      const node = nodes[index] as TreemapNode
      const inside = innerBox(place)
      const isFrame = depth < deepest && inside !== null && node.type === 'group' && node.name.kind !== 'others' && node.count > 1
      const at = tiles.push({ node, box: place, within, isFrame }) - 1
      if (isFrame) fill(node, inside, at, depth + 1)
    }
  }
  if (width > 0 && height > 0) fill(group, { left: 0, top: 0, width, height }, null, 1)
  return tiles
}

/** The tile that an arrow key leads to, or the same one where there is none that way. */
export function neighbour(tiles: readonly Tile[], from: number, direction: 'left' | 'right' | 'up' | 'down'): number {
  const start = tiles[from]
  if (start === undefined) return tiles.length > 0 ? 0 : -1
  const here = centre(start)
  let best = from
  let nearest = Number.POSITIVE_INFINITY
  for (const [index, tile] of tiles.entries()) {
    const there = centre(tile)
    const across = direction === 'left' || direction === 'right' ? there.x - here.x : there.y - here.y
    const aside = direction === 'left' || direction === 'right' ? there.y - here.y : there.x - here.x
    const ahead = direction === 'left' || direction === 'up' ? -across : across
    if (index === from || ahead <= 0.5) continue
    const distance = ahead + Math.abs(aside) * 2
    if (distance >= nearest) continue
    nearest = distance
    best = index
  }
  return best
}

/** The middle of a tile; of a frame, where its name stands, so that what lies below it is its first. */
function centre({ box, isFrame }: Tile): { readonly x: number; readonly y: number } {
  if (isFrame) return { x: box.left + Math.min(box.width, 80) / 2, y: box.top + headingHeight / 2 }
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 }
}

function divide(nodes: readonly TreemapNode[], { left, top, width, height }: Box): readonly Box[] {
  interface Leaf {
    readonly tokens: number
    readonly children?: readonly Leaf[]
  }
  const root = hierarchy<Leaf>({ tokens: 0, children: nodes.map(({ tokens }) => ({ tokens })) }, (leaf) => leaf.children)
  const laidOut = treemap<Leaf>().size([width, height])(root.sum(({ tokens }) => tokens))
  return (laidOut.children ?? []).map(({ x0, y0, x1, y1 }) => ({
    left: left + x0,
    top: top + y0,
    width: x1 - x0,
    height: y1 - y0,
  }))
}

/** What a box leaves below its heading, or null where it is too small to have anything inside. */
function innerBox({ left, top, width, height }: Box): Box | null {
  if (width < 72 || height < headingHeight + 28) return null
  return { left: left + 3, top: top + headingHeight, width: width - 6, height: height - headingHeight - 3 }
}

function leastTokens({ tokens }: TreemapGroup, { width, height }: Box): number {
  return (tokens * leastArea) / Math.max(1, width * height)
}
