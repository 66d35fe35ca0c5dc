import { estimateTokens } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { z } from 'zod'
import type { ToolOutcome } from '../../shared/event.ts'
import { defineTool, failed, type Tool, told } from '../tool.ts'

/** How the tools of a server are defined in requests. `auto`: short if that saves enough in all servers together. */
export type Definitions = 'auto' | 'short' | 'full'

/**
 * The tools as they are offered: with the first sentence of their descriptions and schemas without explanations, and a tool that gives the rest.
 * Depends only on the definitions, so the list stays the same in a session and after a restart: the definitions come first in the cached prompt.
 */
export function withShortDefinitions(tools: readonly Tool[], definitionsOf: (tool: Tool) => Definitions): readonly Tool[] {
  const short = new Map(tools.map((tool) => [tool, shortDefinition(tool)]))
  const savedBy = (tool: Tool) => sizeOf(tool) - sizeOf(short.get(tool) as Tool)
  const saved = tools.filter((tool) => definitionsOf(tool) === 'auto').reduce((sum, tool) => sum + savedBy(tool), 0)
  const isWorthIt = saved >= minSaved
  const isShort = (tool: Tool) => {
    const asked = definitionsOf(tool)
    return (asked === 'short' || (asked === 'auto' && isWorthIt)) && savedBy(tool) > 0
  }
  const shortened = tools.filter(isShort)
  if (shortened.length === 0) return tools
  const described = new Set<string>()
  const offered = tools.map((tool) => (shortened.includes(tool) ? explained(tool, short.get(tool) as Tool, described) : tool))
  return [...offered, createDescribeTool(shortened, described)]
}

/**
 * Tokens in every request that short definitions have to save. The first request writes them to the cache at 1.25 times the price of input, which is what
 * one more request costs that reads a prompt of 50,000 tokens at a twentieth. So one look at a full definition is paid for from the start.
 */
const minSaved = 2000

const maxSentence = 200

function shortDefinition(tool: Tool): Tool {
  return { ...tool, description: firstSentence(tool.description), inputSchema: withoutNotes(tool.inputSchema) }
}

function firstSentence(description: string): string {
  const text = description.trim()
  const [line = ''] = text.slice(0, maxSentence * 2).split('\n')
  const end = line.search(/[.!?](?:\s|$)|。/)
  const sentence = end < 0 ? line : line.slice(0, end + 1)
  if (sentence.length <= maxSentence) return sentence
  return `${sentence.slice(0, maxSentence - 1).toWellFormed()}…`
}

/** Keywords that explain and do not restrict. */
const notes: ReadonlySet<string> = new Set([
  'description',
  'title',
  'examples',
  'example',
  '$comment',
  'default',
  'markdownDescription',
])
const maps: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const nested: ReadonlySet<string> = new Set([
  ...['items', 'prefixItems', 'additionalProperties', 'additionalItems', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['contains', 'propertyNames', 'not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf'],
])

/** The same schema for a checker, without explanations. Names of arguments stay, also one that is `description`. */
export function withoutNotes(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (notes.has(key)) continue
    // A name such as `__proto__` is a value like any other.
    Object.defineProperty(kept, key, { value: shortValue(key, value), enumerable: true, configurable: true, writable: true })
  }
  return kept
}

function shortValue(key: string, value: unknown): unknown {
  if (maps.has(key) && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isRecord(one) ? withoutNotes(one) : one]))
  if (!nested.has(key)) return value
  if (Array.isArray(value)) return value.map((one: unknown) => (isRecord(one) ? withoutNotes(one) : one))
  return isRecord(value) ? withoutNotes(value) : value
}

/** The short tool. Its first failure comes with the full definition, which spares the model a request for it. */
function explained(full: Tool, short: Tool, described: Set<string>): Tool {
  return {
    ...short,
    async run(input, context) {
      const outcome = await full.run(input, context)
      if (outcome.isError !== true || described.has(full.name)) return outcome
      const definition = definitionText(full)
      if (definition.length > maxAttached) return withText(outcome, `[${describeName} has the full definition of ${full.name}]`)
      described.add(full.name)
      return withText(outcome, `Full definition:\n${definition}`)
    },
  }
}

const maxAttached = 8000

function withText(outcome: ToolOutcome, text: string): ToolOutcome {
  const { content } = outcome
  if (content.type === 'text') return { ...outcome, content: { ...content, text: `${content.text}\n${text}` } }
  return content.type === 'list'
    ? { ...outcome, content: { ...content, items: [...content.items, { type: 'text', text }] } }
    : outcome
}

const describeName = 'describe_tool'

function createDescribeTool(tools: readonly Tool[], described: Set<string>): Tool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return defineTool({
    name: describeName,
    description:
      'Gives the full description of tools named mcp__… and explains their arguments. They are listed in short form; what is listed is enough for most calls. Ask when a tool or an argument is unclear, for all tools that you need at once.',
    access: 'read',
    input: z.object({ names: z.array(z.string()).min(1).max(20) }),
    about: ({ names }) => names.join(', ').slice(0, 2000),
    run({ names }) {
      const unknown = names.filter((name) => !byName.has(name))
      const found = [...new Set(names)].flatMap((name) => byName.get(name) ?? [])
      const missing =
        unknown.length === 0 ? '' : `no tool is called ${unknown.map((name) => JSON.stringify(name.slice(0, 100))).join(', ')}.`
      if (found.length === 0) return Promise.resolve(failed(missing))
      for (const { name } of found) described.add(name)
      return Promise.resolve(told([...found.map(definitionText), ...(missing === '' ? [] : [missing])].join('\n\n')))
    },
  })
}

function definitionText({ name, description, inputSchema }: Tool): string {
  return `${name}\n${description.trim()}\nArguments: ${JSON.stringify(inputSchema)}`
}

function sizeOf({ name, description, inputSchema }: Tool): number {
  return estimateTokens(JSON.stringify({ name, description, inputSchema }))
}
