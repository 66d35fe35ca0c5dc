import { z } from 'zod'
import { createFolderReader } from '../read/folder-reader.ts'
import { defineTool, failed, type Tool, told } from '../tool.ts'
import { missingText, resolveInside } from '../workspace.ts'
import { createGlobFilter, globsOfType, problemInGlob } from './glob-tool.ts'
import { searchFiles } from './own-search.ts'
import { findRipgrep, searchWithRipgrep } from './ripgrep.ts'
import { reportSearch, type Search, type SearchRequest } from './search-report.ts'

export const grepTool: Tool = createGrepTool()

/** Default: ripgrep if it is found, else our own search. */
export function createGrepTool(given?: Search): Tool {
  return defineTool({
    name: 'Grep',
    description:
      'Looks for a regular expression in the files of the workspace and shows matching lines as path:line:text. What .gitignore leaves out and binary files are not searched. Narrow it with "path", "glob" or "type"; escape special characters with a backslash.',
    input: z.object({
      pattern: z.string().describe('The regular expression.'),
      path: z.string().optional().describe('The folder or file to search, relative to the workspace. Default: everything.'),
      glob: z.string().optional().describe('Only files that match, such as "*.ts" or "src/**/*.{js,ts}".'),
      type: z.string().optional().describe('Only files of a language or ending, such as "ts", "python", "md".'),
      context: z.number().int().min(0).max(20).optional().describe('Lines to show before and after each match. Default: 0.'),
      ignore_case: z.boolean().optional().describe('Default: false.'),
      output_mode: z
        .optional(z.enum(['content', 'files', 'count']))
        .describe('Lines, only the paths of files, or the number of matches in each file. Default: content.'),
      head_limit: z.number().int().min(1).max(2000).optional().describe('Matches to show, or files. Default: 100.'),
      multiline: z.boolean().optional().describe('Whether a match may go over several lines. Default: false.'),
    }),
    access: 'read',
    about: ({ pattern, path }) => (path === undefined ? pattern : `${pattern} in ${path}`),
    async run(input, context) {
      const { pattern, path = '.', output_mode: mode = 'content', head_limit: limit = 100 } = input
      const place = await resolveInside(context.root, path)
      if ('reason' in place) return failed(place.reason)
      if (place.kind === 'missing') return failed(await missingText(place))
      const globs = [
        ...(input.glob === undefined ? [] : [input.glob]),
        ...(input.type === undefined ? [] : globsOfType(input.type)),
      ]
      const problem = problemInPattern(pattern) ?? globs.map(problemInGlob).find((reason) => reason !== null) ?? null
      if (problem !== null) return failed(problem)

      const matchesGlob = input.glob === undefined ? null : await createGlobFilter([input.glob])
      const matchesType = input.type === undefined ? null : await createGlobFilter(globsOfType(input.type))
      const timer = AbortSignal.timeout(maxMilliseconds)
      const signal = AbortSignal.any([context.signal, timer])
      const request: SearchRequest = {
        root: context.root,
        place,
        reader: await createFolderReader(context.root, place.kind === 'file' ? '.' : place.shown, signal),
        pattern,
        ignoresCase: input.ignore_case === true,
        isMultiline: input.multiline === true,
        context: mode === 'content' ? (input.context ?? 0) : 0,
        isFirstEnough: mode === 'files',
        // If both are given, both have to match, and ripgrep takes one of several for enough.
        globs: input.glob === undefined ? globs : [input.glob],
        wants: (file) => (matchesGlob?.(file) ?? true) && (matchesType?.(file) ?? true),
        signal,
      }
      const options = { mode, limit, context: request.context, strings: context.strings }
      try {
        const program = given === undefined ? await findRipgrep(context.environment, context.root) : null
        const search = given ?? (program === null ? searchFiles : searchWithRipgrep(program))
        let report = await reportSearch(search(request), options)
        if ('reason' in report && report.otherSyntax) report = await reportSearch(searchFiles(request), options)
        if ('reason' in report) {
          const shown = JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 79)}…` : pattern)
          const hint = 'To look for special characters themselves, escape them with a backslash, as in "\\\\(".'
          return failed(`the pattern ${shown} cannot be used: ${report.reason}. ${hint}`)
        }
        return told(report.text, { pattern, path: place.shown, matches: report.matches, files: report.files })
      } catch (error) {
        context.signal.throwIfAborted()
        if (timer.aborted)
          return failed(`the search was ended after ${maxMilliseconds / 1000} seconds; narrow it with path, glob or type`)
        throw error
      }
    },
  })
}

const maxMilliseconds = 30_000
const maxPattern = 1000

function problemInPattern(pattern: string): string | null {
  if (pattern === '') return 'the pattern is empty'
  if (pattern.includes('\0')) return 'the pattern holds a NUL character'
  return pattern.length > maxPattern ? `the pattern has ${pattern.length} characters; at most ${maxPattern} are looked for` : null
}
