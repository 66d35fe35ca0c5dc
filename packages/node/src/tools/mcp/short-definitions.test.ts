import { estimateTokens } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import type { ToolOutcome } from '../../shared/event.ts'
import { toolContext } from '../testing/tool-context.ts'
import { failed, type Tool, told } from '../tool.ts'
import { type Definitions, withoutNotes, withShortDefinitions } from './short-definitions.ts'

const schema = {
  type: 'object',
  title: 'Search',
  properties: {
    query: { type: 'string', description: 'Words that all issues found must contain. '.repeat(8), examples: ['tide'] },
    description: { type: 'string', description: 'An argument of that name.' },
    state: { enum: ['open', 'closed'], default: 'open', title: 'State' },
    filter: { type: 'array', items: { type: 'object', properties: { at: { type: 'string', description: 'A day.' } } } },
    any: { anyOf: [{ type: 'string', description: 'A name.' }, { $ref: '#/$defs/user' }] },
  },
  required: ['query'],
  additionalProperties: false,
  $defs: { user: { type: 'object', properties: { id: { type: 'integer', description: 'Its number.' } } } },
}

const tool = (name: string, run: () => ToolOutcome = () => told('ok')): Tool => ({
  name: `mcp__hub__${name}`,
  description: 'Searches issues. The rest is about when to use it, and what it costs.\n\nAnd more.',
  inputSchema: schema,
  access: 'run',
  about: () => '',
  run: () => Promise.resolve(run()),
})
const many = Array.from({ length: 20 }, (_, index) => tool(`find${index}`))
const offered = (tools: readonly Tool[], definitions: Definitions = 'auto') => withShortDefinitions(tools, () => definitions)
const run = (tools: readonly Tool[], name: string, input: unknown = {}) =>
  (tools.find((one) => one.name === name) as Tool).run(input, toolContext().context)

describe('short definitions', () => {
  it('keep what a checker needs and the names of all arguments', () => {
    expect(withoutNotes(schema)).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string' },
        description: { type: 'string' },
        state: { enum: ['open', 'closed'] },
        filter: { type: 'array', items: { type: 'object', properties: { at: { type: 'string' } } } },
        any: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/user' }] },
      },
      required: ['query'],
      additionalProperties: false,
      $defs: { user: { type: 'object', properties: { id: { type: 'integer' } } } },
    })
    expect(Object.keys(withoutNotes(JSON.parse('{"properties":{"__proto__":{"type":"string","title":"x"}}}')))).toEqual([
      'properties',
    ])
  })

  it('are offered with a tool that describes them, if that saves enough', () => {
    const tools = offered(many)
    expect(tools.map(({ name }) => name)).toEqual([...many.map(({ name }) => name), 'describe_tool'])
    expect(tools[0]).toMatchObject({ description: 'Searches issues.', access: 'run', inputSchema: withoutNotes(schema) })
    const size = (list: readonly Tool[]) => list.reduce((sum, one) => sum + estimateTokens(JSON.stringify(one)), 0)
    expect(size(many) - size(tools)).toBeGreaterThan(1900)
    // The list comes first in the cached prompt, so it may not depend on anything else.
    expect(JSON.stringify(offered(many))).toBe(JSON.stringify(tools))
    expect(offered(many.slice(0, 3))).toEqual(many.slice(0, 3))
  })

  it('are what the settings say', () => {
    expect(offered(many, 'full')).toEqual(many)
    expect(offered(many.slice(0, 1), 'short').map(({ name }) => name)).toEqual(['mcp__hub__find0', 'describe_tool'])
    const plain = { ...tool('plain'), description: 'Short.', inputSchema: { type: 'object' } }
    expect(offered([plain], 'short')).toEqual([plain])
  })

  it('are completed on demand, several at once', async () => {
    const tools = offered(many)
    const { content } = await run(tools, 'describe_tool', {
      names: ['mcp__hub__find3', 'mcp__hub__find3', 'mcp__hub__find4', 'nope'],
    })
    const text = content.type === 'text' ? content.text : ''
    expect(text.match(/what it costs/g)).toHaveLength(2)
    expect(text).toContain(JSON.stringify(schema))
    expect(text).toContain('no tool is called "nope".')
    expect(await run(tools, 'describe_tool', { names: ['nope'] })).toMatchObject({ isError: true })
    expect(await run(tools, 'describe_tool', { names: [] })).toMatchObject({ isError: true })
  })

  it('come with the first failure, not with later ones', async () => {
    const tools = offered([tool('bad', () => failed('wrong state')), ...many])
    const first = await run(tools, 'mcp__hub__bad')
    expect(first.content).toMatchObject({
      text: expect.stringMatching(/^Error: wrong state\nFull definition:\nmcp__hub__bad\nSearches issues\. The rest/),
    })
    expect((await run(tools, 'mcp__hub__bad')).content).toEqual({ type: 'text', text: 'Error: wrong state' })
    expect((await run(tools, 'mcp__hub__find0')).content).toEqual({ type: 'text', text: 'ok' })
  })
})
