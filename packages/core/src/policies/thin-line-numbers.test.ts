import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { recall } from '../recall/recall.ts'
import { deepFreeze, exchange, outcome, user } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { defaultEconomyRules } from './economy/economy-rules.ts'
import { createThinLineNumbers } from './thin-line-numbers.ts'

const policy = createThinLineNumbers({ ...defaultEconomyRules, numberEvery: 5 })
const read = (text: string): readonly Message[] => [
  user('u', 'fix the cart tests'),
  ...exchange('read', 'Read', { file_path: 'a.ts' }, text),
]
const plan = (text: string, facts: Facts = {}) => outcome(policy.plan(deepFreeze(read(text)), facts))
const numbered = (from: number, count: number, mark = '→', pad = 0) =>
  Array.from({ length: count }, (_, index) => `${String(from + index).padStart(pad)}${mark}line ${from + index}`).join('\n')

describe('thin-line-numbers', () => {
  const thin = '3→line 3\n→line 4\n5→line 5\n→line 6\n→line 7\n→line 8\n→line 9\n10→line 10'
  it.each<[name: string, text: string, shown: string]>([
    ['numbers followed by an arrow', numbered(3, 8), thin],
    ['the padding of numbers followed by a tab', numbered(3, 8, '\t', 6), numbered(3, 8, '\t')],
    ['padded numbers', numbered(3, 8, '→', 6), thin],
    ['numbers with text before and after them', `<file>\n${numbered(3, 8)}\n</file>`, `<file>\n${thin}\n</file>`],
    ['numbers of two files', `${numbered(3, 8)}\n${numbered(3, 8)}`, `${thin}\n${thin}`],
    ['numbers that continue after a note', `${numbered(3, 8)}\nnote\n${numbered(11, 2)}`, `${thin}\nnote\n11→line 11\n→line 12`],
    ['the minimum number of lines', numbered(1, 6), '1→line 1\n→line 2\n→line 3\n→line 4\n5→line 5\n→line 6'],
    ['numbers with a gap', `${numbered(3, 8)}\n${numbered(17, 2)}`, `${thin}\n17→line 17\n→line 18`],
  ])('thins %s', (_name, text, shown) => {
    expect(plan(text)).toEqual({ read: shown })
  })

  it('says why, in the language of the request', () => {
    const whyIn = (locale: 'en' | 'zh') => policy.plan(read(numbered(3, 8)), { config: { locale } })[0]?.why
    expect(whyIn('en')).toMatch(/number/)
    expect(whyIn('zh')).toMatch(/\p{Script=Han}/u)
  })

  it.each<[name: string, text: string, facts?: Facts]>([
    ['too few lines', numbered(3, 4)],
    ["Claude Code's number and tab, the form that its edit tool documents", numbered(3, 80, '\t')],
    ['a table whose first column does not count up', '12\t3\ta\n5\t3\tb\n5\t1\tc\n9\t2\td\n4\t2\te\n7\t2\tf'],
    ['numbers with zeros before them', '01\ta\n02\tb\n03\tc\n04\td\n05\te\n06\tf\n07\tg'],
    ['a text with a line that looks like one whose number was removed', `${numbered(3, 8)}\n→ a line that starts with an arrow`],
    ['a text that was thinned before', thin],
    ['padded numbers that do not follow each other', '  1→a\n  5→b\n  9→c\n 13→d\n 17→e'],
    ['a pinned result', numbered(3, 8), { pins: ['read'] }],
    ['an empty text', ''],
  ])('leaves %s alone', (_name, text, facts = {}) => {
    expect(plan(text, facts)).toEqual({})
  })

  it('leaves every text, and every number can be counted', () => {
    const line = fc.string({ maxLength: 12 }).filter((text) => !/^\s*[\d→]|[\n\r]/.test(text))
    const part = fc.record({ from: fc.nat(2000), lines: fc.array(line, { minLength: 1, maxLength: 15 }), mark: fc.constantFrom('→', '\t'), note: fc.boolean() }) // biome-ignore format: one line
    let thinner = 0
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts
          .flatMap(({ from, lines, mark, note }) => [...lines.map((one, index) => `${from + index}${mark}${one}`), ...(note ? ['note'] : [])]) // biome-ignore format: one line
          .join('\n')
        const shown = plan(text)['read']
        if (shown === undefined || shown === null) return
        thinner += 1
        let last = Number.NaN
        const counted = shown.split('\n').map((one) => {
          const found = /^(\d*)([→\t])/.exec(one)
          last = found === null ? Number.NaN : found[1] === '' ? last + 1 : Number(found[1])
          return found?.[1] === '' ? `${last}${one}` : one
        })
        expect(counted.join('\n')).toBe(text)
      }),
      { seed: 7, numRuns: 60 },
    )
    expect(thinner).toBeGreaterThan(20)
  })

  it('thins a list of texts as one joined text, and keeps the list', () => {
    const image = { type: 'media', mediaType: 'image/png', data: {} } as const
    const items = [{ type: 'text', text: numbered(3, 8) }, image, { type: 'text', text: numbered(11, 8) }] as const
    const [edit] = policy.plan(
      [user('u', 'fix the cart tests'), ...exchange('read', 'Read', {}, '', { content: { type: 'list', items } })],
      {},
    )
    const text = plan(`${numbered(3, 8)}\n${numbered(11, 8)}`)['read']
    expect(text).toBeDefined()
    expect(edit).toMatchObject({ with: { content: { type: 'list', items: [{ type: 'text', text }, image] } } })
  })

  it('does nothing if the rule is off', () => {
    const off = createThinLineNumbers({ ...defaultEconomyRules, numberEvery: Number.POSITIVE_INFINITY })
    expect(off.plan(read(numbered(3, 80)), {})).toEqual([])
  })

  it('returns the same edit for the same part, and a new one in another message', () => {
    const [said, call, result] = read(numbered(3, 8)) as [Message, Message, Message]
    const [first] = policy.plan([said, call, result], {})
    expect(policy.plan([said, call, result], {})[0]).toBe(first)
    expect(policy.plan([said, call, { ...result, id: 'other' }], {})[0]).toMatchObject({ message: 'other' })
  })

  it('leaves the original recallable by the id of its message', () => {
    const messages = read(numbered(3, 8, '\t', 6))
    expect(recall({ id: 'read' }, sourceOf(messages))).toMatchObject({ kind: 'found', text: numbered(3, 8, '\t', 6) })
  })
})

it('thin-line-numbers reads texts of up to a million characters, and no extracts', () => {
  const filled = (length: number) => `${numbered(3, 8)}\n${'x'.repeat(length - numbered(3, 8).length - 1)}`
  expect(Object.keys(plan(filled(1_000_000)))).toEqual(['read'])
  expect(plan(filled(1_000_001))).toEqual({})
  const blob = { sha256: '', bytes: 1 }
  expect(policy.plan(exchange('read', 'Read', { file_path: 'a.ts' }, numbered(3, 8), { blob }), {})).toEqual([])
})
