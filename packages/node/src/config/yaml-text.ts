import * as yaml from 'yaml'
import type { ConfigProblem } from './config-error.ts'

/** Keys and list positions from the root. */
export type KeyPath = readonly (string | number)[]

export interface YamlText {
  readonly value: unknown
  readonly problems: readonly ConfigProblem[]
  /** `name:line:column` of a key or its value, or of the nearest place around it. */
  readonly where: (path: KeyPath, of: 'key' | 'value') => string
}

/** Reads YAML 1.2. Never throws: with problems, the value is undefined. */
export function readYaml(name: string, text: string): YamlText {
  const lines = new yaml.LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${name}:${Math.max(1, line)}:${Math.max(1, col)}`
  }
  const failed = (problems: readonly ConfigProblem[]): YamlText => ({ value: undefined, problems, where: () => `${name}:1:1` })
  try {
    const document = yaml.parseDocument(text, { lineCounter: lines, prettyErrors: false, stringKeys: true, uniqueKeys: false })
    const troubles = [...document.errors, ...document.warnings]
    if (troubles.some((problem) => problem.message.includes('call stack'))) throw new RangeError()
    const problems = [
      ...troubles.slice(0, maxProblems).map((problem) => ({ where: at(problem.pos[0]), key: '', message: messageOf(problem) })),
      ...forbiddenKeys(document, at),
    ]
    if (problems.length > 0) return failed(problems)
    const pairs = new Map<yaml.YAMLMap, ReadonlyMap<string, yaml.Pair>>()
    return {
      value: document.toJS({ maxAliasCount: 100 }) as unknown,
      problems,
      where: (path, of) => at(offsetOf(document, path, of, pairs)),
    }
  } catch (error) {
    // The stack may overflow, and aliases may unfold into too much.
    const message =
      error instanceof RangeError ? 'nested too deeply' : sentence(error instanceof Error ? error.message : String(error))
    return failed([{ where: `${name}:1:1`, key: '', message }])
  }
}

/** One missing bracket affects every line after it. */
const maxProblems = 10

/** `__proto__` would change the prototype. The parser’s own check for repeated keys takes quadratic time. */
function forbiddenKeys(document: yaml.Document, at: (offset: number) => string): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = []
  yaml.visit(document, {
    Map(_, map) {
      const seen = new Set<string>()
      for (const pair of map.items) {
        const key = keyOf(pair)
        if (key === null) continue
        const where = at(startOf(pair.key) ?? 0)
        if (key === '__proto__') problems.push({ where, key, message: 'not allowed as a key' })
        else if (seen.has(key)) problems.push({ where, key: '', message: 'expected each key once, got it twice' })
        seen.add(key)
      }
    },
  })
  return problems
}

type Pairs = Map<yaml.YAMLMap, ReadonlyMap<string, yaml.Pair>>

function offsetOf(document: yaml.Document, path: KeyPath, of: 'key' | 'value', pairs: Pairs): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (let depth = 0; depth < path.length; depth += 1) {
    const step = path[depth] as string | number
    if (yaml.isAlias(node)) node = node.resolve(document)
    let child: unknown
    if (yaml.isMap(node)) {
      const pair = pairsOf(node, pairs).get(String(step))
      if (pair === undefined) return offset
      offset = startOf(pair.key) ?? offset
      child = pair.value
    } else if (yaml.isSeq(node)) {
      child = node.items[Number(step)]
    }
    if (depth < path.length - 1 || of === 'value') offset = startOf(child) ?? offset
    node = child
  }
  return offset
}

function pairsOf(map: yaml.YAMLMap, known: Pairs): ReadonlyMap<string, yaml.Pair> {
  const found =
    known.get(map) ?? new Map(map.items.flatMap((pair) => (keyOf(pair) === null ? [] : [[keyOf(pair) as string, pair]])))
  known.set(map, found)
  return found
}

function keyOf(pair: yaml.Pair): string | null {
  return yaml.isScalar(pair.key) ? String(pair.key.value) : null
}

function startOf(node: unknown): number | undefined {
  return yaml.isNode(node) ? ((node as yaml.Node).range?.[0] ?? undefined) : undefined
}

function messageOf({ code, message }: yaml.YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'expected one YAML document, got several'
  return code === 'NON_STRING_KEY' ? 'expected a plain key, got a list or a mapping' : sentence(message)
}

function sentence(message: string): string {
  const line = (message.split('\n')[0] as string).trim()
  return `${line.charAt(0).toLowerCase()}${line.slice(1)}`
}
