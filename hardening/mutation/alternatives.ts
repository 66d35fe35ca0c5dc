import { childAt, type SyntaxNode } from './syntax.ts'

/** A replacement for an expression or a statement. */
export interface Alternative {
  /** A short name of the kind of change. */
  readonly operator: string
  /** Source text; empty if a statement is removed. */
  readonly text: string
}

/** The context of a node, which decides how it may be changed. */
export interface Place {
  readonly parent: SyntaxNode | null
  /** The field of the parent that contains the node. */
  readonly field: string
}

/** All alternatives to a node, each with a different text. */
export function alternativesTo(node: SyntaxNode, place: Place, source: string): readonly Alternative[] {
  const text = (of: SyntaxNode | null) => (of === null ? '' : source.slice(of.start, of.end))
  const found: Alternative[] = []
  const add = (operator: string, alternative: string) => {
    if (found.every((each) => each.text !== alternative)) found.push({ operator, text: alternative })
  }

  if (isCondition(place)) {
    if (place.parent?.type === 'IfStatement' || place.parent?.type === 'ConditionalExpression') add('condition', 'true')
    add('condition', 'false')
  }
  switch (node.type) {
    case 'BinaryExpression': {
      const operator = String(node['operator'])
      const [left, right] = [childAt(node, 'left'), childAt(node, 'right')]
      if (operator === '+' && [left, right].some(isText)) break
      for (const other of operators[operator] ?? []) add(kindOf(operator), `${text(left)} ${other} ${text(right)}`)
      break
    }
    case 'LogicalExpression':
      add('logical', text(childAt(node, 'left')))
      add('logical', text(childAt(node, 'right')))
      break
    case 'UnaryExpression':
      if (node['operator'] === '!' || node['operator'] === '-') add('unary', text(childAt(node, 'argument')))
      break
    case 'UpdateExpression':
      add(
        'arithmetic',
        text(node).replaceAll(/\+\+|--/g, (sign) => (sign === '++' ? '--' : '++')),
      )
      break
    case 'AssignmentExpression': {
      const other = { '+=': '-=', '-=': '+=', '*=': '/=' }[String(node['operator'])]
      const right = childAt(node, 'right')
      if (other !== undefined && !isText(right)) add('arithmetic', `${text(childAt(node, 'left'))} ${other} ${text(right)}`)
      break
    }
    case 'Literal':
      if (typeof node['value'] === 'boolean') add('boolean', String(!node['value']))
      if (typeof node['value'] === 'string') add('text', node['value'] === '' ? "'mutated'" : "''")
      break
    case 'TemplateLiteral':
      if (text(node) !== '``') add('text', "''")
      break
    case 'ArrayExpression':
      if (Array.isArray(node['elements']) && node['elements'].length > 0) add('list', '[]')
      break
    case 'ChainExpression':
      for (const at of optionalLinks(node, source)) add('optional', withoutLink(text(node), at - node.start))
      break
    case 'CallExpression':
      for (const other of otherCalls(node, text)) add('call', other)
      break
    case 'ExpressionStatement':
    case 'ContinueStatement':
    case 'BreakStatement':
    case 'ThrowStatement':
      add('statement', '')
      break
  }
  if (isReturned(node, place)) add('return', 'undefined')
  return found.filter((each) => each.text !== text(node))
}

/** The replacements of each operator. */
const operators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
}

function kindOf(operator: string): string {
  return /^[<>]=?$/.test(operator) ? 'comparison' : operator.endsWith('==') ? 'equality' : 'arithmetic'
}

function isText(node: SyntaxNode | null): boolean {
  return node?.type === 'TemplateLiteral' || (node?.type === 'Literal' && typeof node['value'] === 'string')
}

const conditional = new Set(['IfStatement', 'ConditionalExpression', 'WhileStatement', 'ForStatement'])

function isCondition({ parent, field }: Place): boolean {
  return field === 'test' && conditional.has(parent?.type ?? '')
}

function isReturned(node: SyntaxNode, { parent, field }: Place): boolean {
  if (node.type === 'Literal' || (node.type === 'Identifier' && node['name'] === 'undefined')) return false
  // Other alternatives test these better.
  if (node.type === 'BinaryExpression' || node.type === 'LogicalExpression' || node.type === 'UnaryExpression') return false
  if (parent?.type === 'ReturnStatement') return true
  return parent?.type === 'ArrowFunctionExpression' && field === 'body' && node.type !== 'BlockStatement'
}

/** The positions of `?.` in a chain, without those of chains inside its arguments. */
function optionalLinks(chain: SyntaxNode, source: string): readonly number[] {
  const places: number[] = []
  for (let link = childAt(chain, 'expression'); link !== null; ) {
    const inner: SyntaxNode | null = childAt(
      link,
      link.type === 'CallExpression' ? 'callee' : link.type === 'MemberExpression' ? 'object' : 'expression',
    )
    if (inner !== null && link['optional'] === true) places.push(source.indexOf('?.', inner.end))
    link = inner
  }
  return places
}

function withoutLink(chain: string, at: number): string {
  const rest = chain.slice(at + 2)
  return chain.slice(0, at) + (rest.startsWith('[') || rest.startsWith('(') ? rest : `.${rest}`)
}

/** Methods that can be replaced by another, by name. */
const swapped: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  trimStart: 'trimEnd',
  trimEnd: 'trimStart',
}

/** Methods whose result can be replaced by their receiver. */
const leftOut = new Set([
  'filter',
  'slice',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'trim',
  'trimStart',
  'trimEnd',
  'toLowerCase',
  'concat',
  'replace',
  'replaceAll',
])

function otherCalls(call: SyntaxNode, text: (node: SyntaxNode | null) => string): readonly string[] {
  const callee = childAt(call, 'callee')
  const property = callee === null ? null : childAt(callee, 'property')
  if (callee?.type !== 'MemberExpression' || property === null || callee['computed'] === true || callee['optional'] === true)
    return []
  const name = text(property)
  const other = Object.hasOwn(swapped, name) ? swapped[name] : undefined
  const behind = text(call).slice(property.end - call.start)
  return [
    ...(other === undefined ? [] : [text(call).slice(0, property.start - call.start) + other + behind]),
    ...(leftOut.has(name) ? [text(childAt(callee, 'object'))] : []),
  ]
}
