import { type Alternative, alternativesTo, type Place } from './alternatives.ts'
import { childAt, childrenOf, fieldOf, parseSource, type SyntaxNode } from './syntax.ts'

/** One small change to a source file. */
export interface Mutant {
  readonly id: number
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** The source line on which it starts, without indentation. */
  readonly code: string
  /** The kind of change. */
  readonly operator: string
  /** The original source text. */
  readonly from: string
  /** The replacement; empty if the text is removed. */
  readonly to: string
}

/** A file that behaves as before until one of its mutants is switched on. */
export interface MutatedSource {
  readonly code: string
  readonly mutants: readonly Mutant[]
}

/** The name of a file, and its numbers at run time. */
export interface MutateOptions {
  readonly file: string
  readonly fileNumber: number
  /** The number of its first mutant; null if it gets none. */
  readonly firstId: number | null
}

/**
 * Adds all mutants of a file at once, each with a switch. Also counts its steps, so that an endless loop is stopped, and allows
 * module-level values to be created again.
 */
export function mutateSource(source: string, { file, fileNumber, firstId }: MutateOptions): MutatedSource {
  const mutants: Mutant[] = []
  const initial = new Map<SyntaxNode, string>()
  const program = parseSource(source)
  return { code: renderProgram(), mutants }

  function renderProgram(): string {
    let code = ''
    let at = 0
    for (const statement of childrenOf(program)) {
      code +=
        source.slice(at, statement.start) + repeatable(statement, render(statement, { parent: program, field: 'body' }, false))
      at = statement.end
    }
    return code + source.slice(at)
  }

  function render(node: SyntaxNode, place: Place, isLink: boolean): string {
    return counted(node, place, switchable(node, place, isLink))
  }

  function switchable(node: SyntaxNode, place: Place, isLink: boolean): string {
    const text = withFreshMemory(node, file, renderInside(node, isLink))
    const alternatives = firstId === null || isLink || isName(node, place) ? [] : alternativesTo(node, place, source)
    const switches = alternatives.map((alternative) => ({ alternative, id: addMutant(node, alternative) }))
    if (switches.length === 0) return text
    if (node.type.endsWith('Statement')) return `{if(!mutationSwitches.on(${switches[0]?.id})){${text}}}`
    return `(${switches.map(({ alternative, id }) => `mutationSwitches.on(${id})?(${alternative.text}):`).join('')}(${text}))`
  }

  function renderInside(node: SyntaxNode, isLink: boolean): string {
    let text = ''
    let at = node.start
    for (const child of childrenOf(node)) {
      const field = fieldOf(node, child)
      // A link of a chain cannot be put into parentheses: the rest of the chain would no longer be short-circuited.
      const rendered = render(
        child,
        { parent: node, field },
        node.type === 'ChainExpression' || (isLink && linkFields.has(field)),
      )
      if (node.type === 'VariableDeclarator' && field === 'init') initial.set(node, rendered)
      text += source.slice(at, child.start) + rendered
      at = child.end
    }
    return text + source.slice(at, node.end)
  }

  function counted(node: SyntaxNode, { parent, field }: Place, text: string): string {
    if (node.type === 'BlockStatement') return `{mutationSwitches.step(${fileNumber});${text.slice(1)}`
    return field === 'body' && loops.has(parent?.type ?? '') ? `{mutationSwitches.step(${fileNumber});${text}}` : text
  }

  /** A top-level statement, which runs once when the file is loaded, and the code that runs it again. */
  function repeatable(statement: SyntaxNode, text: string): string {
    const declaration = statement.type === 'ExportNamedDeclaration' ? childAt(statement, 'declaration') : statement
    if (statement.type.endsWith('Statement')) return `${text};mutationSwitches.again(${fileNumber},()=>{${text}});`
    if (declaration?.type !== 'VariableDeclaration') return text
    const again = childrenOf(declaration).flatMap((declarator) => {
      const name = childAt(declarator, 'id')?.['name']
      const value = isMemory(childAt(declarator, 'init')) ? undefined : initial.get(declarator)
      return typeof name === 'string' && value !== undefined ? [`${name}=${value}`] : []
    })
    return `${text.replace(/^(export )?const /, '$1let ')};mutationSwitches.again(${fileNumber},()=>{${again.join(';')}});`
  }

  function addMutant(node: SyntaxNode, { operator, text }: Alternative): number {
    const id = (firstId ?? 0) + mutants.length
    const line = source.slice(0, node.start).split('\n').length
    const code = source.split('\n')[line - 1]?.trim() ?? ''
    mutants.push({ id, file, line, code, operator, from: source.slice(node.start, node.end), to: text })
    return id
  }
}

const linkFields = new Set(['object', 'callee', 'expression'])
const loops = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'])

/** Caches of a file must not carry values from one mutant to the next. */
function withFreshMemory(node: SyntaxNode, file: string, text: string): string {
  if (isMemory(node)) return text.replace('WeakMap', 'mutationSwitches.WeakMap')
  const isList = node.type === 'VariableDeclarator' && listsKept.has(`${file} ${nameOf(childAt(node, 'id'))}`)
  return isList ? text.replace(/\[\]$/, 'mutationSwitches.list([])') : text
}

function isMemory(node: SyntaxNode | null): boolean {
  return node?.type === 'NewExpression' && nameOf(childAt(node, 'callee')) === 'WeakMap'
}

function nameOf(node: SyntaxNode | null): string {
  return typeof node?.['name'] === 'string' ? node['name'] : ''
}

/** Lists used as caches, by file and name. All other caches are WeakMaps. */
const listsKept = new Set(['plan-once.ts plans'])

/** Whether a node is a name rather than a value: of a property or another file. */
function isName(node: SyntaxNode, { parent, field }: Place): boolean {
  if (field === 'source' || parent?.type === 'ImportSpecifier' || parent?.type === 'ExportSpecifier') return true
  // A tag function needs a template, which nothing else can replace.
  if (parent?.type === 'TaggedTemplateExpression' && field === 'quasi') return true
  return (field === 'key' && parent?.['computed'] !== true) || typeof node['directive'] === 'string'
}
