import { describe, expect, it } from 'vitest'
import type { ReplaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import { handleOf } from '../hash.ts'
import type { Message, ToolResultPart } from '../message.ts'
import { calls, deepFreeze, exchange, outcome, result, user } from '../testing/messages.ts'
import { defaultEconomyRules, type EconomyRules } from './economy-rules.ts'
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

/** The edits themselves, by a policy that remembers nothing yet. */
const edits = (messages: readonly Message[], facts: Facts, rules: Partial<EconomyRules> = {}) =>
  createStubOldResults({ ...defaultEconomyRules, ...rules }).plan(structuredClone(messages), facts)

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

  it('pictures stay where they are', () => {
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

describe('what an edit says', () => {
  const failure = `Error: it broke\n${log}`
  const dear: Facts = { ...warm, cache: { read: 0.25, write: 1, lifetimeSeconds: null } }
  const lines = Array.from({ length: 60 }, (_, index) => `${index} compiled without trouble`).join('\n')
  const edited = exchange('e', 'Edit', { file_path: 'src/a.ts' }, 'ok')
  it.each<readonly [string, readonly Message[], Facts, Partial<EconomyRules>, string]>([
    ['a newer copy', [...readA('x'), ...readA('y'), ...steps(8)], warm, {}, 'the same lines are shown whole further on'],
    ['the same command', [...test('x'), ...test('y'), ...steps(8)], warm, { keepRecent: 9 }, 'the same command succeeded later'],
    ['the age of a command', [...test('x'), ...steps(8)], warm, {}, 'older than 8 requests and not in use'],
    ['the age of a read', [...readA('x'), ...steps(10)], cold, {}, 'older than 10 requests and not in use'],
    ['the age of a read where that is dear', [...readA('x'), ...steps(20)], dear, {}, 'older than 20 requests and not in use'],
    ['the age of an edit', [...readA('x'), ...edited, ...steps(3)], cold, {}, 'older than 3 requests and not in use'],
    ['the age of anything', [...test('x'), ...steps(80)], warm, {}, 'older than 80 requests and not in use'],
    ['the age of a failure', [...test('x', failure), ...steps(15)], warm, {}, 'older than 15 requests and not in use'],
    ['the age of one that was mended', [...test('x', failure), ...test('y', 'ok'), ...steps(7)], warm, {}, 'older than 8 requests and not in use'],
    ['how much was cut', [...test('x', lines), ...steps(4)], warm, { keepRecent: 0, capOver: 100, capTo: 400 }, 'long output: 1,669 characters shown as 291'],
  ])('%s', (_name, messages, facts, rules, why) => {
    expect(edits([user('u', 'go'), ...messages], facts, rules)).toEqual([
      {
        id: 'stub-old-results:x.0',
        policy: 'stub-old-results',
        kind: 'replace',
        message: 'x',
        part: 0,
        with: { type: 'tool-result', callId: 'call-x', tool: null, content: { type: 'text', text: expect.any(String) } },
        why,
      },
    ])
  }) // biome-ignore format: a table
})

describe('cut once more', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index} compiled without trouble`).join('\n')
  const rules = { keepRecent: 0, capOver: 100, headShare: 0.5, tailShare: 0.3 }
  const cut = (part: Partial<ToolResultPart>, capTo = 100) =>
    shown([user('u', 'go'), ...exchange('x', 'Bash', { command: 'make' }, lines, part), ...steps(4)], warm, { ...rules, capTo })

  it('head and tail are left, and the way back to the lines between', () => {
    expect(cut({})).toEqual({
      x: `0 compiled without trouble\n[cut]\n[shown 1-1, 40-40; ${recallOf(lines)}\n39 compiled without trouble`,
    })
  })

  it('lines of an extract have no numbers', () => {
    expect(cut({ blob: { handle: '0123456789ab', sha256: '', bytes: 9000 } })).toEqual({
      x: '0 compiled without trouble\n[cut]\n[1,055 characters cut; recall 0123456789ab]\n39 compiled without trouble',
    })
  })

  it('not where there is room for all of it', () => {
    expect(cut({}, lines.length)).toEqual({})
  })
})

describe('nothing is put in place of what is not longer', () => {
  const letters = { name: 'letters', count: (text: string) => text.split('z').length }
  it.each<readonly [string, string, Facts, Record<string, string>]>([
    ['as long as what would stand there', 'z'.repeat(33), { tokens: letters }, {}],
    ['longer by one', 'z'.repeat(34), { tokens: letters }, { x: `[Read: a.ts; ${recallOf('z'.repeat(34))}` }],
    ['longer, but of as many tokens', 'y'.repeat(90), { tokens: letters }, {}],
  ])('%s', (_name, text, facts, expected) => {
    const read = (id: string) => exchange(id, 'Read', { file_path: 'a.ts' }, text)
    expect(shown([user('u', 'go'), ...read('x'), ...read('y')], facts, { leastTokens: 0, keepRecent: 1 })).toEqual(expected)
  })
})

it('what nobody can name is called a tool', () => {
  const messages = [user('u', 'go'), result('x', null, code), ...steps(60)]
  expect(shown(messages, warm)).toEqual({ x: `[tool; ${recallOf(code)}\nconst value59 = 59 * 2` })
})

describe('what is remembered of a result', () => {
  const start = user('u', 'go')
  const once = { stubAfter: { ...defaultEconomyRules.stubAfter, terminal: 1, other: 1 }, stubErrorAfter: 1, keepRecent: 0 }
  const policy = (rules: Partial<EconomyRules> = once) => createStubOldResults({ ...defaultEconomyRules, ...rules })
  const run = [start, ...test('x'), ...steps(2)]
  const failed = [start, ...test('x', `Error: it broke\n${log}`), ...steps(15)]
  const [, answer] = test('x') as [Message, Message]
  const warned = [start, ...test('x', JSON.stringify({ stdout: log, stderr: 'be careful' }, null, 1)), ...steps(2)]
  const named = (about: string): Facts => ({ tools: [{ name: 'Bash', kind: 'terminal', about: () => [about] }] })
  const stderr = (stderr_is_error: boolean): Facts => ({ config: { outdated_commands: { stderr_is_error } } })

  it('gives the very same edit at the next request', () => {
    const { plan } = policy()
    const [first] = plan(run, warm)
    expect(first).toBeDefined()
    expect(plan([...run, ...steps(1, 60)], warm)[0]).toBe(first)
  })

  it('shows the very same in another language', () => {
    const { plan } = policy()
    const [[first], [second]] = [plan(run, warm), plan(run, { ...warm, config: { locale: 'zh' } })]
    expect(second).toMatchObject({ why: '已超过 1 次请求，且未在使用' })
    expect((second as ReplaceEdit).with).toBe((first as ReplaceEdit).with)
  })

  type Request = readonly [messages: readonly Message[], facts: Facts]
  it.each<readonly [string, Request, Request]>([
    ['the rule', [run, warm], [[...run, ...test('y', 'ok'), ...steps(2, 60)], warm]],
    ['the age that counts', [failed, warm], [[...failed, ...test('y', 'ok')], warm]],
    ['the call', [[start, answer, ...steps(2)], warm], [[start, ...test('x').with(1, answer), ...steps(2)], warm]],
    ['what the call is about', [run, named('this')], [run, named('that')]],
    ['whether it failed', [warned, stderr(true)], [warned, stderr(false)]],
    ['the tokenizer', [run, { ...warm, tokens: { name: 'none', count: () => 200 } }], [run, warm]],
  ])('is not told where another is %s', (_name, before, now) => {
    const { plan } = policy()
    const first = plan(...before)
    const second = plan(...now)
    expect(second).toEqual(policy().plan(structuredClone(now[0]), now[1]))
    expect(second).not.toEqual(first)
  }) // biome-ignore format: a table
})
