import { setImmediate } from 'node:timers/promises'
import { escapeUnprintable, estimator } from '@plimsoll/core/text'
import { z } from 'zod'
import { createFolderReader, walkFiles } from '../read/folder-reader.ts'
import { counted, defineTool, failed, type ToolContext, told } from '../tool.ts'
import { type Inside, refusalOf, resolveInside, shownPath } from '../workspace.ts'
import { type Language, languageOf } from './languages.ts'
import { readSource, type SourceFile, type SourceSymbol } from './source-files.ts'

export const repoMapTool = defineTool({
  name: 'repo_map',
  description:
    'Shows what the files of the repository define (classes, functions, methods, types, constants) with line numbers, the most used ' +
    'first. A good first look at unknown code.',
  access: 'read',
  input: z.object({
    max_tokens: z.int().min(100).max(100_000).default(2000).describe('How long the map may be.'),
    path: z.string().optional().describe('Only this folder or file.'),
    focus: z.optional(z.union([z.string(), z.array(z.string()).max(100)])).describe('Names or paths that come first.'),
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

async function findSources({ shown, kind }: Inside, { root, signal }: ToolContext) {
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
    // One line of a file may define several symbols.
    for (const [line, { signature, isMember }] of new Map(own.sort((a, b) => a.line - b.line).map((each) => [each.line, each])))
      lines.push(`${isMember ? '    ' : '  '}${line}: ${escapeUnprintable(signature)}`)
  }
  return lines.join('\n')
}

interface RankedSymbol extends SourceSymbol {
  readonly path: string
}

/** The most important first: a file counts as much as the files that use its names (PageRank), after those in focus. */
export function rankSymbols(files: readonly SourceFile[], focus: readonly string[] = []): readonly RankedSymbol[] {
  const wanted = focus.map((term) => term.replace(/^\.\//, '').replace(/(?<!\/)\/+$/, '')).filter((term) => term !== '')
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const inFocus = sorted.map(({ path }) =>
    wanted.some((term) => path === term || path.startsWith(`${term}/`) || path.endsWith(`/${term}`)),
  )
  const links = linksBetween(sorted)
  const ranks = rankFiles(sorted.length, links, inFocus)
  const scores = scoreNames(links, ranks)
  return sorted
    .flatMap(({ path, symbols }, file) =>
      symbols.map((symbol) => ({
        symbol: { path, ...symbol },
        isFirst: inFocus[file] === true || wanted.some((term) => symbol.name.toLowerCase() === term.toLowerCase()),
        score: scores.get(file)?.get(symbol.name) ?? 0,
        isOpen: symbol.isPublic && !symbol.isMember,
        file,
        rank: ranks[file] as number,
      })),
    )
    .sort(
      (a, b) =>
        Number(b.isFirst) - Number(a.isFirst) ||
        b.score - a.score ||
        Number(b.isOpen) - Number(a.isOpen) ||
        b.rank - a.rank ||
        a.file - b.file ||
        a.symbol.line - b.symbol.line,
    )
    .map(({ symbol }) => symbol)
}

interface Link {
  readonly from: number
  readonly to: number
  readonly name: string
  readonly share: number
}

/** A name that more files define says nothing about which of them is meant. */
const maxDefiners = 10
const rounds = 20
const faint = 0.05
/** Keeps a file that uses a single common name from giving all its weight to it. */
const doubt = 1
const damping = 0.85
const focusWeight = 50
/** A name that is likely to mean one thing: `line` is in every file, `parseLine` and `Parser` are not. */
const telling = /\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u

function linksBetween(files: readonly SourceFile[]): readonly Link[] {
  const definers = definersOf(files)
  const links: Link[] = []
  for (const [from, { uses }] of files.entries()) {
    const own: { to: number; name: string; weight: number }[] = []
    for (const [name, count] of uses) {
      const defined = definers.get(name)
      if (defined === undefined || defined.size > maxDefiners) continue
      const weight = (Math.sqrt(count) / defined.size) * (telling.test(name) ? 1 : faint)
      for (const [to, strength] of defined) if (to !== from) own.push({ to, name, weight: weight * strength })
    }
    const total = own.reduce((sum, { weight }) => sum + weight, 0)
    for (const { to, name, weight } of own) links.push({ from, to, name, share: weight / (total + doubt) })
  }
  return links
}

/** Which files define a name that others can use, and how likely it is that its users mean this one. */
function definersOf(files: readonly SourceFile[]): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const definers = new Map<string, Map<number, number>>()
  for (const [file, { path, symbols }] of files.entries()) {
    const isTest = testPath.test(path)
    for (const { name, isMember, isPublic } of symbols) {
      if (!isPublic) continue
      const own = definers.get(name) ?? new Map<number, number>()
      own.set(file, Math.max(own.get(file) ?? 0, (isMember ? faint : 1) * (isTest ? faint : 1)))
      definers.set(name, own)
    }
  }
  return definers
}

/** Tests use everything and are used by nothing. */
const testPath =
  /(?:^|\/)(?:tests?|testing|__tests__|specs?|fixtures?|examples?|bench(?:marks?)?)\/|[._-](?:test|spec)s?\.|(?:^|\/)test_/i

function rankFiles(count: number, links: readonly Link[], inFocus: readonly boolean[]): Float64Array {
  const weights = inFocus.map((isFirst) => (isFirst ? focusWeight : 1))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const base = Float64Array.from(weights, (weight) => weight / total)
  const given = new Float64Array(count)
  for (const { from, share } of links) given[from] = (given[from] as number) + share
  let ranks = base
  for (let round = 0; round < rounds; round += 1) {
    const next = new Float64Array(count)
    let loose = 0
    for (let file = 0; file < count; file += 1) loose += (ranks[file] as number) * (1 - (given[file] as number))
    for (const { from, to, share } of links) next[to] = (next[to] as number) + (ranks[from] as number) * share
    for (let file = 0; file < count; file += 1)
      next[file] = damping * ((next[file] as number) + loose * (base[file] as number)) + (1 - damping) * (base[file] as number)
    ranks = next
  }
  return ranks
}

function scoreNames(links: readonly Link[], ranks: Float64Array): ReadonlyMap<number, ReadonlyMap<string, number>> {
  const scores = new Map<number, Map<string, number>>()
  for (const { from, to, name, share } of links) {
    const names = scores.get(to) ?? new Map<string, number>()
    names.set(name, (names.get(name) ?? 0) + (ranks[from] as number) * share)
    scores.set(to, names)
  }
  return scores
}
