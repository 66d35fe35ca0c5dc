import { describe, expect, it } from 'vitest'
import type { Facts, Tokenizer } from '../../facts.ts'
import type { Message } from '../../message.ts'
import { toolResults } from '../../results/tool-results.ts'
import { exchange, user } from '../../testing/messages.ts'
import { namesOf, weighResults } from './weighed-results.ts'

const letters: Tokenizer = { name: 'letters', count: (text) => text.length }
const list = (): readonly Message[] => [
  user('u', 'fix the cart tests'),
  ...exchange('read', 'Read', { file_path: '/Project/a.ts' }, 'text'),
  ...exchange('make', 'Bash', { command: 'make' }, '[Bash: make; recall 0123456789ab]'),
]

it('weighResults returns the profile and tokens of each result', () => {
  const messages = list()
  const facts: Facts = { root: '/Project', tokens: letters }
  const [first, second] = toolResults(messages, facts)
  const nothing = { reads: [], changes: [], writes: [] }
  const file = { file: 'a.ts', range: { first: 1, last: Number.POSITIVE_INFINITY } }
  expect(weighResults(messages, facts)).toEqual([
    { result: first, key: 'read.0', profile: { ...nothing, class: 'read', subject: null, reads: [file] }, tokens: 8, isStub: false, names: ['read.0', 'a.ts'] },
    { result: second, key: 'make.0', profile: { ...nothing, class: 'terminal', subject: 'Bash make' }, tokens: 37, isStub: true, names: ['make.0', 'Bash make'] },
  ]) // biome-ignore format: a table
})

it('weighResults returns nothing for an empty list', () => {
  expect(weighResults([], {})).toEqual([])
})

it('names the other parts that show what one omits, each once and never itself', () => {
  const to = (part: string) => ({ part }) as never
  const references = new Map([['a.0', [to('b.0'), to('a.0'), to('c.0'), to('b.0')]]])
  expect([namesOf('a.0', { references }), namesOf('b.0', { references }), namesOf('a.0', {})]).toEqual([['b.0', 'c.0'], [], []])
})

describe('weighResults weighs each result', () => {
  it('once as the list grows', () => {
    const messages = list()
    const before = weighResults(messages, {})
    const after = weighResults([...messages, ...exchange('z', 'LS', {}, 'ok')], {})
    expect(after).toHaveLength(3)
    expect(after[0]).toBe(before[0])
    expect(after[1]).toBe(before[1])
  })

  it.each<readonly [string, Facts, Facts]>([
    ['for another tokenizer', {}, { tokens: letters }],
    ['in another folder', { root: '/Project' }, { root: '/' }],
    ['on another platform', { platform: 'linux' }, { platform: 'win32' }],
    ['with other rows for its tool', {}, { tools: [{ name: 'Read', kind: 'other' }] }],
  ])('again %s', (_name, before, after) => {
    const messages = list()
    const first = weighResults(messages, before)
    const again = weighResults(messages, after)
    expect(again).toEqual(weighResults(structuredClone(messages), after).map((each, at) => ({ ...each, result: again[at]?.result })))
    expect(again.map(({ profile, tokens }) => ({ profile, tokens }))).not.toEqual(first.map(({ profile, tokens }) => ({ profile, tokens })))
  }) // biome-ignore format: long lines
})
