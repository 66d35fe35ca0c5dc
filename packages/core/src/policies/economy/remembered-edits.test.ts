import { describe, expect, it } from 'vitest'
import type { Facts } from '../../facts.ts'
import type { Message } from '../../message.ts'
import type { Policy } from '../../policy.ts'
import { calls, exchange, result, user } from '../../testing/messages.ts'
import { createCutLongOutput } from '../cut-long-output.ts'
import { createDropOldReasoning } from '../drop-old-reasoning.ts'
import { createShortenWrittenArguments } from '../shorten-written-arguments.ts'
import { createStubOldResults } from '../stub-old-results.ts'
import { createThinLineNumbers } from '../thin-line-numbers.ts'
import { defaultEconomyRules } from './economy-rules.ts'

interface Sample {
  readonly create: () => Policy
  /** A message that the policy changes, and the list around it. */
  readonly message: Message
  readonly around: (message: Message) => readonly Message[]
}

const rules = { ...defaultEconomyRules, numberEvery: 5, reasoningAfter: 0, argumentsAfter: 0, inUseFor: 0 }
const make = calls('c', ['k', 'Bash', { command: 'make' }])
const read = calls('c', ['k', 'Read', { file_path: 'a.ts' }])
const written = result('r', 'k', 'written')
const numbered = Array.from({ length: 20 }, (_, index) => `${index + 1}→line`).join('\n')
const samples: Readonly<Record<string, Sample>> = {
  'cut-long-output': {
    create: () => createCutLongOutput(rules),
    message: result('first', 'k', 'compiled one more module of the cart\n'.repeat(400)),
    around: (message) => [make, message],
  },
  'thin-line-numbers': {
    create: () => createThinLineNumbers(rules),
    message: result('first', 'k', numbered),
    around: (message) => [read, message],
  },
  'shorten-written-arguments': {
    create: () => createShortenWrittenArguments(rules),
    message: calls('first', ['k', 'Write', { file_path: 'a.ts', content: 'a line of the file\n'.repeat(40) }]),
    around: (message) => [message, written],
  },
  'stub-old-results': {
    create: () => createStubOldResults({ ...rules, keepRecent: 0, stubAfter: { ...rules.stubAfter, terminal: 1 } }),
    message: result('first', 'k', 'compiled one more module of the cart\n'.repeat(40)),
    around: (message) => [make, message, ...exchange('r', 'LS', {}, 'files')],
  },
  'drop-old-reasoning': {
    create: () => createDropOldReasoning(rules),
    message: {
      id: 'first',
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Let me think.' },
        { type: 'text', text: 'done' },
      ],
    },
    around: (message) => [message, user('v', 'next'), ...exchange('r', 'LS', {}, 'files')],
  },
}

describe.each(Object.entries(samples))('%s', (name, { create, message, around }) => {
  const list = (given: Message) => [user('u', 'fix the cart tests'), ...around(given)]

  it('returns one edit with its own name', () => {
    expect(create().plan(list(message), {})).toMatchObject([
      { id: `${name}:first.0`, policy: name, kind: 'replace', message: 'first', part: 0 },
    ])
  })

  it('returns the same edit in another list', () => {
    const { plan } = create()
    const [edit] = plan(list(message), {})
    expect(plan([user('other', 'list'), ...around(message)], {})[0]).toBe(edit)
  })

  it.each<readonly [string, Message, Facts]>([
    ['under another id', { ...message, id: 'renamed' }, {}],
    ['in another place', { ...message, parts: [{ type: 'text', text: 'note' }, ...message.parts] }, {}],
    ['in another language', message, { config: { locale: 'zh' } }],
  ])('returns a new edit %s', (_name, given, facts) => {
    const { plan } = create()
    const first = list(message)
    plan(first, {})
    const made = plan(given === message ? first : list(given), facts)
    expect(made).toHaveLength(1)
    expect(made).toEqual(create().plan(structuredClone(list(given)), facts))
  })

  it('returns each edit once as the list grows', () => {
    const { plan } = create()
    const first = list(message)
    plan(first, {})
    const grown = [...first, user('w', 'more'), ...around({ ...structuredClone(message), id: 'second' })]
    expect(plan(grown, {})).toEqual(create().plan(structuredClone(grown), {}))
    expect(plan(grown, {}).map(({ id }) => id)).toEqual([`${name}:first.0`, `${name}:second.0`])
  })

  it('leaves user text alone, even if it looks like a result', () => {
    expect(create().plan(list({ ...message, role: 'user' }), {})).toEqual([])
  })
})
