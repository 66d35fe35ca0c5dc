import { describe, expect, it } from 'vitest'
import type { Message } from '../../message.ts'
import { calls, exchange, result, user } from '../../testing/messages.ts'
import { defaultEconomyRules, type EconomyRules } from './economy-rules.ts'
import { createResultsInUse, filesNamedByUser } from './results-in-use.ts'

const rules: EconomyRules = { ...defaultEconomyRules, sharedIdentifiers: 2, sharedRequests: 2, rareIn: 2 }
const both = 'alphaName betaName'
const start = user('u', 'fix the cart tests')
const shows = (id: string, text = both) => exchange(id, 'LS', {}, text)
const asks = (id: string, text = both) => calls(id, [`call-${id}`, 'Edit', { text }])
const says = (id: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text: 'Let me check.' }] })

const inUse = (messages: readonly Message[], extra: Partial<EconomyRules> = {}) => [
  ...createResultsInUse({ ...rules, ...extra })(messages),
]

describe('createResultsInUse, rare identifiers shared with the latest arguments', () => {
  const [, shown] = shows('shown') as [Message, Message]
  it.each<readonly [string, readonly Message[], readonly string[]]>([
    ['enough identifiers', [start, ...shows('shown'), asks('asks')], ['shown.0']],
    ['too few identifiers', [start, ...shows('shown', 'alphaName'), asks('asks')], []],
    ['one identifier twice', [start, ...shows('shown', 'alphaName alphaName'), asks('asks', 'alphaName alphaName')], []],
    ['no identifiers', [start, ...shows('shown'), asks('asks', 'gammaName deltaName')], []],
    ['identifiers in the maximum number of results', [start, ...shows('shown'), ...shows('shown2'), asks('asks')], ['shown.0', 'shown2.0']],
    ['identifiers in one result more', [start, ...shows('w'), ...shows('shown'), ...shows('shown2'), asks('asks')], []],
    ['identifiers in many more results', [start, ...['a', 'b', 'c', 'd', 'e', 'f'].flatMap((id) => shows(id)), asks('asks')], []],
    ['identifiers after another part', [start, { ...shown, parts: [{ type: 'text', text: both }, ...shown.parts] }, asks('asks')], ['shown.1']],
    ['identifiers in a user message', [start, { ...shown, role: 'user' }, asks('asks')], []],
    ['identifiers in text of the model', [start, ...shows('shown'), { id: 'asks', role: 'assistant', parts: [{ type: 'text', text: both }] }], []],
    ['identifiers spread over several calls', [start, ...shows('shown'), calls('asks', ['k', 'LS', { path: 'alphaName' }], ['l', 'LS', { path: 'betaName' }])], ['shown.0']],
    ['identifiers in a call that starts the conversation', [asks('asks'), ...shows('shown')], ['shown.0']],
  ])('%s', (_name, messages, expected) => {
    expect(inUse(messages)).toEqual(expected)
  }) // biome-ignore format: a table
})

describe('createResultsInUse, arguments in the latest requests', () => {
  const other = (id: string) => shows(id, 'ok')
  it.each<readonly [string, readonly Message[], number, readonly string[]]>([
    ['in the last of one', [...shows('shown'), asks('asks')], 1, ['shown.0']],
    ['in the last of one, answered', [...shows('shown'), asks('asks'), result('r', 'call-asks', 'ok')], 1, ['shown.0']],
    ['before the last of one', [...shows('shown'), asks('asks'), result('r', 'call-asks', 'ok'), ...other('shown2')], 1, []],
    [
      'in the first of two',
      [...shows('shown'), asks('asks'), result('r', 'call-asks', 'ok'), ...other('shown2')],
      2,
      ['shown.0'],
    ],
    [
      'before the last two',
      [...shows('shown'), asks('asks'), result('r', 'call-asks', 'ok'), ...other('shown2'), ...other('w')],
      2,
      [],
    ],
    [
      'in an answer of several messages, which counts once',
      [...shows('shown'), asks('asks'), says('s'), says('t'), start],
      1,
      ['shown.0'],
    ],
    ['before an answer of several messages', [...shows('shown'), asks('asks'), start, says('s'), says('t')], 1, []],
    ['in an earlier answer of several messages', [...shows('shown'), start, says('s'), asks('asks'), start, says('t')], 1, []],
    ['with zero requests', [...shows('shown'), asks('asks')], 0, []],
  ])('%s', (_name, messages, sharedRequests, expected) => {
    expect(inUse([start, ...messages], { sharedRequests })).toEqual(expected)
  })
})

it('createResultsInUse finds nothing if no number of identifiers is enough', () => {
  expect(inUse([start, ...shows('shown'), asks('asks')], { sharedIdentifiers: Number.POSITIVE_INFINITY })).toEqual([])
})

it('createResultsInUse continues with a longer list', () => {
  const find = createResultsInUse(rules)
  const messages = [start, ...shows('shown'), asks('asks')]
  expect(find(messages)).toEqual(new Set(['shown.0']))
  expect(find([...messages, ...shows('shown2'), asks('w')])).toEqual(new Set(['shown.0', 'shown2.0']))
})

it('createResultsInUse keeps only the first of very many identifiers', () => {
  const name = (index: number) => `name${String(index).padStart(6, '0')}`
  const block = (from: number) => Array.from({ length: 3000 }, (_, index) => name(from + index)).join(' ')
  const blocks = Array.from({ length: 100 }, (_, index) => result(`${index}`, null, block(index * 3000)))
  const messages = [start, ...blocks, result('late', null, 'lateName'), asks('asks', `${name(299_999)} lateName`)]
  expect(inUse(messages, { sharedIdentifiers: 1 })).toEqual(['99.0'])
})

describe('the files that the user names', () => {
  const named = (...messages: readonly Message[]) => [...filesNamedByUser(messages)]
  it.each<[name: string, said: string, files: readonly string[]]>([
    ['in any case, with full stops behind them', 'Fix src/Cart.ts and util.py.', ['cart.ts', 'util.py']],
    ['with dots in them', 'see a.test.ts', ['a.test.ts']],
    ['but not a word that begins with a dot, or has none', 'Stop. .env is fine now', []],
    ['but not a word with a full stop alone behind its first character', 'x.', []],
    ['but not a dot after the first character alone', 'a. b .c', []],
  ])('%s', (_, said, files) => {
    expect(named(user('u', said))).toEqual(files)
  })

  it('are those of the last message of a person, in its text alone', () => {
    expect(named()).toEqual([])
    expect(named(user('u', 'a.ts'), user('v', 'b.ts'), asks('c'))).toEqual(['b.ts'])
    const image = { type: 'media', mediaType: 'image/png', data: '', text: 'c.ts' } as never
    expect(named({ id: 'u', role: 'user', parts: [image, { type: 'text', text: 'd.ts' }] })).toEqual(['d.ts'])
  })

  it('are read in the first 200,000 characters', () => {
    expect(named(user('u', `${'word '.repeat(40_000)}a.ts`))).toEqual([])
    expect(named(user('u', `${'word '.repeat(39_999)}a.ts b.ts`))).toEqual(['a.ts'])
  })
})
