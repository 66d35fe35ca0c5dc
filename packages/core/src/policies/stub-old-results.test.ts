import { describe, expect, it } from 'vitest'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { calls, deepFreeze, exchange, outcome, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { defaultEconomyRules, type EconomyRules } from './economy/economy-rules.ts'
import { createStubOldResults } from './stub-old-results.ts'

const cold: Facts = { cold: true, root: '/project' }
const warm: Facts = { root: '/project' }

/** So many steps whose results are too small to matter. */
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

describe('by age and class', () => {
  const commandStub = `[Bash: npm test; ${recallOf(log)}\nall 60 modules done`
  it.each<[string, readonly Message[], number, number, string, Facts]>([
    ['a command', test('x'), 7, 8, commandStub, warm],
    [
      'a search',
      exchange('x', 'Grep', { pattern: 'value' }, code),
      7,
      8,
      `[Grep: value; ${recallOf(code)}\nconst value0 = 0 * 2\nconst value59 = 59 * 2`,
      warm,
    ],
    [
      'a search by command',
      exchange('x', 'Bash', { command: 'rg value' }, code),
      7,
      8,
      `[Bash: rg value; ${recallOf(code)}\nconst value0 = 0 * 2\nconst value59 = 59 * 2`,
      warm,
    ],
    ['a read, when nothing is cached', readA('x'), 9, 10, `[Read: src/a.ts; ${recallOf(code)}`, cold],
    [
      'a read by command, when nothing is cached',
      exchange('x', 'Bash', { command: 'cat src/a.ts' }, code),
      9,
      10,
      `[Bash: cat src/a.ts; ${recallOf(code)}`,
      cold,
    ],
    [
      'an edit',
      exchange('x', 'Edit', { file_path: 'a.ts' }, code),
      59,
      60,
      `[Edit: a.ts; ${recallOf(code)}\nconst value59 = 59 * 2`,
      warm,
    ],
    [
      'what nobody knows',
      exchange('x', 'mcp__a__b', {}, code),
      59,
      60,
      `[mcp__a__b; ${recallOf(code)}\nconst value59 = 59 * 2`,
      warm,
    ],
    [
      'what was recalled',
      exchange('x', 'recall', { handle: 'abc' }, code),
      7,
      8,
      `[recall: abc; ${recallOf(code)}\nconst value59 = 59 * 2`,
      warm,
    ],
  ])('%s', (_, result, young, old, stub, facts) => {
    const list = (count: number) => [user('u', 'go'), ...result, ...steps(count)]
    expect(shown(list(young), facts)).toEqual({})
    expect(shown(list(old), facts)).toEqual({ x: stub })
  })

  it('only the way back is left of what is very old', () => {
    expect(shown([user('u', 'go'), ...test('x'), ...steps(80)])).toEqual({ x: `[Bash: npm test; ${recallOf(log)}` })
  })

  it('parallel calls and an answer in several messages are one request', () => {
    const split: readonly Message[] = [{ id: 'p', role: 'assistant', parts: [{ type: 'text', text: 'hm' }] }, ...steps(1, 50)]
    expect(shown([user('u', 'go'), ...test('x'), ...steps(6), ...split], warm)).toEqual({})
    expect(Object.keys(shown([user('u', 'go'), ...test('x'), ...steps(7), ...split], warm))).toEqual(['x'])
  })

  it('a stub names errors and paths, and no more than that', () => {
    const text = `${log}\nerror: no such module\nsrc/deep/a.ts and lib/b.py\n${log}\nlast words`
    expect(shown([user('u', 'go'), ...test('x', text), ...steps(8)])).toEqual({
      x: `[Bash: npm test; ${recallOf(text)}\nerror: no such module\nlast words\npaths: src/deep/a.ts lib/b.py`,
    })
  })
})

describe('failures', () => {
  const failure = `Error: it broke\n${log}\nAssertionError: 1 is not 2\nexit code 1`
  const stub = `[Bash: npm test; ${recallOf(failure)}\nError: it broke\nAssertionError: 1 is not 2\nexit code 1`
  it.each([
    ['unresolved, and young', 14, [], {}],
    ['unresolved, and old', 15, [], { x: stub }],
    ['resolved, and young', 7, test('y', 'ok'), {}],
    ['resolved, and old', 8, test('y', 'ok'), { x: stub }],
    ['never without its error lines', 200, [], { x: stub }],
  ])('%s', (_, count, after, expected) => {
    expect(shown([user('u', 'go'), ...test('x', failure), ...after, ...steps(count - (after.length > 0 ? 1 : 0))])).toEqual(
      expected,
    )
  })
})

describe('superseded by a newer copy', () => {
  const gone = { x: `[Read: src/a.ts; ${recallOf(code)}` }
  const late = steps(8, 100)
  it.each<[string, readonly Message[], Record<string, string>]>([
    ['the whole file', [...readA('x'), ...readA('y')], gone],
    ['in another spelling', [...readA('x'), ...exchange('y', 'read_file', { path: '/project/src/a.ts' }, code)], gone],
    ['lines within the whole file', [...readA('x', { offset: 5, limit: 9 }), ...readA('y')], gone],
    ['lines within lines', [...readA('x', { offset: 5, limit: 9 }), ...readA('y', { offset: 1, limit: 50 })], gone],
    ['lines beyond the newer ones', [...readA('x', { offset: 5, limit: 90 }), ...readA('y', { offset: 1, limit: 50 })], {}],
    ['another file', [...readA('x'), ...exchange('y', 'Read', { file_path: 'src/b.ts' }, code)], {}],
    ['a newer read that failed', [...readA('x'), ...readA('y', {}, 'Error: no such file')], {}],
    [
      'a write of the whole file',
      [...readA('x'), ...exchange('y', 'Write', { file_path: 'src/a.ts', content: code }, 'ok')],
      gone,
    ],
    ['an edit of a part of it', [...readA('x'), ...exchange('y', 'Edit', { file_path: 'src/a.ts' }, 'ok')], {}],
    [
      'a read by command',
      [...readA('x', { offset: 2, limit: 3 }), ...exchange('y', 'Bash', { command: "sed -n '1,80p' src/a.ts" }, code)],
      gone,
    ],
  ])('%s', (_, messages, expected) => {
    expect(shown([user('u', 'go'), ...messages, ...late], warm)).toEqual(expected)
  })

  it('the same look at changes, taken again', () => {
    const diff = (id: string) => exchange(id, 'Bash', { command: 'git diff' }, code)
    expect(shown([user('u', 'go'), ...diff('x'), ...diff('y'), ...late], warm)).toEqual({
      x: `[Bash: git diff; ${recallOf(code)}`,
    })
  })

  it('only while the newer copy is itself shown', () => {
    const messages = [user('u', 'go'), ...readA('x', { offset: 5, limit: 9 }), ...readA('y'), ...steps(12)]
    const stub = `[Read: src/a.ts; ${recallOf(code)}`
    expect(shown(messages, warm)).toEqual({ x: stub })
    // When nothing is cached the newer one is old enough itself, and the older one goes for its age.
    expect(shown(messages, cold)).toEqual({ x: stub, y: stub })
    expect(shown(messages, cold, { stubAfter: { ...defaultEconomyRules.stubAfter, read: 12 } })).toEqual({ x: stub, y: stub })
  })

  it.each([
    ['still shown', 59, ['x']],
    ['shortened by now', 60, []],
  ])('by a write whose arguments are %s', (_, count, changed) => {
    const write = exchange('y', 'Write', { file_path: 'src/a.ts', content: code }, 'ok')
    expect(Object.keys(shown([user('u', 'go'), ...readA('x'), ...write, ...steps(count)], warm))).toEqual(changed)
  })
})

describe('made needless by the same command', () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ['succeeded again', [...test('x'), ...test('y')], ['x']],
    ['failed again', [...test('x'), ...test('y', 'Error: no')], []],
    ['another command', [...test('x'), ...test('y', log, 'npm run build')], []],
  ])('%s', (_, messages, expected) => {
    expect(Object.keys(shown([user('u', 'go'), ...messages, ...steps(6)], { ...warm }, { keepRecent: 4 }))).toEqual(expected)
  })
})

