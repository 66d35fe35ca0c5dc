import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Parser, Query } from 'web-tree-sitter'
import type { Language } from './languages.ts'

/** What is known of a source file. */
export interface SourceFile {
  /** From the workspace's folder, with `/`. */
  readonly path: string
  readonly symbols: readonly SourceSymbol[]
  /** How often each name is used in it. */
  readonly uses: ReadonlyMap<string, number>
}

/**
 * Reads a source file, or gives null for one that has no place in a map: too big, generated, no text, or gone. What was read once
 * is remembered for as long as the file's time and size stay.
 */
export async function readSource(root: string, path: string, language: Language): Promise<SourceFile | null> {
  const full = join(root, path)
  try {
    const { mtimeMs, size } = await lstat(full)
    const known = cache.get(full)
    if (known !== undefined && known.mtimeMs === mtimeMs && known.size === size) return withPath(known.source, path)
    const text = await readText(full)
    const source = text === null ? null : await parse(path, text, language)
    remember(full, { mtimeMs, size, source })
    return source
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
}

interface Known {
  readonly mtimeMs: number
  readonly size: number
  readonly source: SourceFile | null
}

const cache = new Map<string, Known>()
const words = new Map<string, string>()
const mostRemembered = 20_000
const biggestFile = 512 * 1024
const widestLine = 300

function remember(full: string, known: Known): void {
  if (cache.size >= mostRemembered) {
    cache.clear()
    words.clear()
  }
  cache.set(full, known)
}

function withPath(source: SourceFile | null, path: string): SourceFile | null {
  return source === null || source.path === path ? source : { ...source, path }
}

/** The text of a file, or null where it is none or too big. A link or a pipe in its place is neither followed nor waited for. */
async function readText(full: string): Promise<string | null> {
  const handle = await open(full, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = await handle.stat()
    return stats.isFile() && stats.size <= biggestFile ? await handle.readFile('utf8') : null
  } finally {
    await handle.close()
  }
}

async function parse(path: string, text: string, language: Language): Promise<SourceFile | null> {
  if (/[.-]min\.[cm]?js$/i.test(path) || isGenerated(text)) return null
  return { path, symbols: await findSymbols(text, language), uses: usesIn(text) }
}

/** Nobody reads what a program wrote or squeezed. */
function isGenerated(text: string): boolean {
  if (text.includes('\0')) return true
  if (/@generated|\bdo not edit\b|\bautomatically generated\b|\bcode generated\b/i.test(text.slice(0, 1000))) return true
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return text.length / lines > widestLine
}

/** Lines that are nothing but a comment use no names. */
function usesIn(text: string): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (/^\s*(?:\/\/|\/?\*|#\s|--\s|;)/.test(line)) continue
    for (const word of line.match(/[\p{L}_$][\p{L}\p{N}_$]{2,99}/gu) ?? []) {
      const count = uses.get(word)
      uses.set(count === undefined ? kept(word) : word, (count ?? 0) + 1)
    }
  }
  return uses
}

/** One string for each word, whatever number of files it is in, and none that keeps a whole text in memory. */
function kept(word: string): string {
  let known = words.get(word)
  if (known === undefined) {
    known = Buffer.from(word).toString()
    words.set(known, known)
  }
  return known
}

/** Something a file defines. */
export interface SourceSymbol {
  readonly name: string
  /** Counted from 1. */
  readonly line: number
  /** The first line of its signature. */
  readonly signature: string
  /** Whether it stands inside another, as a method does. */
  readonly isMember: boolean
  /** Whether other files can use it, as far as that can be told. */
  readonly isPublic: boolean
}

/** Finds what a source text defines, with the real parser of its language. A text that the parser cannot cope with has no symbols. */
export async function findSymbols(text: string, language: Language): Promise<readonly SourceSymbol[]> {
  const grammar = await grammarOf(language)
  if (grammar === null) return []
  try {
    return symbolsIn(text, grammar, visibilityIn(text, language.grammar))
  } catch {
    // A parser that broke may go on with a wrong state: the next file gets a new one.
    grammars.delete(language.grammar)
    return []
  }
}

interface Grammar {
  readonly parser: Parser
  readonly query: Query
}

const longestSignature = 160
/** No file of sensible size takes as long to parse; a hostile one may. */
const longestParse = 1000
/** Of a text that is one big error, the parser keeps all pieces side by side, and looking through them takes the square of their number. */
const mostLoosePieces = 2000
const mostSymbols = 2000

const grammars = new Map<string, Promise<Grammar | null>>()

function grammarOf(language: Language): Promise<Grammar | null> {
  let known = grammars.get(language.grammar)
  if (known === undefined) {
    known = loadGrammar(language)
    grammars.set(language.grammar, known)
  }
  return known
}

/** Null where a grammar is missing or does not fit, as in an installation without optional files. */
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

let ready: Promise<void> | undefined

function symbolsIn(text: string, { parser, query }: Grammar, isPublic: ReturnType<typeof visibilityIn>): readonly SourceSymbol[] {
  const stop = deadline()
  const tree = parser.parse(text, null, { progressCallback: stop })
  if (tree === null) {
    parser.reset()
    return []
  }
  try {
    const symbols = new Map<number, SourceSymbol>()
    if (tree.rootNode.isError && tree.rootNode.childCount > mostLoosePieces) return []
    for (const { node } of query.captures(tree.rootNode, { progressCallback: stop })) {
      const { startIndex, startPosition } = node
      if (symbols.size >= mostSymbols) break
      // Two patterns may find one name.
      if (symbols.has(startIndex)) continue
      const definition = { name: nameOf(node.text), line: startPosition.row + 1, ...lineAround(text, startIndex) }
      symbols.set(startIndex, { ...definition, isPublic: isPublic(definition) })
    }
    return [...symbols.values()]
  } finally {
    tree.delete()
  }
}

/** Ends the work once it has taken too long: what a callback returns as true stops the parser, although its type has no room for it. */
function deadline(): () => boolean {
  const end = performance.now() + longestParse
  return () => performance.now() > end
}

/** A definition outside of its class is known by the last part of its name. */
function nameOf(text: string): string {
  const name = text.slice(text.lastIndexOf(':') + 1).replace(/^[#~"']|["']$/g, '')
  return copied(name.slice(0, 200))
}

function lineAround(text: string, index: number): Pick<SourceSymbol, 'signature' | 'isMember'> {
  const start = text.lastIndexOf('\n', index - 1) + 1
  const end = text.indexOf('\n', index)
  const line = text.slice(start, Math.min(end === -1 ? text.length : end, index + longestSignature))
  const signature = line.trim().replace(/\s*[{:]$/, '')
  return { signature: copied(signature.slice(0, longestSignature)), isMember: /^\s/.test(line) }
}

/** Else the piece would keep the whole text in memory. */
function copied(piece: string): string {
  return Buffer.from(piece).toString()
}

/** A definition as far as its own line shows it. */
interface Definition {
  readonly name: string
  readonly signature: string
  readonly isMember: boolean
}

/** Tells which definitions of a text other files can use, as far as the language and the line of the definition say it. */
function visibilityIn(text: string, grammar: string): (definition: Definition) => boolean {
  if (scripts.has(grammar)) return scriptVisibility(text)
  return rules[grammar] ?? (() => true)
}

const scripts: ReadonlySet<string> = new Set(['typescript', 'tsx', 'javascript'])

const rules: Readonly<Record<string, (definition: Definition) => boolean>> = {
  python: ({ name }) => !name.startsWith('_'),
  go: ({ name }) => /^\p{Lu}/u.test(name),
  rust: ({ signature }) => /^(?:pub\b|macro_rules!)/.test(signature),
  java: ({ signature }) => !/\bprivate\b/.test(signature),
  'c-sharp': ({ signature }) => !/\bprivate\b/.test(signature),
  cpp: ({ signature }) => !/^static\b/.test(signature),
}

/** What a module exports, by its line or in a list. A text without imports and exports is no module, and everything in it can be used. */
function scriptVisibility(text: string): (definition: Definition) => boolean {
  const listed = new Set<string>()
  for (const [, names = ''] of text.matchAll(/\b(?:export|module\.exports\s{0,20}=)\s{0,20}\{([^{}]{0,5000})\}/g))
    for (const [name] of names.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) listed.add(name)
  const isModule = /^\s{0,20}(?:export|import)\b/m.test(text) || /\bexports\b/.test(text)
  return ({ name, signature, isMember }) => {
    if (isMember) return !/^(?:(?:async\s+)?function\b|private\b|#)/.test(signature)
    return !isModule || listed.has(name) || /^(?:export|declare|exports\.|module\.)/.test(signature)
  }
}
