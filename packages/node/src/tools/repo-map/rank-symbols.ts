import type { SourceFile, SourceSymbol } from './source-files.ts'

export interface RankedSymbol extends SourceSymbol {
  readonly path: string
}

/**
 * All symbols, the most important first. A file counts as much as the files that use its names, and a name as much as the files it
 * is used in (PageRank). Names, files and folders in focus come first. The order depends on the files alone.
 */
export function rankSymbols(files: readonly SourceFile[], focus: readonly string[] = []): readonly RankedSymbol[] {
  const wanted = focus.map((term) => term.replace(/^\.\//, '').replace(/\/+$/, '')).filter((term) => term !== '')
  const sorted = [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
  const inFocus = sorted.map(({ path }) => wanted.some((term) => isAt(path, term)))
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

function isAt(path: string, term: string): boolean {
  return path === term || path.startsWith(`${term}/`) || path.endsWith(`/${term}`)
}

function linksBetween(files: readonly SourceFile[]): readonly Link[] {
  const definers = definersOf(files)
  const links: Link[] = []
  for (const [from, { uses }] of files.entries()) {
    const own: { to: number; name: string; weight: number }[] = []
    for (const [name, count] of uses) {
      const defined = definers.get(name)
      if (defined === undefined || defined.size > maxDefiners) continue
      const weight = (Math.sqrt(count) / defined.size) * (isTelling(name) ? 1 : faint)
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

/** Whether a name is likely to mean one thing: `line` is in every file, `parseLine` and `Parser` are not. */
function isTelling(name: string): boolean {
  return /\p{Lu}|[\p{L}\p{N}]_[\p{L}\p{N}]/u.test(name)
}

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
