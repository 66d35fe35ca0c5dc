import { setImmediate } from 'node:timers/promises'
import { escapeUnprintable, estimator } from '@plimsoll/core/text'
import { z } from 'zod'
import { createFolderReader, walkFiles } from '../read/folder-reader.ts'
import { defineTool, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { type Language, languageOf } from './languages.ts'
import { type RankedSymbol, rankSymbols } from './rank-symbols.ts'
import { readSource, type SourceFile } from './source-files.ts'

/** Shows the structure of a repository: which files define what, the most used first, within a number of tokens. */
export const repoMapTool = defineTool({
  name: 'repo_map',
  description:
    'Shows what the files of the repository define (classes, functions, methods, types, constants) with line numbers, the most used ' +
    'first. A good first look at unknown code.',
  access: 'read',
  input: z.object({
    max_tokens: z.int().min(100).max(100_000).default(2000).describe('How long the map may be.'),
    path: z.string().optional().describe('Only this folder or file.'),
    focus: z
      .union([z.string(), z.array(z.string()).max(100)])
      .optional()
      .describe('Names or paths that come first.'),
  }),
  about: ({ path, focus }) => [path ?? '.', ...listOf(focus)].join(' '),
  async run({ max_tokens, path = '.', focus }, context) {
    const place = await resolveInside(context.root, path)
    if ('reason' in place) return failed(place.reason)
    if (place.kind === 'missing') return failed(`${shownPath(place.shown)} does not exist`)
    const found = await findSources(place, context)
    if ('reason' in found) return failed(found.reason)
    const { files, isCut } = await readSources(found.sources, context)
    const symbols = rankSymbols(files, listOf(focus))
    const notes = [
      `Map of ${shownPath(place.shown)}: ${counted(symbols.length, 'symbol')} in ${counted(files.length, 'source file')}.`,
      ...(found.isCut ? [`Only the first ${mostFiles} source files are in it; give a path to see others.`] : []),
      ...(isCut ? ['Time was up before all files were read; give a path to see others.'] : []),
      ...(symbols.length === 0 ? ['No definitions were found: use Glob or LS.'] : []),
    ]
    const map = writeMap(symbols, notes, max_tokens)
    return told(map.text, { files: files.length, symbols: symbols.length, shown: map.shown })
  },
})

const mostFiles = 5000
const longestWork = 30_000
/** After so many milliseconds others get their turn. */
const longestTurn = 20

interface Source {
  readonly path: string
  readonly language: Language
}

type Found = { readonly sources: readonly Source[]; readonly isCut: boolean } | { readonly reason: string }

async function findSources({ shown, kind }: Inside, { root, signal }: ToolContext): Promise<Found> {
  const sources: Source[] = []
  if (kind === 'file') {
    const language = languageOf(shown)
    return language === null
      ? { reason: `${shownPath(shown)} is in no language whose definitions are known; use Read` }
      : { sources: [{ path: shown, language }], isCut: false }
  }
  try {
    for await (const path of walkFiles(await createFolderReader(root, shown, signal), shown, signal)) {
      const language = languageOf(path)
      if (language === null) continue
      if (sources.length === mostFiles) return { sources, isCut: true }
      sources.push({ path, language })
    }
    return { sources, isCut: false }
  } catch (error) {
    signal.throwIfAborted()
    return refusalOf(error, shownPath(shown))
  }
}

async function readSources(sources: readonly Source[], { root, signal, progress, now }: ToolContext) {
  const files: SourceFile[] = []
  const start = now()
  let [turn, lastPercent] = [performance.now(), -1]
  for (const [index, { path, language }] of sources.entries()) {
    if (now() - start > longestWork) return { files, isCut: true }
    const file = await readSource(root, path, language)
    if (file !== null) files.push(file)
    if (performance.now() - turn < longestTurn) continue
    await setImmediate()
    signal.throwIfAborted()
    turn = performance.now()
    const percent = Math.floor(((index + 1) / sources.length) * 100)
    if (percent === lastPercent) continue
    lastPercent = percent
    progress?.({ stage: 'parsing', message: `${index + 1} of ${sources.length} files`, progress: percent })
  }
  signal.throwIfAborted()
  return { files, isCut: false }
}

function listOf(focus: string | readonly string[] | undefined): readonly string[] {
  return focus === undefined ? [] : typeof focus === 'string' ? focus.split(/[\s,]+/).slice(0, 100) : focus
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** A map as the model reads it. */
interface WrittenMap {
  readonly text: string
  /** How many symbols it shows. */
  readonly shown: number
}

/** Writes as many of the symbols as fit into some tokens, the first ones first, by file and line. The notes always stand. */
function writeMap(symbols: readonly RankedSymbol[], notes: readonly string[], maxTokens: number): WrittenMap {
  let [fits, tooMany] = [0, Math.min(symbols.length, maxTokens) + 1]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >>> 1
    if (estimator.count(written(symbols, middle, notes)) <= maxTokens) fits = middle
    else tooMany = middle
  }
  return { text: written(symbols, fits, notes), shown: fits }
}

function written(symbols: readonly RankedSymbol[], count: number, notes: readonly string[]): string {
  const files = new Map<string, RankedSymbol[]>()
  for (const symbol of symbols.slice(0, count)) {
    const own = files.get(symbol.path)
    if (own === undefined) files.set(symbol.path, [symbol])
    else own.push(symbol)
  }
  const shown = count === symbols.length ? [] : [`The ${count} most used of ${symbols.length} symbols are shown.`]
  const lines = [...notes, ...shown]
  for (const [path, own] of files) {
    lines.push('', shownPath(path))
    for (const { line, signature, isMember } of own.sort((a, b) => a.line - b.line))
      lines.push(`${isMember ? '    ' : '  '}${line}: ${escapeUnprintable(signature)}`)
  }
  return lines.join('\n')
}
