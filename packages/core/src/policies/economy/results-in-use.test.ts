import { describe, expect, it } from 'vitest'
import type { Message } from '../../message.ts'
import { calls, exchange, result, user } from '../../testing/messages.ts'
import { defaultEconomyRules, type EconomyRules } from './economy-rules.ts'
import { createResultsInUse } from './results-in-use.ts'

const rules: EconomyRules = { ...defaultEconomyRules, sharedIdentifiers: 2, sharedRequests: 2, rareIn: 2 }
const both = 'alphaName betaName'
const start = user('u', 'go')
const shows = (id: string, text = both) => exchange(id, 'LS', {}, text)
const asks = (id: string, text = both) => calls(id, [`call-${id}`, 'Edit', { text }])
const says = (id: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text: 'hm' }] })

const inUse = (messages: readonly Message[], extra: Partial<EconomyRules> = {}) => [
  ...createResultsInUse({ ...rules, ...extra })(messages),
]

describe('a result is in use that shares rare names with the latest arguments', () => {
  const [, shown] = shows('x') as [Message, Message]
  it.each<readonly [string, readonly Message[], readonly string[]]>([
    ['enough of them', [start, ...shows('x'), asks('z')], ['x.0']],
    ['too few', [start, ...shows('x', 'alphaName'), asks('z')], []],
    ['one of them twice', [start, ...shows('x', 'alphaName alphaName'), asks('z', 'alphaName alphaName')], []],
    ['none', [start, ...shows('x'), asks('z', 'gammaName deltaName')], []],
    ['in as many results as may have a rare one', [start, ...shows('x'), ...shows('y'), asks('z')], ['x.0', 'y.0']],
    ['in one more', [start, ...shows('w'), ...shows('x'), ...shows('y'), asks('z')], []],
    ['in many more', [start, ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((id) => shows(id)), asks('z')], []],
    ['behind another part', [start, { ...shown, parts: [{ type: 'text', text: both }, ...shown.parts] }, asks('z')], ['x.1']],
    ['what a person pasted is no result', [start, { ...shown, role: 'user' }, asks('z')], []],
    ['what the model said is no argument', [start, ...shows('x'), { id: 'z', role: 'assistant', parts: [{ type: 'text', text: both }] }], []],
    ['of several calls', [start, ...shows('x'), calls('z', ['k', 'LS', { path: 'alphaName' }], ['l', 'LS', { path: 'betaName' }])], ['x.0']],
    ['of a call that opens the conversation', [asks('z'), ...shows('x')], ['x.0']],
  ])('%s', (_name, messages, expected) => {
    expect(inUse(messages)).toEqual(expected)
  }) // biome-ignore format: a table
})

describe('the latest requests', () => {
  const other = (id: string) => shows(id, 'ok')
  it.each<readonly [string, readonly Message[], number, readonly string[]]>([
    ['the last one', [...shows('x'), asks('z')], 1, ['x.0']],
    ['the last one, answered', [...shows('x'), asks('z'), result('r', 'call-z', 'ok')], 1, ['x.0']],
    ['the last but one of one', [...shows('x'), asks('z'), result('r', 'call-z', 'ok'), ...other('y')], 1, []],
    ['the last but one of two', [...shows('x'), asks('z'), result('r', 'call-z', 'ok'), ...other('y')], 2, ['x.0']],
    ['the one before of two', [...shows('x'), asks('z'), result('r', 'call-z', 'ok'), ...other('y'), ...other('w')], 2, []],
    ['an answer in several messages is one', [...shows('x'), asks('z'), says('s'), says('t'), start], 1, ['x.0']],
    ['and what came before it another', [...shows('x'), asks('z'), start, says('s'), says('t')], 1, []],
    ['also where that has several', [...shows('x'), start, says('s'), asks('z'), start, says('t')], 1, []],
    ['none of them', [...shows('x'), asks('z')], 0, []],
  ])('%s', (_name, messages, sharedRequests, expected) => {
    expect(inUse([start, ...messages], { sharedRequests })).toEqual(expected)
  })
})

it('finds nothing in use if no number of names is enough', () => {
  expect(inUse([start, ...shows('x'), asks('z')], { sharedIdentifiers: Number.POSITIVE_INFINITY })).toEqual([])
})

it('a list that has grown is read on', () => {
  const find = createResultsInUse(rules)
  const messages = [start, ...shows('x'), asks('z')]
  expect(find(messages)).toEqual(new Set(['x.0']))
  expect(find([...messages, ...shows('y'), asks('w')])).toEqual(new Set(['x.0', 'y.0']))
})

it('keeps only the first of very many names', () => {
  const name = (index: number) => `name${String(index).padStart(6, '0')}`
  const block = (from: number) => Array.from({ length: 3000 }, (_, index) => name(from + index)).join(' ')
  const blocks = Array.from({ length: 100 }, (_, index) => result(`${index}`, null, block(index * 3000)))
  const messages = [start, ...blocks, result('late', null, 'lateName'), asks('z', `${name(299_999)} lateName`)]
  expect(inUse(messages, { sharedIdentifiers: 1 })).toEqual(['99.0'])
})
