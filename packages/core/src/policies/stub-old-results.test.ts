import { describe, expect, it } from 'vitest'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { calls, deepFreeze, exchange, outcome, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { defaultEconomyRules, type EconomyRules } from './economy/economy-rules.ts'
import { createStubOldResults } from './stub-old-results.ts'

const cold: Facts = { cold: true, root: '/project' }
const warm: Facts = { root: '/project' }

/** Steps with results too small to be stubbed. */
const steps = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, index) => exchange(`s${from + index}`, 'LS', { path: `d${from + index}` }, 'ok')).flat()

const code = Array.from({ length: 60 }, (_, index) => `const value${index} = ${index} * 2`).join('\n')
const log = `${Array.from({ length: 60 }, (_, index) => `compiled module ${index} without trouble`).join('\n')}\nall 60 modules done`

function shown(
  messages: readonly Message[],
  facts: Facts = cold,
  rules: Partial<EconomyRules> = {},
): Record<string, string | null> {
  return outcome(createStubOldResults({ ...defaultEconomyRules, ...rules }).plan(deepFreeze(messages), facts))
}

const readA = (id: string, input: object = {}, text = code) => exchange(id, 'Read', { file_path: 'src/a.ts', ...input }, text)
const test = (id: string, text = log, command = 'npm test') => exchange(id, 'Bash', { command }, text)
const recallOf = (text: string) => `recall ${handleOf(text)}]`
const removed = (text: string, outcome = '') => `${text.split('\n').length} lines removed${outcome}; ${recallOf(text)}`

describe('stub-old-results, by age and kind', () => {
  const commandStub = `[Bash: npm test; ${removed(log)}\nall 60 modules done`
  it.each<[string, readonly Message[], number, number, string, Facts]>([
    ['stubs a command', test('old'), 7, 8, commandStub, warm],
    [
      'stubs a search',
      exchange('old', 'Grep', { pattern: 'value' }, code),
      7,
      8,
      `[Grep: value; ${removed(code)}\nconst value0 = 0 * 2\nconst value59 = 59 * 2`,
      warm,
    ],
    [
      'stubs a search by command',
      exchange('old', 'Bash', { command: 'rg value' }, code),
      7,
      8,
      `[Bash: rg value; ${removed(code)}\nconst value0 = 0 * 2\nconst value59 = 59 * 2`,
      warm,
    ],
    ['stubs a read if nothing is cached', readA('old'), 9, 10, `[Read: src/a.ts; ${removed(code)}`, cold],
    [
      'stubs a read by command if nothing is cached',
      exchange('old', 'Bash', { command: 'cat src/a.ts' }, code),
      9,
      10,
      `[Bash: cat src/a.ts; ${removed(code)}`,
      cold,
    ],
    ['stubs an edit', exchange('old', 'Edit', { file_path: 'a.ts' }, code), 19, 20, `[Edit: a.ts; ${removed(code)}`, warm],
    ['stubs the result of an unknown tool', exchange('old', 'mcp__a__b', {}, code), 19, 20, `[mcp__a__b; ${removed(code)}`, warm],
    [
      'stubs a recalled text',
      exchange('old', 'recall', { handle: 'abc' }, code),
      7,
      8,
      `[recall: abc; ${removed(code)}\nconst value59 = 59 * 2`,
      warm,
    ],
  ])('%s', (_, result, young, old, stub, facts) => {
    const list = (count: number) => [user('u', 'fix the cart tests'), ...result, ...steps(count)]
    expect(shown(list(young), facts)).toEqual({})
    expect(shown(list(old), facts)).toEqual({ old: stub })
  })

  it('keeps only the handle of a very old result', () => {
    expect(shown([user('u', 'fix the cart tests'), ...test('old'), ...steps(80)])).toEqual({
      old: `[Bash: npm test; ${removed(log)}`,
    })
  })

  it('counts parallel calls and an answer in several messages as one request', () => {
    const split: readonly Message[] = [
      { id: 'p', role: 'assistant', parts: [{ type: 'text', text: 'Let me check.' }] },
      ...steps(1, 50),
    ]
    expect(shown([user('u', 'fix the cart tests'), ...test('old'), ...steps(6), ...split], warm)).toEqual({})
    expect(Object.keys(shown([user('u', 'fix the cart tests'), ...test('old'), ...steps(7), ...split], warm))).toEqual(['old'])
  })

  it('keeps errors, paths and the last line in a stub', () => {
    const text = `${log}\nerror: no such module\nsrc/deep/a.ts and lib/b.py\n${log}\nlast words`
    expect(shown([user('u', 'fix the cart tests'), ...test('old', text), ...steps(8)])).toEqual({
      old: `[Bash: npm test; ${removed(text)}\nerror: no such module\nlast words\npaths: src/deep/a.ts lib/b.py`,
    })
  })
})

