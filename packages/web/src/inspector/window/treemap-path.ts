import type { TreemapGroup, TreemapName } from './treemap-groups.ts'
import type { Tile } from './treemap-layout.ts'

/** The groups that lead to a tile, the outermost first and its own last. Empty for one with nothing inside. */
export function wayTo(tiles: readonly Tile[], place: number): readonly TreemapGroup[] {
  const way: TreemapGroup[] = []
  for (let tile = tiles[place]; tile !== undefined; tile = tile.within === null ? undefined : tiles[tile.within])
    if (tile.node.type === 'group' && tile.node.count > 0) way.unshift(tile.node)
  return tiles[place]?.node === way.at(-1) ? way : []
}

/** The same path in a tree that was made anew, as far as it is still there. What was put together as others is opened as it was. */
export function reopen(whole: TreemapGroup, path: readonly TreemapGroup[]): readonly TreemapGroup[] {
  const open: TreemapGroup[] = []
  let group = whole
  for (const step of path) {
    const next = step.name.kind === 'others' ? step : group.groups.find(({ name }) => isSame(name, step.name))
    if (next === undefined) break
    open.push(next)
    group = next
  }
  return open
}

function isSame(one: TreemapName, other: TreemapName): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
