import { setImmediate } from 'node:timers/promises'
import { escapeUnprintable, estimator } from '@plimsoll/core/text'
import { z } from 'zod'
import { createFolderReader, walkFiles } from '../read/folder-reader.ts'
import { counted, defineTool, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, type Refused, refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { type Language, languageOf } from './languages.ts'
import { type RankedSymbol, rankSymbols } from './rank-symbols.ts'
import { readSource, type SourceFile } from './source-files.ts'

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
      ...(found.isCut ? [`Only the first ${maxFiles} source files are in it; give a path to see others.`] : []),
      ...(isCut ? ['Time was up before all files were read; give a path to see others.'] : []),
      ...(symbols.length === 0 ? ['No definitions were found: use Glob or LS.'] : []),
    ]
    const shown = howManyFit(symbols, notes, max_tokens)
    return told(mapOf(symbols, shown, notes), { files: files.length, symbols: symbols.length, shown })
  },
})

const maxFiles = 5000
const maxMilliseconds = 30_000
/** Milliseconds after which other work gets its turn. */
const maxTurn = 20

interface Source {
  readonly path: string
  readonly language: Language
}

type Found = { readonly sources: readonly Source[]; readonly isCut: boolean } | Refused

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
      if (sources.length === maxFiles) return { sources, isCut: true }
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
    if (now() - start > maxMilliseconds) return { files, isCut: true }
    const file = await readSource(root, path, language)
    if (file !== null) files.push(file)
    if (performance.now() - turn < maxTurn) continue
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

function howManyFit(symbols: readonly RankedSymbol[], notes: readonly string[], maxTokens: number): number {
  let [fits, tooMany] = [0, Math.min(symbols.length, maxTokens) + 1]
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >>> 1
    if (estimator.count(mapOf(symbols, middle, notes)) <= maxTokens) fits = middle
    else tooMany = middle
  }
  return fits
}

function mapOf(symbols: readonly RankedSymbol[], count: number, notes: readonly string[]): string {
  const shown = count === symbols.length ? [] : [`The ${count} most used of ${symbols.length} symbols are shown.`]
  const lines = [...notes, ...shown]
  for (const [path, own] of Map.groupBy(symbols.slice(0, count), (symbol) => symbol.path)) {
    lines.push('', shownPath(path))
    for (const { line, signature, isMember } of own.sort((a, b) => a.line - b.line))
      lines.push(`${isMember ? '    ' : '  '}${line}: ${escapeUnprintable(signature)}`)
  }
  return lines.join('\n')
}