describe('stub-old-results, failures', () => {
  const failure = `Error: it broke\n${log}\nAssertionError: 1 is not 2\nexit code 1`
  const stub = `[Bash: npm test; ${removed(failure, ', exit code 1')}\nError: it broke\nAssertionError: 1 is not 2\nexit code 1`
  it.each([
    ['keeps a young unresolved one', 14, [], {}],
    ['stubs an old unresolved one', 15, [], { old: stub }],
    ['keeps a young resolved one', 7, test('newer', 'ok'), {}],
    ['stubs an old resolved one', 8, test('newer', 'ok'), { old: stub }],
    ['keeps the error lines at any age', 200, [], { old: stub }],
  ])('%s', (_, count, after, expected) => {
    expect(
      shown([user('u', 'fix the cart tests'), ...test('old', failure), ...after, ...steps(count - (after.length > 0 ? 1 : 0))]),
    ).toEqual(expected)
  })
})

describe('stub-old-results, a read', () => {
  const gone = { old: `[Read: src/a.ts; ${removed(code)}` }
  const late = steps(8, 100)
  it.each<[string, readonly Message[], Record<string, string>]>([
    ['is superseded by a read of the full file', [...readA('old'), ...readA('newer')], gone],
    [
      'is superseded by a read under another spelling',
      [...readA('old'), ...exchange('newer', 'read_file', { path: '/project/src/a.ts' }, code)],
      gone,
    ],
    ['of lines is superseded by a read of the full file', [...readA('old', { offset: 5, limit: 9 }), ...readA('newer')], gone],
    [
      'of lines is superseded by a read of more lines',
      [...readA('old', { offset: 5, limit: 9 }), ...readA('newer', { offset: 1, limit: 50 })],
      gone,
    ],
    [
      'is not superseded if it has lines beyond the newer ones',
      [...readA('old', { offset: 5, limit: 90 }), ...readA('newer', { offset: 1, limit: 50 })],
      {},
    ],
    [
      'is not superseded by a read of another file',
      [...readA('old'), ...exchange('newer', 'Read', { file_path: 'src/b.ts' }, code)],
      {},
    ],
    ['is not superseded by a failed read', [...readA('old'), ...readA('newer', {}, 'Error: no such file')], {}],
    [
      'is superseded by a write of the full file',
      [...readA('old'), ...exchange('newer', 'Write', { file_path: 'src/a.ts', content: code }, 'ok')],
      gone,
    ],
    ['is not superseded by an edit', [...readA('old'), ...exchange('newer', 'Edit', { file_path: 'src/a.ts' }, 'ok')], {}],
    [
      'is superseded by a command that prints it',
      [...readA('old', { offset: 2, limit: 3 }), ...exchange('newer', 'Bash', { command: "sed -n '1,80p' src/a.ts" }, code)],
      gone,
    ],
  ])('%s', (_, messages, expected) => {
    expect(shown([user('u', 'fix the cart tests'), ...messages, ...late], warm)).toEqual(expected)
  })

  it('is superseded by the same git diff again', () => {
    const diff = (id: string) => exchange(id, 'Bash', { command: 'git diff' }, code)
    expect(shown([user('u', 'fix the cart tests'), ...diff('old'), ...diff('newer'), ...late], warm)).toEqual({
      old: `[Bash: git diff; ${removed(code)}`,
    })
  })

  it('is superseded only while the newer copy is shown', () => {
    const messages = [user('u', 'fix the cart tests'), ...readA('old', { offset: 5, limit: 9 }), ...readA('newer'), ...steps(12)]
    const stub = `[Read: src/a.ts; ${removed(code)}`
    expect(shown(messages, warm)).toEqual({ old: stub })
    // If nothing is cached, both are old enough to be stubbed by their age.
    expect(shown(messages, cold)).toEqual({ old: stub, newer: stub })
    expect(shown(messages, cold, { stubAfter: { ...defaultEconomyRules.stubAfter, read: 12 } })).toEqual({
      old: stub,
      newer: stub,
    })
  })

  it.each([
    ['still shown', 59, ['old']],
    ['shortened by now', 60, []],
  ])('is superseded by a write only while its arguments are shown: they are %s', (_, count, changed) => {
    const write = exchange('newer', 'Write', { file_path: 'src/a.ts', content: code }, 'ok')
    expect(Object.keys(shown([user('u', 'fix the cart tests'), ...readA('old'), ...write, ...steps(count)], warm))).toEqual(
      changed,
    )
  })
})

describe('stub-old-results, a command that was run again', () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ['is stubbed if it succeeded again', [...test('old'), ...test('newer')], ['old']],
    ['stays if it failed the second time', [...test('old'), ...test('newer', 'Error: no')], []],
    ['stays if the second command is different', [...test('old'), ...test('newer', log, 'npm run build')], []],
  ])('%s', (_, messages, expected) => {
    expect(
      Object.keys(shown([user('u', 'fix the cart tests'), ...messages, ...steps(6)], { ...warm }, { keepRecent: 4 })),
    ).toEqual(expected)
  })
})

