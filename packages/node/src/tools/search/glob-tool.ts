import { lstat, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import type { FileSystemAdapter } from 'tinyglobby'
import { z } from 'zod'
import { ifPossible } from '../../files/problem.ts'
import { isInside } from '../../files/read-text.ts'
import { createFolderReader, type FolderEntry, type FolderReader } from '../read/folder-reader.ts'
import { counted, defineTool, failed, told } from '../tool.ts'
import { inParallel } from '../work-limits.ts'
import { resolveInside, shownPath } from '../workspace.ts'

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
    const problem = isAbsolute(pattern) ? `the pattern leads out of ${shownPath(place.shown)}` : problemInGlob(pattern)
    if (problem !== null) return failed(problem)

    const { glob } = await import('tinyglobby')
    const limit = AbortSignal.timeout(maxMilliseconds)
    const signal = AbortSignal.any([context.signal, limit])
    const fs = fileSystemOf(await createFolderReader(context.root, place.shown, signal), context.root)
    const plain = { dot: true, expandDirectories: false, followSymbolicLinks: false, extglob: false }
    const options = { cwd: place.path, fs, signal, ...plain }
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
  const entriesOf = async (folder: string) => {
    const path = relative(root, folder).replaceAll(sep, '/') || '.'
    // A pattern may start with the name of a link, whose folder counts as empty.
    const entries = isInside(root, await realpath(folder)) ? await reader.read(path) : []
    return entries.flatMap(({ name, kind, isIgnored }) => {
      const is = (sort: FolderEntry['kind']) => () => kind === sort
      return isIgnored ? [] : { name, isFile: is('file'), isDirectory: is('folder'), isSymbolicLink: is('link') }
    })
  }
  const readdir = (folder: string, _options: unknown, done: (error: Error | null, entries: readonly object[]) => void) => {
    entriesOf(folder).then(
      (entries) => done(null, entries),
      (error: unknown) => done(error as Error, []),
    )
  }
  return { readdir: readdir as unknown as NonNullable<FileSystemAdapter['readdir']> }
}

async function newestFirst(folder: string, files: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const timed = await inParallel(files, async (file) => ({
    file,
    time: signal.aborted ? 0 : ((await ifPossible(lstat(join(folder, file)), null))?.mtimeMs ?? 0),
  }))
  return timed.sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1)).map(({ file }) => file)
}

export function problemInGlob(glob: string): string | null {
  const shown = `the pattern ${JSON.stringify(shownPath(glob.slice(0, 80)))}`
  if (glob.trim() === '') return 'the pattern is empty'
  if (glob.length > maxGlob) return `${shown} has ${glob.length} characters; at most ${maxGlob} are allowed`
  if (glob.includes('\0')) return `${shown} holds a NUL character`
  // Wildcards become a regular expression whose time grows with the power of their number.
  if (
    glob.split('/').some((segment) => (segment.match(/\*+/g) ?? []).length > maxStars) ||
    (glob.match(/\*\*/g) ?? []).length > maxGlobstars
  )
    return `${shown} has too many "*"; at most ${maxStars} in a name and ${maxGlobstars} "**" in all are allowed`
  const spellings = expandBraces(glob)
  if (spellings === null) return `${shown} has too many alternatives in braces`
  // A backslash before a dot leaves it a dot.
  const leadsUp = spellings.some((spelling) => /^!?(?:.*\/)?\.\.(?:\/|$)/.test(spelling.replaceAll(/\\(?=[./])/g, '')))
  return leadsUp ? `${shown} leads out of the workspace` : null
}

/** Patterns without `/` match names in every folder, others paths from the workspace's folder; `!` in front negates. */
export async function createGlobFilter(globs: readonly string[]): Promise<(path: string) => boolean> {
  const { default: ignore } = await import('ignore')
  const filters = globs.map((glob) => {
    const isNegative = glob.startsWith('!')
    const patterns = (expandBraces(isNegative ? glob.slice(1) : glob) ?? []).map((pattern) => {
      // `./` has no meaning, and `#` starts a comment in the rules.
      const bare = pattern.replace(/^(?:\.\/+)+/, '/')
      return /^[#!]/.test(bare) ? `\\${bare}` : bare
    })
    const rules = ignore({ ignoreCase: false }).add(patterns)
    return (path: string) => ignore.isPathValid(path) && rules.ignores(path) !== isNegative
  })
  return (path) => filters.some((matches) => matches(path))
}

const maxGlob = 500
const maxStars = 3
const maxGlobstars = 4
const maxAlternatives = 100

/** Expands braces into all patterns; null if there are too many. Unclosed braces are literal. */
function expandBraces(glob: string): readonly string[] | null {
  let spellings: readonly string[] = [glob]
  for (let pending = true; pending; ) {
    pending = false
    const next: string[] = []
    for (const spelling of spellings) {
      // The innermost first, so that a pair of braces never holds another.
      const braces = /\{([^{},]*(?:,[^{},]*)+)\}/.exec(spelling)
      if (braces === null) next.push(spelling)
      else {
        pending = true
        const [head, tail] = [spelling.slice(0, braces.index), spelling.slice(braces.index + braces[0].length)]
        for (const alternative of (braces[1] as string).split(',')) next.push(head + alternative + tail)
      }
      if (next.length > maxAlternatives) return null
    }
    spellings = next
  }
  return spellings
}

export function globsOfType(type: string): readonly string[] {
  const name = type.toLowerCase().replace(/^\./, '')
  const extensions = types.find(([names]) => names.split(' ').includes(name))?.[1] ?? name
  return extensions.split(' ').map((extension) => `*.${extension}`)
}

const types = [
  ['ts typescript', 'ts tsx mts cts'],
  ['js javascript', 'js jsx mjs cjs vue'],
  ['py python', 'py pyi'],
  ['rust', 'rs'],
  ['ruby', 'rb gemspec'],
  ['c', 'c h'],
  ['cpp', 'cpp cc cxx hpp hh hxx h'],
  ['csharp', 'cs'],
  ['kotlin', 'kt kts'],
  ['md markdown', 'md markdown mdx'],
  ['yaml', 'yaml yml'],
  ['html', 'html htm'],
  ['css', 'css scss sass less'],
  ['sh shell', 'sh bash zsh'],
] as const
