import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '@plimsoll/core/policies'
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
    const problem = ignore.map(problemInGlob).find((reason) => reason !== null)
    return problem === undefined ? listFolder(place, context, ignore) : failed(problem)
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
    'Shows a folder of the workspace as a tree, as deep and as long as its limits allow; what .gitignore leaves out is not in it. Omissions are listed at the end: ask for an omitted folder by "path".',
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
    const { default: common, tools } = context.config.tool_output_limits
    const settings = { ...common, ...tools['get_repo_structure'] }
    const limits = { depth: max_depth ?? settings.max_depth ?? 3, files: max_files ?? settings.max_files ?? 500 }
    try {
      const reader = remembering(await createFolderReader(context.root, place.shown, context.signal))
      const draw = async (files: number, limit: string) => {
        const tree = await readTree(reader, place.shown, { ...limits, files }, context.signal)
        const remarks = remarksOn(tree, `max_depth ${limits.depth} and ${limit}`)
        return { tree, text: [place.shown === '.' ? './' : `${name}/`, ...tree.lines, ...remarks].join('\n') }
      }
      const { tree, text } = await drawWithin(settings, limits.files, draw)
      const { entries, closed, leftOut, ignored } = tree
      return told(text, { path: place.shown, entries, closed, left_out: leftOut, ignored })
    } catch (error) {
      if (context.signal.aborted) throw error
      return failed(refusalOf(error, name).reason)
    }
  },
})

/** Draws as many entries as the limit of tool output allows, so that the tree is not cut a second time in its middle. */
async function drawWithin<T extends { readonly text: string }>(
  { max_chars, max_lines, truncation_strategy }: Config['tool_output_limits']['default'],
  files: number,
  draw: (files: number, limit: string) => Promise<T>,
): Promise<T> {
  const whole = await draw(files, `max_files ${files}`)
  const isTooLong = ({ text }: T) => text.length > max_chars
  const isTooHigh = ({ text }: T) => text.split('\n').length > max_lines
  if (truncation_strategy === 'summarize' || !(isTooLong(whole) || isTooHigh(whole))) return whole
  const limit = isTooLong(whole) ? `max_chars ${max_chars}` : `max_lines ${max_lines}`
  let [shown, count, tooMany] = [await draw(1, limit), 1, files]
  while (tooMany - count > 1) {
    const middle = (count + tooMany) >>> 1
    const attempt = await draw(middle, limit)
    if (isTooLong(attempt) || isTooHigh(attempt)) tooMany = middle
    else [shown, count] = [attempt, middle]
  }
  return shown
}

/** Reads each folder once. */
function remembering(reader: FolderReader): FolderReader {
  const known = new Map<string, ReturnType<FolderReader['read']>>()
  return {
    ...reader,
    read(folder) {
      const found = known.get(folder) ?? reader.read(folder)
      known.set(folder, found)
      return found
    },
  }
}

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

function remarksOn(
  { closed, leftOut, ignored, entries }: Awaited<ReturnType<typeof readTree>>,
  limits: string,
): readonly string[] {
  const said = [
    ...(leftOut > 0 ? [`${leftOut} entries not shown`] : []),
    ...(closed > 0 ? [`${counted(closed, 'folder')} marked … not opened`] : []),
  ]
  return [
    ...(entries === 0 ? ['Note: the folder is empty'] : []),
    ...(said.length > 0 ? [`(truncated at ${limits}: ${said.join(', ')})`] : []),
    ...(ignored > 0 ? [`Note: not shown: ${ignored} that .gitignore leaves out`] : []),
  ]
}
