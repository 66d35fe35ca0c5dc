import type { Dirent } from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { FileSystemAdapter } from 'tinyglobby'
import { z } from 'zod'
import { ifPossible } from '../../files/trouble.ts'
import { createFolderReader, type FolderEntry, type FolderReader } from '../read/folder-reader.ts'
import { counted, defineTool, failed, told } from '../tool.ts'
import { inParallel } from '../work-limits.ts'
import { isInside, resolveInside, shownPath } from '../workspace.ts'
import { troubleInGlob } from './glob-filter.ts'

export const globTool = defineTool({
  name: 'Glob',
  description:
    'Finds files of the workspace whose path matches a pattern, the latest changed first: "**/*.ts", "src/*.{js,ts}". What .gitignore leaves out is not found. To look into files use Grep.',
  input: z.object({
    pattern: z.string().describe('The pattern, relative to "path". "**" stands for any number of folders.'),
    path: z.string().optional().describe('The folder to look in, relative to the workspace. Default: the workspace itself.'),
  }),
  access: 'read',
  about: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
  async run({ pattern: given, path = '.' }, context) {
    const place = await resolveInside(context.root, path)
    if ('reason' in place) return failed(place.reason)
    if (place.kind !== 'folder')
      return failed(`${shownPath(place.shown)} ${place.kind === 'file' ? 'is a file' : 'does not exist'}`)
    const pattern = isAbsolute(given) && isInside(place.path, given) ? relative(place.path, given).replaceAll(sep, '/') : given
    const trouble = isAbsolute(pattern) ? `the pattern leads out of ${shownPath(place.shown)}` : troubleInGlob(pattern)
    if (trouble !== null) return failed(trouble)

    const { glob } = await import('tinyglobby')
    const limit = AbortSignal.timeout(maxMilliseconds)
    const signal = AbortSignal.any([context.signal, limit])
    const fs = fileSystemOf(await createFolderReader(context.root, place.shown, signal), context.root)
    const options = {
      cwd: place.path,
      fs,
      signal,
      dot: true,
      expandDirectories: false,
      followSymbolicLinks: false,
      extglob: false,
    }
    // Names with brackets are common, alternatives in brackets are not: those are written with braces.
    const found = await glob(pattern.replaceAll(/[()|]/g, '\\$&'), options)
    const files = await newestFirst(place.path, found, signal)
    context.signal.throwIfAborted()

    const prefix = place.shown === '.' ? '' : `${place.shown}/`
    const where = place.shown === '.' ? '' : ` in ${shownPath(place.shown)}`
    const late = limit.aborted ? [`(truncated: stopped after ${maxMilliseconds / 1000} seconds; look in a smaller folder)`] : []
    const hint = pattern.includes('/') ? '' : '; to look in all folders below, put "**/" before it'
    if (files.length === 0) return told([`No files match ${shownPath(pattern)}${where}${hint}`, ...late].join('\n'))
    return told(
      [
        `Found ${counted(files.length, 'file')}${where}, the latest changed first`,
        ...files.slice(0, maxFiles).map((file) => shownPath(prefix + file)),
        ...(files.length > maxFiles ? [`(truncated: and ${files.length - maxFiles} more; use a narrower pattern)`] : []),
        ...late,
      ].join('\n'),
      { pattern: given, path: place.shown, files: files.length },
    )
  },
})

const maxFiles = 1000
const maxMilliseconds = 20_000

/** The file system without ignored entries: folders that are never opened cost nothing. */
function fileSystemOf(reader: FolderReader, root: string): FileSystemAdapter {
  const readdir = (folder: string, _options: unknown, done: (error: Error | null, entries: readonly Dirent[]) => void) => {
    readInside(reader, root, folder).then(
      (entries) => done(null, entries.filter(({ isIgnored }) => !isIgnored).map(direntOf)),
      (error: unknown) => done(error as Error, []),
    )
  }
  return { readdir: readdir as unknown as NonNullable<FileSystemAdapter['readdir']> }
}

/** A pattern that starts with the name of a link has its folder opened by that name, wherever it leads: it counts as empty. */
async function readInside(reader: FolderReader, root: string, folder: string): Promise<readonly FolderEntry[]> {
  const path = relative(root, folder).replaceAll(sep, '/') || '.'
  return isInside(root, await realpath(folder)) ? reader.read(path) : []
}

function direntOf({ name, kind }: FolderEntry): Dirent {
  const is = (sort: FolderEntry['kind']) => () => kind === sort
  return { name, isFile: is('file'), isDirectory: is('folder'), isSymbolicLink: is('link') } as unknown as Dirent
}

async function newestFirst(folder: string, files: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const timed = await inParallel(files, async (file) => ({
    file,
    time: signal.aborted ? 0 : ((await ifPossible(lstat(join(folder, file)), null))?.mtimeMs ?? 0),
  }))
  return timed.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file)
}