describe('reads, while something is cached', () => {
  it.each<[string, Facts, number]>([
    ['stay where a cached token is cheap', { ...warm, cache: { read: 0.1, write: 1.25, lifetimeSeconds: 300 } }, 0],
    ['may go where it is dear', { ...warm, cache: { read: 0.25, write: 1, lifetimeSeconds: null } }, 1],
  ])('%s', (_, facts, count) => {
    const text = Array.from({ length: 80 }, (_line, index) => `const value${index} = compute(${index})`).join('\n')
    const stubs = Object.values(shown([user('u', 'go'), ...readA('x', {}, text), ...steps(30)], facts))
    expect(stubs.filter((stub) => stub?.includes(recallOf(text)) === true)).toHaveLength(count)
  })
})

describe('large results', () => {
  const large = Array.from({ length: 1500 }, (_, index) => `const value${index} = compute(${index})`).join('\n')
  it.each<[string, Facts, Partial<EconomyRules>, number]>([
    ['a read, when nothing is cached', cold, {}, 1],
    ['a read, while something is', warm, {}, 0],
  ])('are cut once more: %s', (_, facts, rules, count) => {
    const cut = Object.values(shown([user('u', 'go'), ...readA('x', {}, large), ...steps(9)], facts, rules))
    expect(cut.filter((text) => text !== null && text.length < 6500 && text.includes(recallOf(large)))).toHaveLength(count)
  })
})

