import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ifPossible } from '../../files/problem.ts'
import { sizeText } from '../../files/time-and-size.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { createGlobFilter, problemInGlob } from '../search/glob-tool.ts'
import { counted, defineTool, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { createFolderReader, type FolderEntry, type FolderReader } from './folder-reader.ts'

export const listTool = defineTool({
  name: 'LS',
  description:
    'Lists the entries of one folder of the workspace: folders end in "/", files have their size. Hidden ones are shown, those that .gitignore leaves out are counted. For a tree use get_repo_structure, to find files by name use Glob.',
  input: z.object({
    path: z.string().optional().describe('The folder, relative to the workspace. Default: the workspace itself.'),
    ignore: z.array(z.string()).max(50).optional().describe('Glob patterns of entries to leave out, such as "*.log".'),
  }),
  access: 'read',
  about: ({ path }) => path ?? '.',
  async run({ path = '.', ignore = [] }, context) {
    const place = await resolveInside(context.root, path)
    if ('reason' in place) return failed(place.reason)
    if (place.kind === 'missing') return failed(`${shownPath(place.shown)} does not exist`)
    if (place.kind === 'file') return failed(`${shownPath(place.shown)} is a file, not a folder; use Read`)
    const trouble = ignore.map(problemInGlob).find((reason) => reason !== null)
    return trouble === undefined ? listFolder(place, context, ignore) : failed(trouble)
  },
})

const maxEntries = 500

export async function listFolder(place: Inside, context: ToolContext, ignore: readonly string[] = []): Promise<ToolOutcome> {
  const name = shownPath(place.shown)
  try {
    const reader = await createFolderReader(context.root, place.shown, context.signal)
    const found = await reader.read(place.shown)
    const isUnwanted = await createGlobFilter(ignore)
    const wanted = ignore.length === 0 ? found : found.filter(({ name: own, path }) => !isUnwanted(own) && !isUnwanted(path))
    const entries = wanted.filter(({ isIgnored }) => !isIgnored)
    context.signal.throwIfAborted()
    const lines = await Promise.all(entries.slice(0, maxEntries).map((entry) => entryLine(context.root, entry)))
    const folders = entries.filter(({ kind }) => kind === 'folder').length
    const ignored = wanted.length - entries.length
    const hidden = [
      ...(ignored > 0 ? [`${ignored} that .gitignore leaves out`] : []),
      ...(found.length > wanted.length ? [`${found.length - wanted.length} that match "ignore"`] : []),
    ]
    return told(
      [
        `Contents of ${name}: ${counted(folders, 'folder')}, ${counted(entries.length - folders, 'file')}`,
        ...lines,
        ...(entries.length > maxEntries ? [`(truncated: and ${entries.length - maxEntries} more; narrow it with Glob)`] : []),
        ...(hidden.length > 0 ? [`Note: not shown: ${hidden.join(', ')}`] : []),
      ].join('\n'),
      { path: place.shown, entries: entries.length, ignored },
    )
  } catch (error) {
    if (context.signal.aborted) throw error
    return failed(refusalOf(error, name).reason)
  }
}

async function entryLine(root: string, { name, path, kind }: FolderEntry): Promise<string> {
  const shown = shownPath(name)
  switch (kind) {
    case 'folder':
      return `${shown}/`
    case 'link': {
      const target = await ifPossible(readlink(join(root, path)), null)
      return target === null ? shown : `${shown} -> ${shownPath(target)}`
    }
    case 'file': {
      const stats = await ifPossible(lstat(join(root, path)), null)
      return stats === null ? shown : `${shown}  ${sizeText(stats.size)}`
    }
    case 'other':
      return `${shown}  (neither a file nor a folder)`
  }
}

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
      const { entries, closed, leftOut, ignored, lines } = tree
      const metadata = { path: place.shown, entries, closed, left_out: leftOut, ignored }
      return told([place.shown === '.' ? './' : `${name}/`, ...lines, ...remarks(tree, limits)].join('\n'), metadata)
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
  leftOut: number
  /** Whether it was never opened: it is too deep, there is no more room, or it cannot be read. */
  isClosed: boolean
}

/** Level by level, so that a short limit shows all of the upper levels before anything deep. */
async function readTree(reader: FolderReader, start: string, limits: Limits, signal: AbortSignal) {
  const root = nodeOf(start, start, true)
  let level: readonly Node[] = [root]
  let [entries, leftOut, ignored] = [0, 0, 0]
  for (let depth = 0; level.length > 0 && depth < limits.depth; depth += 1) {
    const next: Node[] = []
    for (const folder of level) {
      signal.throwIfAborted()
      const room = Math.max(0, limits.files - entries)
      const isOpen = room > 0 || depth === 0
      // Only the folder that was asked for has to be readable.
      const found = !isOpen ? null : await (depth === 0 ? reader.read(start) : ifPossible(reader.read(folder.path), null))
      if (found === null) {
        folder.isClosed = true
        continue
      }
      const kept = found.filter(({ isIgnored }) => !isIgnored)
      ignored += found.length - kept.length
      for (const { name, path, kind } of kept.slice(0, room)) {
        const node = nodeOf(kind === 'link' ? `${name}@` : name, path, kind === 'folder')
        folder.children.push(node)
        if (node.isFolder) next.push(node)
      }
      folder.leftOut = Math.max(0, kept.length - room)
      entries += Math.min(room, kept.length)
      leftOut += folder.leftOut
    }
    level = next
  }
  for (const folder of level) folder.isClosed = true
  return { ...drawn(root), entries, leftOut, ignored }
}

function nodeOf(name: string, path: string, isFolder: boolean): Node {
  return { name, path, isFolder, children: [], leftOut: 0, isClosed: false }
}

type TreeItem = { readonly depth: number } & ({ readonly node: Node } | { readonly more: number })

/** Without recursion, because folders can be nested endlessly. */
function drawn(root: Node) {
  const lines: string[] = []
  let closed = 0
  const stack: TreeItem[] = [{ node: root, depth: 0 }]
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const indent = '  '.repeat(item.depth)
    if ('more' in item) {
      lines.push(`${indent}… ${item.more} more`)
      continue
    }
    const { name, isFolder, isClosed, leftOut, children } = item.node
    if (isClosed) closed += 1
    if (item.depth > 0) lines.push(`${indent}${shownPath(name)}${isFolder ? '/' : ''}${isClosed ? ' …' : ''}`)
    const depth = item.depth + 1
    if (leftOut > 0) stack.push({ more: leftOut, depth })
    for (const node of children.toReversed()) stack.push({ node, depth })
  }
  return { lines, closed }
}

function remarks({ closed, leftOut, ignored, entries }: Awaited<ReturnType<typeof readTree>>, limits: Limits): readonly string[] {
  const said = [
    ...(leftOut > 0 ? [`${leftOut} entries not shown`] : []),
    ...(closed > 0 ? [`${counted(closed, 'folder')} marked … not opened`] : []),
  ]
  return [
    ...(entries === 0 ? ['Note: the folder is empty'] : []),
    ...(said.length > 0 ? [`(truncated at max_depth ${limits.depth} and max_files ${limits.files}: ${said.join(', ')})`] : []),
    ...(ignored > 0 ? [`Note: not shown: ${ignored} that .gitignore leaves out`] : []),
  ]
}
