import { z } from 'zod'
import { defineTool, failed, told } from '../tool.ts'
import { refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { createFolderReader, type FolderReader } from './folder-reader.ts'

/** Shows the workspace as a tree. */
export const repoStructureTool = defineTool({
  name: 'get_repo_structure',
  description:
    'Shows a folder of the workspace as a tree, as deep and as long as its limits allow; what .gitignore leaves out is not in it. What was left out is said at the end: ask for a folder of it by "path".',
  input: z.object({
    path: z.string().optional().describe('The folder, relative to the workspace. Default: the workspace itself.'),
    max_depth: z.number().int().min(1).max(100).optional().describe('Levels of folders. Default: the setting, 3 at first.'),
    max_files: z.number().int().min(1).max(10_000).optional().describe('Entries in all. Default: the setting, 500 at first.'),
  }),
  access: 'read',
  about: ({ path }) => path ?? '.',
  async run({ path = '.', max_depth, max_files }, context) {
    const place = await resolveInside(context.root, path)
    if ('reason' in place) return failed(place.reason)
    const name = shownPath(place.shown)
    if (place.kind !== 'folder') return failed(`${name} ${place.kind === 'file' ? 'is a file; use Read' : 'does not exist'}`)
    const settings = context.config.tool_output_limits.tools['get_repo_structure']
    const limits = { depth: max_depth ?? settings?.max_depth ?? 3, files: max_files ?? settings?.max_files ?? 500 }
    try {
      const reader = await createFolderReader(context.root, place.shown, context.signal)
      const tree = await readTree(reader, place.shown, limits, context.signal)
      return told([place.shown === '.' ? './' : `${name}/`, ...treeLines(tree), ...remarks(tree, limits)].join('\n'), {
        path: place.shown,
        entries: tree.entries,
        closed: tree.closed,
        left_out: tree.leftOut,
        ignored: tree.ignored,
      })
    } catch (error) {
      if (context.signal.aborted) throw error
      return failed(refusalOf(error, name).reason)
    }
  },
})

interface Limits {
  readonly depth: number
  readonly files: number
}

interface Node {
  readonly name: string
  readonly path: string
  readonly isFolder: boolean
  readonly children: Node[]
  /** Entries of this folder that found no room. */
  leftOut: number
  /** Whether it was never opened: it lies too deep, there is no more room, or nobody may read it. */
  isClosed: boolean
}

interface Tree {
  readonly root: Node
  readonly entries: number
  /** Folders that were not opened because they lie too deep. */
  readonly closed: number
  readonly leftOut: number
  readonly ignored: number
}

/** Level by level, so that a short limit shows all of the upper levels before anything deep. */
async function readTree(reader: FolderReader, start: string, limits: Limits, signal: AbortSignal): Promise<Tree> {
  const root: Node = { name: start, path: start, isFolder: true, children: [], leftOut: 0, isClosed: false }
  let level: readonly Node[] = [root]
  let [entries, leftOut, ignored, depth] = [0, 0, 0, 0]
  while (level.length > 0 && depth < limits.depth) {
    const next: Node[] = []
    for (const folder of level) {
      signal.throwIfAborted()
      if (entries >= limits.files && depth > 0) {
        folder.isClosed = true
        continue
      }
      const found = depth === 0 ? await reader.read(start) : await readOrClose(reader, folder)
      const kept = found.filter(({ isIgnored }) => !isIgnored)
      ignored += found.length - kept.length
      const room = Math.max(0, limits.files - entries)
      for (const { name, path, kind } of kept.slice(0, room)) {
        const node: Node = {
          name: kind === 'link' ? `${name}@` : name,
          path,
          isFolder: kind === 'folder',
          children: [],
          leftOut: 0,
          isClosed: false,
        }
        folder.children.push(node)
        if (node.isFolder) next.push(node)
      }
      folder.leftOut = Math.max(0, kept.length - room)
      entries += Math.min(room, kept.length)
      leftOut += folder.leftOut
    }
    level = next
    depth += 1
  }
  for (const folder of level) folder.isClosed = true
  return { root, entries, closed: countClosed(root), leftOut, ignored }
}

async function readOrClose(reader: FolderReader, folder: Node): ReturnType<FolderReader['read']> {
  try {
    return await reader.read(folder.path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    folder.isClosed = true
    return []
  }
}

type TreeItem = { readonly depth: number } & ({ readonly node: Node } | { readonly more: number })

/** Nodes in the order of a tree, each with its level; no recursion, because folders can be nested without end. */
function* inOrder(root: Node): Generator<TreeItem, void> {
  const stack: TreeItem[] = [{ node: root, depth: 0 }]
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    yield item
    if (!('node' in item)) continue
    const depth = item.depth + 1
    if (item.node.leftOut > 0) stack.push({ more: item.node.leftOut, depth })
    for (const child of item.node.children.toReversed()) stack.push({ node: child, depth })
  }
}

function treeLines(tree: Tree): readonly string[] {
  const lines: string[] = []
  for (const item of inOrder(tree.root)) {
    const indent = '  '.repeat(item.depth)
    if (!('node' in item)) lines.push(`${indent}… ${item.more} more`)
    else if (item.depth > 0) {
      const { name, isFolder, isClosed } = item.node
      lines.push(`${indent}${shownPath(name)}${isFolder ? '/' : ''}${isClosed ? ' …' : ''}`)
    }
  }
  return lines
}

function countClosed(root: Node): number {
  let count = 0
  for (const item of inOrder(root)) if ('node' in item && item.node.isClosed) count += 1
  return count
}

function remarks({ closed, leftOut, ignored, entries }: Tree, limits: Limits): readonly string[] {
  const said = [
    ...(leftOut > 0 ? [`${leftOut} entries not shown`] : []),
    ...(closed > 0 ? [`${closed} ${closed === 1 ? 'folder' : 'folders'} marked … not opened`] : []),
  ]
  return [
    ...(entries === 0 ? ['Note: the folder is empty'] : []),
    ...(said.length > 0 ? [`(truncated at max_depth ${limits.depth} and max_files ${limits.files}: ${said.join(', ')})`] : []),
    ...(ignored > 0 ? [`Note: not shown: ${ignored} that .gitignore leaves out`] : []),
  ]
}
