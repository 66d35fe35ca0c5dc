import { lstat, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { sizeText } from '../../files/time-and-size.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { createGlobFilter, troubleInGlob } from '../search/glob-filter.ts'
import { defineTool, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { createFolderReader, type FolderEntry } from './folder-reader.ts'

/** Shows what is in a folder. */
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
    const lines = await Promise.all(entries.slice(0, mostEntries).map((entry) => entryLine(context.root, entry)))
    const folders = entries.filter(({ kind }) => kind === 'folder').length
    const hidden = [
      ...leftOut(wanted.length - entries.length, 'that .gitignore leaves out'),
      ...leftOut(found.length - wanted.length, 'that match "ignore"'),
    ]
    return told(
      [
        `Contents of ${name}: ${plural(folders, 'folder')}, ${plural(entries.length - folders, 'file')}`,
        ...lines,
        ...(entries.length > mostEntries ? [`(truncated: and ${entries.length - mostEntries} more; narrow it with Glob)`] : []),
        ...(hidden.length > 0 ? [`Note: not shown: ${hidden.join(', ')}`] : []),
      ].join('\n'),
      { path: place.shown, entries: entries.length, ignored: wanted.length - entries.length },
    )
  } catch (error) {
    if (context.signal.aborted) throw error
    return failed(refusalOf(error, name).reason)
  }
}

const mostEntries = 500

async function entryLine(root: string, { name, path, kind }: FolderEntry): Promise<string> {
  const shown = shownPath(name)
  if (kind === 'folder') return `${shown}/`
  try {
    if (kind === 'link') return `${shown} -> ${shownPath(await readlink(join(root, path)))}`
    return kind === 'file'
      ? `${shown}  ${sizeText((await lstat(join(root, path))).size)}`
      : `${shown}  (neither a file nor a folder)`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return shown
  }
}

function leftOut(count: number, why: string): readonly string[] {
  return count > 0 ? [`${count} ${why}`] : []
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
