import type { EntryHead } from './entry.ts'

/** The heads of a file in order, and where each id stands among them; -1 for an id that is not there. */
export interface EntryTree<Head extends EntryHead = EntryHead> {
  readonly heads: readonly Head[]
  readonly indexOf: (id: string) => number
}

/** The entry that another one continues. */
export interface Parent {
  /** Its place in the file; -1 where there is none. */
  readonly index: number
  /** Whether the entry that was meant is not there, so that the nearest one before takes its place. */
  readonly isLost: boolean
}

/** The entries from the first one of a file to a leaf, in order. Nothing after a lost entry is lost with it. */
export function branchOf<Head extends EntryHead>(tree: EntryTree<Head>, leaf: number): readonly Head[] {
  const path: Head[] = []
  for (let index = leaf; index >= 0; ) {
    const head = tree.heads[index]
    if (head === undefined) break
    path.push(head)
    index = parentOf(tree, index).index
  }
  return path.reverse()
}

/** The parent of an entry. It always stands earlier in the file, so that no way up is endless. */
export function parentOf(tree: EntryTree, index: number): Parent {
  const parentId = tree.heads[index]?.parentId ?? null
  if (parentId === null) return { index: index - 1, isLost: index > 0 }
  const parent = tree.indexOf(parentId)
  return parent >= 0 && parent < index ? { index: parent, isLost: false } : { index: index - 1, isLost: true }
}
