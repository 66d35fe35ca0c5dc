import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sizeText } from '../../files/time-and-size.ts'
import { ifPossible } from '../../files/trouble.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { createGlobFilter, troubleInGlob } from '../search/glob-filter.ts'
import { counted, defineTool, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { createFolderReader, type FolderEntry } from './folder-reader.ts'

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
    const trouble = ignore.map(troubleInGlob).find((reason) => reason !== null)
    return trouble === undefined ? listFolder(place, context, ignore) : failed(trouble)
  },
})

const maxEntries = 500

/** The entries of a folder, as LS answers. */
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
