import type { PartialConfig } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import type { z } from 'zod'
import { type ConfigProblem, describeValue } from './config-error.ts'
import { configSchema } from './config-schema.ts'
import { nearest } from './nearest.ts'
import { modelSchema, priceSchema, toolLimitKeys } from './schema-parts.ts'
import type { KeyPath } from './yaml-text.ts'

export interface RawLayer {
  readonly value: unknown
  readonly where: (path: KeyPath, of: 'key' | 'value') => string
  /** A project's file may not decide where requests go, which keys they carry and what is run. */
  readonly ofProject: boolean
}

type CheckedLayer =
  | { readonly kind: 'checked'; readonly settings: PartialConfig }
  | { readonly kind: 'refused'; readonly problems: readonly ConfigProblem[] }

/** A section without content, such as `compaction:` alone, sets nothing. */
export function checkLayer(layer: RawLayer): CheckedLayer {
  const value = withoutEmptySections(layer.value ?? {}, defaultConfig)
  const parsed = configSchema.safeParse(value)
  if (parsed.success) {
    const refused = layer.ofProject ? beyondProject(parsed.data, layer) : []
    return refused.length === 0 ? { kind: 'checked', settings: parsed.data } : { kind: 'refused', problems: refused }
  }
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, [], value, layer))
  const inOrder = new Intl.Collator('en', { numeric: true })
  return { kind: 'refused', problems: problems.sort((one, other) => inOrder.compare(one.where, other.where)) }
}

function beyondProject(settings: PartialConfig, { where }: RawLayer): readonly ConfigProblem[] {
  return Object.entries(notForProjects).flatMap(([key, what]) => {
    const path = key.split('.')
    if (valueAt(settings, path) === undefined) return []
    const message = `only allowed in your own configuration: a project's file may not decide ${what}`
    return [{ where: where(path, 'key'), key, message }]
  })
}

function problemsOf(issue: z.core.$ZodIssue, base: KeyPath, value: unknown, layer: RawLayer): readonly ConfigProblem[] {
  const path = [...base, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))]
  const expected = (message: string, of: 'key' | 'value', got: unknown) => [
    { where: layer.where(path, of), key: path.join('.'), message: `expected ${message}, got ${describeValue(got)}` },
  ]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey([...path, key], path, layer))
  if (issue.code === 'invalid_key') return expected(issue.issues[0]?.message ?? issue.message, 'key', path.at(-1))
  if (issue.code === 'invalid_union') {
    // A problem with an item is more helpful than one with the list.
    const inside = issue.errors.find((issues) => issues.length > 0 && issues.every((inner) => inner.path.length > 0))
    if (inside !== undefined) return inside.flatMap((inner) => problemsOf(inner, path, value, layer))
  }
  return expected(issue.message, 'value', valueAt(value, path))
}

function unknownKey(path: KeyPath, parent: KeyPath, layer: RawLayer): ConfigProblem {
  const key = String(path.at(-1))
  const place = { where: layer.where(path, 'key'), key: path.join('.') }
  const notAllowed = "only allowed in your own configuration: a project's file may not set upstreams, keys or commands"
  if (layer.ofProject && usersOwn.has(key.toLowerCase().replaceAll('-', '_'))) return { ...place, message: notAllowed }
  const known = keysAt(parent)
  const meant = nearest(key, known) ?? elsewhere(key) ?? nearest(key, keysAt([]))
  const hint = meant === null ? `expected one of ${known.join(', ')}` : `did you mean ${meant}?`
  return { ...place, message: `unknown key; ${hint}` }
}

const usersOwn = new Set(['upstream', 'upstreams', 'api_key', 'api_keys', 'key', 'keys', 'command', 'commands', 'mcp'])

function keysAt(parent: KeyPath): readonly string[] {
  if (parent[0] === 'tool_output_limits' && parent[1] === 'tools') return toolLimitKeys
  if (parent.length === 2 && parent[0] === 'models') return Object.keys(modelSchema.shape)
  if (parent.length === 2 && parent[0] === 'prices') return Object.keys(priceSchema.shape)
  const value = valueAt(defaultConfig, parent)
  return isRecord(value) ? Object.keys(value) : []
}

/** The full path of the key in another section. */
function elsewhere(key: string, values: object = defaultConfig, path: KeyPath = []): string | null {
  if (path.length > 0 && Object.hasOwn(values, key)) return [...path, key].join('.')
  for (const [section, fields] of Object.entries(values) as [string, unknown][]) {
    if (!isRecord(fields) || section === 'tools') continue
    const found = elsewhere(key, fields, [...path, section])
    if (found !== null) return found
  }
  return null
}

function withoutEmptySections(value: unknown, defaults: unknown): unknown {
  if (!isRecord(value)) return value
  const entries = Object.entries(value).flatMap(([key, field]) => {
    const known = isRecord(defaults) && Object.hasOwn(defaults, key) ? defaults[key] : undefined
    const isTool = defaults === defaultConfig.tool_output_limits.tools
    if (field === null && (isRecord(known) || isTool)) return []
    return [[key, isRecord(known) ? withoutEmptySections(field, known) : field]]
  })
  return Object.fromEntries(entries)
}

function valueAt(value: unknown, path: KeyPath): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined
    current = (current as Readonly<Record<string | number, unknown>>)[step]
  }
  return current
}

/** Settings and sections that a project's file may not decide: they cost money, run programs, skip questions or cannot be undone. */
export const notForProjects: Readonly<Record<string, string>> = {
  sessions: 'how your sessions are stored',
  model: 'which model you pay for',
  models: 'what your models can do',
  prices: 'what your models cost',
  agent: 'what the agent may do without asking',
  cache_lifetime: 'how long the provider keeps what you pay for',
  keep_alive: 'what is spent while the chat is idle',
  budget: 'at what spending you are warned',
  images: 'which service you pay for images',
  mcp_servers: 'which programs are run',
  prompts: 'which prompts the agent follows',
  'compaction.model': 'which model you pay for',
  'summarization.enabled': 'whether you pay a model for summaries',
  'summarization.model': 'which model you pay for',
  gateway: 'where your requests go and what is done to them',
}