describe('what stays', () => {
  it.each<[string, readonly Message[], Facts]>([
    ['a small result', [...test('x', 'ok '.repeat(30)), ...steps(20)], cold],
    ['the newest results, while something is cached', [...test('x'), ...steps(7)], warm],
    ['what is pinned', [...test('x'), ...steps(20)], { ...cold, pins: ['x'] }],
    ['what was not sent yet', [...test('x'), ...steps(20)], { ...cold, sent: 'u' }],
    [
      'a stub, in a view that is read as a log',
      [...test('x', `[Bash: x; recall 0123456789ab]\npaths: ${'src/a.ts '.repeat(80)}`), ...steps(20)],
      cold,
    ],
    [
      'what shares rare names with the latest arguments',
      [
        ...test('x', `${log}\nalphaHandler betaHandler gammaHandler`),
        ...steps(20),
        calls('z', ['cz', 'Edit', { text: 'alphaHandler(betaHandler, gammaHandler)' }]),
      ],
      cold,
    ],
  ])('%s', (_, messages, facts) => {
    expect(shown([user('u', 'go'), ...messages], facts)).toEqual({})
  })

  it('names that stand everywhere are not rare', () => {
    const names = 'alphaHandler betaHandler gammaHandler'
    const others = Array.from({ length: 6 }, (_, index) => exchange(`o${index}`, 'LS', { path: `${index}` }, names)).flat()
    const messages = [
      user('u', 'go'),
      ...test('x', `${log}\n${names}`),
      ...others,
      ...steps(9),
      calls('z', ['cz', 'Edit', { text: names }]),
    ]
    expect(Object.keys(shown(messages))).toEqual(['x'])
  })

  it('leaves images in place', () => {
    const picture = { type: 'media', mediaType: 'image/png', data: { url: 'x' } } as const
    const [call, result] = test('x') as [Message, Message]
    const content = { type: 'list', items: [{ type: 'text', text: log }, picture] } as const
    const shot: Message = { ...result, parts: [{ type: 'tool-result', callId: 'call-x', tool: null, content }] }
    const [edit] = createStubOldResults(defaultEconomyRules).plan([user('u', 'go'), call, shot, ...steps(20)], cold)
    expect(edit).toMatchObject({ with: { content: { items: [{ type: 'text' }, picture] } } })
  })
})

it('reads of a file that was edited give way sooner', () => {
  const messages = (count: number) => [
    user('u', 'go'),
    ...readA('x'),
    ...exchange('e', 'Edit', { file_path: 'src/a.ts' }, 'ok'),
    ...steps(count),
  ]
  expect(shown(messages(2), cold, { keepRecentCold: 0 })).toEqual({})
  expect(Object.keys(shown(messages(3), cold, { keepRecentCold: 0 }))).toEqual(['x'])
})

it('calls a result without a tool name a tool', () => {
  const messages = [user('u', 'go'), result('x', null, code), ...steps(60)]
  expect(shown(messages, warm)).toEqual({ x: `[tool; ${recallOf(code)}\nconst value59 = 59 * 2` })
})
