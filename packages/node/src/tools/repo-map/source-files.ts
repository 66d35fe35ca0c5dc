import { lstat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { detached } from '@plimsoll/core/text'
import type { Parser, Query } from 'web-tree-sitter'
import { ifPossible } from '../../files/problem.ts'
import { readRegularFile } from '../workspace.ts'
import type { Language } from './languages.ts'

export interface SourceFile {
  /** From the workspace's folder, with `/`. */
  readonly path: string
  readonly symbols: readonly SourceSymbol[]
  readonly uses: ReadonlyMap<string, number>
}

export interface SourceSymbol {
  readonly name: string
  readonly line: number
  readonly signature: string
  readonly isMember: boolean
  readonly isPublic: boolean
}

/** Returns null for a file that is too big, generated, binary or gone. Remembers it for as long as its time and size stay. */
export function readSource(root: string, path: string, language: Language): Promise<SourceFile | null> {
  return ifPossible(readOrRemember(join(root, path), path, language), null)
}

const cache = new Map<string, { readonly mtimeMs: number; readonly size: number; readonly source: SourceFile | null }>()
const words = new Map<string, string>()
const maxRemembered = 20_000
const maxFileBytes = 512 * 1024
const maxAverageLine = 300

async function readOrRemember(full: string, path: string, language: Language): Promise<SourceFile | null> {
  const { mtimeMs, size } = await lstat(full)
  const known = cache.get(full)
  if (known !== undefined && known.mtimeMs === mtimeMs && known.size === size) {
    const { source } = known
    return source === null || source.path === path ? source : { ...source, path }
  }
  const bytes = await readRegularFile(full, maxFileBytes)
  const source = Buffer.isBuffer(bytes) ? await parse(path, bytes.toString('utf8'), language) : null
  if (cache.size >= maxRemembered) {
    cache.clear()
    words.clear()
  }
  cache.set(full, { mtimeMs, size, source })
  return source
}

async function parse(path: string, text: string, language: Language): Promise<SourceFile | null> {
  if (/[.-]min\.[cm]?js$/i.test(path) || isGenerated(text)) return null
  return { path, symbols: await findSymbols(text, language), uses: usesIn(text) }
}

function isGenerated(text: string): boolean {
  if (text.includes('\0')) return true
  if (/@generated|\bdo not edit\b|\bautomatically generated\b|\bcode generated\b/i.test(text.slice(0, 1000))) return true
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return text.length / lines > maxAverageLine
}

/** Lines that are only a comment use no names. */
function usesIn(text: string): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (/^\s*(?:\/\/|\/?\*|#\s|--\s|;)/.test(line)) continue
    for (const word of line.match(/[\p{L}_$][\p{L}\p{N}_$]{2,99}/gu) ?? []) {
      const count = uses.get(word)
      uses.set(count === undefined ? shared(word) : word, (count ?? 0) + 1)
    }
  }
  return uses
}

function shared(word: string): string {
  const known = words.get(word) ?? detached(word)
  words.set(known, known)
  return known
}

/** A text that the parser cannot handle has no symbols. */
export async function findSymbols(text: string, language: Language): Promise<readonly SourceSymbol[]> {
  const grammar = grammars.get(language.grammar) ?? loadGrammar(language)
  grammars.set(language.grammar, grammar)
  const loaded = await grammar
  if (loaded === null) return []
  try {
    return symbolsIn(text, loaded, visibilityIn(text, language.grammar))
  } catch {
    // A parser that broke may continue in a wrong state: the next file gets a new one.
    grammars.delete(language.grammar)
    return []
  }
}

interface Grammar {
  readonly parser: Parser
  readonly query: Query
}

const maxSignature = 160
/** Milliseconds. No file of sensible size takes as long to parse; a hostile one may. */
const maxParse = 1000
/** Of a text that is one big error, the parser keeps all pieces side by side, and searching them takes the square of their number. */
const maxLoosePieces = 2000
const maxSymbols = 2000

const grammars = new Map<string, Promise<Grammar | null>>()
let ready: Promise<void> | undefined

/** Null if a grammar is missing or does not fit, as in an installation without optional files. */
async function loadGrammar({ grammar, definitions }: Language): Promise<Grammar | null> {
  try {
    const { Language: TreeSitterLanguage, Parser, Query } = await import('web-tree-sitter')
    await (ready ??= Parser.init())
    const file = createRequire(import.meta.url).resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`)
    const language = await TreeSitterLanguage.load(file)
    return { parser: new Parser().setLanguage(language), query: new Query(language, definitions) }
  } catch {
    return null
  }
}

function symbolsIn(text: string, { parser, query }: Grammar, isPublic: ReturnType<typeof visibilityIn>): readonly SourceSymbol[] {
  const end = performance.now() + maxParse
  // Returning true stops the parser, although its type has no room for it.
  const progressCallback = () => performance.now() > end
  const tree = parser.parse(text, null, { progressCallback })
  if (tree === null) {
    parser.reset()
    return []
  }
  try {
    const symbols = new Map<number, SourceSymbol>()
    if (tree.rootNode.isError && tree.rootNode.childCount > maxLoosePieces) return []
    for (const { node } of query.captures(tree.rootNode, { progressCallback })) {
      const { startIndex, startPosition } = node
      if (symbols.size >= maxSymbols) break
      if (symbols.has(startIndex)) continue
      // A definition outside of its class is known by the last part of its name.
      const name = node.text.slice(node.text.lastIndexOf(':') + 1).replace(/^[#~"']|["']$/g, '')
      const place = { line: startPosition.row + 1, ...lineAround(text, startIndex) }
      const definition = { name: detached(name.slice(0, 200)), ...place }
      symbols.set(startIndex, { ...definition, isPublic: isPublic(definition) })
    }
    return [...symbols.values()]
  } finally {
    tree.delete()
  }
}

function lineAround(text: string, index: number): Pick<SourceSymbol, 'signature' | 'isMember'> {
  const start = text.lastIndexOf('\n', index - 1) + 1
  const end = text.indexOf('\n', index)
  const line = text.slice(start, Math.min(end === -1 ? text.length : end, index + maxSignature))
  const signature = line.trim().replace(/(?<!\s)\s*[{:]$/, '')
  return { signature: detached(signature.slice(0, maxSignature)), isMember: /^\s/.test(line) }
}

type IsPublic = (definition: Pick<SourceSymbol, 'name' | 'signature' | 'isMember'>) => boolean

function visibilityIn(text: string, grammar: string): IsPublic {
  const isScript = grammar === 'typescript' || grammar === 'tsx' || grammar === 'javascript'
  return isScript ? scriptVisibility(text) : (visibilityRules[grammar] ?? (() => true))
}

const visibilityRules: Readonly<Record<string, IsPublic>> = {
  python: ({ name }) => !name.startsWith('_'),
  go: ({ name }) => /^\p{Lu}/u.test(name),
  rust: ({ signature }) => /^(?:pub\b|macro_rules!)/.test(signature),
  java: ({ signature }) => !/\bprivate\b/.test(signature),
  'c-sharp': ({ signature }) => !/\bprivate\b/.test(signature),
  cpp: ({ signature }) => !/^static\b/.test(signature),
}

/** The exports of a module, by line or in a list. A text without imports and exports is not a module: everything in it can be used. */
function scriptVisibility(text: string): IsPublic {
  const listed = new Set<string>()
  for (const [, names = ''] of text.matchAll(/\b(?:export|module\.exports\s{0,20}=)\s{0,20}\{([^{}]{0,5000})\}/g))
    for (const [name] of names.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) listed.add(name)
  const isModule = /^\s{0,20}(?:export|import)\b/m.test(text) || /\bexports\b/.test(text)
  return ({ name, signature, isMember }) => {
    if (isMember) return !/^(?:(?:async\s+)?function\b|private\b|#)/.test(signature)
    return !isModule || listed.has(name) || /^(?:export|declare|exports\.|module\.)/.test(signature)
  }
}