describe('stub-old-results, reads in a cached conversation', () => {
  it.each<[string, Facts, number]>([
    ['stay if cached tokens are cheap', { ...warm, cache: { read: 0.1, write: 1.25, lifetimeSeconds: 300 } }, 0],
    ['are stubbed if cached tokens are expensive', { ...warm, cache: { read: 0.25, write: 1, lifetimeSeconds: null } }, 1],
  ])('%s', (_, facts, count) => {
    const text = Array.from({ length: 80 }, (_line, index) => `const value${index} = compute(${index})`).join('\n')
    const stubs = Object.values(shown([user('u', 'fix the cart tests'), ...readA('old', {}, text), ...steps(30)], facts))
    expect(stubs.filter((stub) => stub?.includes(recallOf(text)) === true)).toHaveLength(count)
  })
})

describe('stub-old-results, large results', () => {
  const large = Array.from({ length: 1500 }, (_, index) => `const value${index} = compute(${index})`).join('\n')
  it.each<[string, Facts, Partial<EconomyRules>, number]>([
    ['a read if nothing is cached', cold, {}, 1],
    ['not a read that is cached', warm, {}, 0],
  ])('are cut once more: %s', (_, facts, rules, count) => {
    const cut = Object.values(shown([user('u', 'fix the cart tests'), ...readA('old', {}, large), ...steps(9)], facts, rules))
    expect(cut.filter((text) => text !== null && text.length < 6500 && text.includes(recallOf(large)))).toHaveLength(count)
  })
})

describe('stub-old-results keeps', () => {
  it.each<[string, readonly Message[], Facts]>([
    ['a small result', [...test('old', 'ok '.repeat(30)), ...steps(20)], cold],
    ['the newest results, while something is cached', [...test('old'), ...steps(7)], warm],
    ['a pinned result', [...test('old'), ...steps(20)], { ...cold, pins: ['old'] }],
    ['an unsent result', [...test('old'), ...steps(20)], { ...cold, sent: 'u' }],
    [
      'a stub in a log made from a view',
      [...test('old', `[Bash: x; recall 0123456789ab]\npaths: ${'src/a.ts '.repeat(80)}`), ...steps(20)],
      cold,
    ],
    [
      'a result that shares rare identifiers with the latest arguments',
      [
        ...test('old', `${log}\nalphaHandler betaHandler gammaHandler`),
        ...steps(20),
        calls('z', ['cz', 'Edit', { text: 'alphaHandler(betaHandler, gammaHandler)' }]),
      ],
      cold,
    ],
  ])('%s', (_, messages, facts) => {
    expect(shown([user('u', 'fix the cart tests'), ...messages], facts)).toEqual({})
  })

  it('no result for identifiers that appear in every result', () => {
    const names = 'alphaHandler betaHandler gammaHandler'
    const others = Array.from({ length: 6 }, (_, index) => exchange(`o${index}`, 'LS', { path: `${index}` }, names)).flat()
    const messages = [
      user('u', 'fix the cart tests'),
      ...test('old', `${log}\n${names}`),
      ...others,
      ...steps(9),
      calls('z', ['cz', 'Edit', { text: names }]),
    ]
    expect(Object.keys(shown(messages))).toEqual(['old'])
  })

  it('images next to a stub', () => {
    const image = { type: 'media', mediaType: 'image/png', data: { url: 'old' } } as const
    const [call, result] = test('old') as [Message, Message]
    const content = { type: 'list', items: [{ type: 'text', text: log }, image] } as const
    const shot: Message = { ...result, parts: [{ type: 'tool-result', callId: 'call-old', tool: null, content }] }
    const [edit] = createStubOldResults(defaultEconomyRules).plan(
      [user('u', 'fix the cart tests'), call, shot, ...steps(20)],
      cold,
    )
    expect(edit).toMatchObject({ with: { content: { items: [{ type: 'text' }, image] } } })
  })
})

it('stub-old-results stubs reads of an edited file sooner', () => {
  const messages = (count: number) => [
    user('u', 'fix the cart tests'),
    ...readA('old'),
    ...exchange('e', 'Edit', { file_path: 'src/a.ts' }, 'ok'),
    ...steps(count),
  ]
  expect(shown(messages(2), cold, { keepRecentCold: 0 })).toEqual({})
  expect(Object.keys(shown(messages(3), cold, { keepRecentCold: 0 }))).toEqual(['old'])
})

it('stub-old-results names a result without a tool name a tool', () => {
  const messages = [user('u', 'fix the cart tests'), result('old', null, code), ...steps(20)]
  expect(shown(messages, warm)).toEqual({ old: `[tool; ${removed(code)}` })
})
