import { createRequire } from 'node:module'
import type { Parser, Query } from 'web-tree-sitter'
import type { Language } from './languages.ts'
import { visibilityIn } from './visibility.ts'

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
