import { parseAst } from 'vitest/node'

/** A node of the syntax tree: its type and its position in the source. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Parses TypeScript into a syntax tree. Throws on a syntax error. */
export function parseSource(source: string): SyntaxNode {
  return parseAst(source, { lang: 'ts', preserveParens: true }) as unknown as SyntaxNode
}

/** The children of a node, in source order, without types, which do not run. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = []
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each) && runs(each)) children.push(each)
  }
  // In `{ a }` and `{ a = 1 }` the key is in the tree twice, alone and as the value or a part of it.
  children.sort((one, other) => one.start - other.start || other.end - one.end)
  return children.filter((child, at) => child.start !== children[at - 1]?.start)
}

/** The name of the field of a node that contains another. */
export function fieldOf(node: SyntaxNode, child: SyntaxNode): string {
  const found = Object.entries(node).find(([, value]) => value === child || (Array.isArray(value) && value.includes(child)))
  return found?.[0] ?? ''
}

/** A field of a node if it is a node, otherwise null. */
export function childAt(node: SyntaxNode, field: string): SyntaxNode | null {
  const value = node[field]
  return isNode(value) ? value : null
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** TypeScript-only nodes that contain a value. */
const holdsValue = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

function runs(node: SyntaxNode): boolean {
  return !node.type.startsWith('TS') || holdsValue.has(node.type)
}
