import { parseSync } from 'oxc-parser'

/** A source with a counter at every branch. */
export interface InstrumentedSource {
  readonly code: string
  /** The number of its counters. */
  readonly branches: number
  /** The string literals in it. */
  readonly words: readonly string[]
}

/** The global name of the counters in instrumented code. */
export const countersName = '__branches'

/**
 * Adds a counter to the start of each function, each side of a condition, each loop body, each case and each handler. Adds no lines,
 * so that line numbers in stack traces stay correct. Counters are numbered from `first`.
 */
export function instrument(file: string, source: string, first: number): InstrumentedSource {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const before = new Map<number, string[]>()
  const after = new Map<number, string[]>()
  const words = new Set<string>()
  let next = first
  const count = () => `${countersName}[${next++}]++`
  const put = (places: Map<number, string[]>, at: number, text: string) => {
    const list = places.get(at)
    if (list === undefined) places.set(at, [text])
    else list.push(text)
  }
  // Openings are added before visiting the children and closings after, so that those of outer nodes are outside.
  const closings: (() => void)[] = []
  const wrap = (node: Node, open: string, close: string) => {
    put(before, node.start, open)
    closings.push(() => put(after, node.end, close))
  }
  const countExpression = (node: unknown) => {
    if (isNode(node)) wrap(node, `(${count()},(`, '))')
  }
  const countStatement = (node: unknown, close = '') => {
    if (!isNode(node)) return
    if (node.type !== 'BlockStatement') return wrap(node, `{${count()};`, `}${close}`)
    put(before, node.start + 1, `${count()};`)
    if (close !== '') closings.push(() => put(after, node.end, close))
  }
  const visit = (node: Node) => {
    const depth = closings.length
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'CatchClause':
        countStatement(node['body'])
        break
      case 'ArrowFunctionExpression':
        if (isNode(node['body']) && node['body'].type === 'BlockStatement') countStatement(node['body'])
        else countExpression(node['body'])
        break
      case 'IfStatement':
        countStatement(node['consequent'], node['alternate'] === null ? `else{${count()}}` : '')
        countStatement(node['alternate'])
        break
      case 'ForStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        countStatement(node['body'])
        break
      case 'SwitchCase': {
        const [statement] = node['consequent'] as readonly Node[]
        if (statement !== undefined) put(before, statement.start, `${count()};`)
        break
      }
      case 'ConditionalExpression':
        countExpression(node['consequent'])
        countExpression(node['alternate'])
        break
      case 'LogicalExpression':
      case 'AssignmentPattern':
        countExpression(node['right'])
        break
      case 'AssignmentExpression':
        if (['&&=', '||=', '??='].includes(String(node['operator']))) countExpression(node['right'])
        break
      case 'Literal':
        if (typeof node['value'] === 'string' && node['value'].length < 40) words.add(node['value'])
        break
    }
    const own = closings.splice(depth)
    for (const [key, child] of Object.entries(node)) if (!skipped.has(key)) each(child, visit)
    // The last one opened is closed first.
    for (const close of own.reverse()) close()
  }
  visit(program as unknown as Node)
  const code = splice(source, before, after)
  return { code: `const ${countersName}=globalThis.${countersName};${code}`, branches: next - first, words: [...words] }
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** Types are not run. */
const skipped = new Set(['typeAnnotation', 'returnType', 'typeParameters', 'typeArguments', 'source'])

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function each(child: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(child)) for (const item of child) each(item, visit)
  else if (isNode(child) && !child.type.startsWith('TSInterface') && !child.type.startsWith('TSTypeAlias')) visit(child)
}

function splice(source: string, before: Map<number, string[]>, after: Map<number, string[]>): string {
  const places = [...new Set([...before.keys(), ...after.keys()])].sort((one, other) => one - other)
  const pieces: string[] = []
  let position = 0
  for (const place of places) {
    pieces.push(source.slice(position, place), ...(after.get(place) ?? []), ...(before.get(place) ?? []))
    position = place
  }
  pieces.push(source.slice(position))
  return pieces.join('')
}
