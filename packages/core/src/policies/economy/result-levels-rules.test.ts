import { describe, expect, it } from 'vitest'
import type { Facts, ToolKind } from '../../facts.ts'
import type { Message } from '../../message.ts'
import { calls, deepFreeze, exchange, result, user } from '../../testing/messages.ts'
import { defaultEconomyRules, type EconomyRules } from './economy-rules.ts'
import { type ResultLevel, resultLevels } from './result-levels.ts'
import { createResultsInUse } from './results-in-use.ts'
import { weighResults } from './weighed-results.ts'

const cold: Facts = { cold: true }
const text = Array.from({ length: 40 }, (_, at) => `export const setting${at} = readSetting('the ${at}th of the settings')`).join(
  '\n',
)
const steps = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, index) => exchange(`s${from + index}`, 'LS', { path: `d${from + index}` }, 'ok')).flat()
const read = (id: string, content = text, input: object = {}) =>
  exchange(id, 'Read', { file_path: 'src/a.ts', ...input }, content)
const run = (id: string, content = text) => exchange(id, 'Bash', { command: 'make' }, content)
const start = user('u', 'fix the cart tests')
const expensive = { read: 0.25, write: 1, lifetimeSeconds: 300 }

/** No rule at all, for tests that switch one on. */
const none = Number.POSITIVE_INFINITY
const never: EconomyRules = {
  ...defaultEconomyRules,
  stubAfter: { read: none, search: none, terminal: none, edit: none, recall: none, other: none },
  stubReadAfterEdit: none,
  stubErrorAfter: none,
  stubResolvedErrorAfter: none,
  supersededAfter: none,
  repeatedAfter: none,
  placeholderAfter: none,
  capOver: none,
  placeholderAfterIfCacheIsCostly: none,
  keepRecent: 0,
  keepRecentCold: 0,
}

type Level = readonly [id: string, show: ResultLevel['show'], rule: ResultLevel['rule'], after: number]

/** Decides about results by a few rules. */
function decider(facts: Facts, extra: Partial<EconomyRules>): (messages: readonly Message[]) => readonly Level[] {
  const some = { ...never, ...extra }
  const inUse = createResultsInUse(some)
  return (messages) => {
    const found = resultLevels(deepFreeze(messages), { root: '/project', ...facts }, some, inUse)
    return found.results.map(({ message: { id } }, at) => {
      const { show, rule, after } = found.levels[at] as ResultLevel
      return [id, show, rule, after]
    })
  }
}

function decided(messages: readonly Message[], facts: Facts = {}, extra: Partial<EconomyRules> = {}): readonly Level[] {
  return decider(facts, extra)(messages)
}

describe('resultLevels applies each rule from its age on', () => {
  const newest = read('newer')
  const edit = exchange('e', 'Edit', { file_path: 'src/a.ts' }, 'ok')
  const failed = run('old', `Error: it broke\n${text}`)
  it.each<readonly [string, readonly Message[], Facts, Partial<EconomyRules>, Level]>([
    ['a newer copy', [...read('old'), ...newest], {}, { supersededAfter: 3 }, ['old', 'placeholder', 'superseded', 3]],
    ['a repeated command', [...run('old'), ...run('newer')], {}, { repeatedAfter: 3 }, ['old', 'stub', 'repeated', 3]],
    ['an expensive read', read('old'), { cache: expensive }, { placeholderAfterIfCacheIsCostly: 3 }, ['old', 'placeholder', 'old', 3]],
    ['a command', run('old'), {}, { stubAfter: { ...never.stubAfter, terminal: 3 } }, ['old', 'stub', 'old', 3]],
    ['a failure', failed, {}, { stubErrorAfter: 3 }, ['old', 'stub', 'old', 3]],
    ['a resolved failure', [...failed, ...run('newer')], {}, { stubResolvedErrorAfter: 3 }, ['old', 'stub', 'old', 3]],
    ['a read, by the age of an edit', [...read('old'), ...edit], cold, { stubReadAfterEdit: 2 }, ['old', 'stub', 'old', 2]],
    ['any result', run('old'), {}, { placeholderAfter: 3 }, ['old', 'placeholder', 'old', 3]],
    ['a large result', run('old'), {}, { capOver: 9, capAfter: 3 }, ['old', 'capped', 'large', 3]],
  ])('%s', (_name, messages, facts, extra, expected) => {
    // Two requests of one session, so the second continues what the first remembers.
    const decide = decider(facts, extra)
    const aged3 = [start, ...steps(4, 20), ...messages, ...steps(4 - messages.length / 2)]
    expect(decide(aged3.slice(0, -2))).toEqual([])
    expect(decide(aged3)).toEqual([expected])
  }) // biome-ignore format: a table
})

describe('resultLevels keeps a result in use', () => {
  const named = `${text}\nalphaHandler`
  const inUse: Partial<EconomyRules> = { sharedIdentifiers: 1, sharedRequests: 1 }
  const asks = calls('latest', ['k', 'LS', { path: 'alphaHandler' }])
  const old = { stubAfter: { ...never.stubAfter, terminal: 1 } }
  it.each<readonly [string, readonly Message[], Facts, Partial<EconomyRules>]>([
    ['a command', run('old', named), {}, old],
    ['a failure', run('old', `Error: it broke\n${named}`), {}, { stubErrorAfter: 1 }],
    ['an expensive read', read('old', named), { cache: expensive }, { placeholderAfterIfCacheIsCostly: 1 }],
    ['a very old result', run('old', named), {}, { placeholderAfter: 1 }],
    ['a large result', run('old', named), {}, { capOver: 9, capAfter: 1 }],
  ])('%s', (_name, messages, facts, extra) => {
    const others = [start, ...messages, ...steps(2)]
    expect(decided([...others, asks], facts, { ...extra, ...inUse })).toEqual([])
    expect(decided([...others, ...steps(1, 9)], facts, { ...extra, ...inUse })).toHaveLength(1)
  })

  it('judged by its original, even if less of it is shown', () => {
    const messages = [start, ...run('old'), asks]
    const originals = [start, ...run('old', named), asks]
    expect(decided(messages, {}, { ...old, ...inUse })).toEqual([['old', 'stub', 'old', 1]])
    expect(decided(messages, { originals }, { ...old, ...inUse })).toEqual([])
  })
})

describe('resultLevels at any age', () => {
  const at0: Partial<EconomyRules> = { stubAfter: { ...never.stubAfter, terminal: 0 }, supersededAfter: 0, repeatedAfter: 0 }
  const [ask, one, two] = [
    calls('c', ['a', 'Bash', { command: 'make' }], ['b', 'Bash', { command: 'make' }]),
    result('old', 'a', text),
    result('newer', 'b', text),
  ]

  it('keeps results that no answered request contained yet', () => {
    expect(decided([start, ask, one, two], {}, at0)).toEqual([])
    expect(decided([start, ask, one, two, ...steps(1)], {}, at0)).toEqual([
      ['old', 'stub', 'repeated', 0],
      ['newer', 'stub', 'old', 0],
    ])
  })

  it('keeps the newest results', () => {
    const ids = ['p', 'q', 'r', 's', 't']
    const messages = [start, ...ids.flatMap((id) => exchange(id, 'Bash', { command: id }, text)), start, calls('c')]
    const newest = (keepRecent: number) => decided(messages, {}, { ...at0, keepRecent }).map(([id]) => id)
    expect([newest(0), newest(2), newest(3), newest(5)]).toEqual([ids, ['p', 'q', 'r'], ['p', 'q'], []])
  })

  it('keeps another number of newest results if nothing is cached', () => {
    const messages = [start, ...run('old'), ...run('newer'), start, calls('c')]
    expect(decided(messages, { cold: true }, { ...at0, keepRecentCold: 1, keepRecent: 2 })).toHaveLength(1)
  })

  it('decides nothing for an empty list', () => {
    expect(decided([])).toEqual([])
  })
})

describe('resultLevels, by the tokens of a result', () => {
  const messages = [start, ...run('old'), ...steps(1)]
  const tokens = weighResults(messages, {})[0]?.tokens as number
  const stubbed: readonly Level[] = [['old', 'stub', 'old', 1]]
  const capped: readonly Level[] = [['old', 'capped', 'large', 1]]
  const stubAfter = { ...never.stubAfter, terminal: 1 }
  it.each<readonly [string, Partial<EconomyRules>, readonly Level[]]>([
    ['stubs one of the minimum', { stubAfter, minTokens: tokens }, stubbed],
    ['keeps one below the minimum', { stubAfter, minTokens: tokens + 1 }, []],
    ['keeps one of the maximum', { capAfter: 1, capOver: tokens }, []],
    ['cuts one above the maximum', { capAfter: 1, capOver: tokens - 1 }, capped],
    ['stubs one above the maximum that is also old', { capAfter: 1, capOver: 9, stubAfter }, stubbed],
  ])('%s', (_name, extra, expected) => {
    expect(decided(messages, {}, extra)).toEqual(expected)
  })
})

describe('resultLevels treats a cached read as expensive', () => {
  const messages = [start, ...read('old'), ...steps(1)]
  it.each<readonly [string, Facts, number, number]>([
    ['above the share', { cache: { ...expensive, read: 0.3 } }, 0.25, 1],
    ['at the share', { cache: { ...expensive, read: 0.25 } }, 0.25, 1],
    ['not below the share', { cache: { ...expensive, read: 0.2 } }, 0.25, 0],
    ['not at an unknown price', {}, 0.25, 0],
    ['at any price if it never expires', { cache: { ...expensive, read: 0.02, lifetimeSeconds: null } }, 0.25, 1],
    ['at an unknown price if the share is zero', {}, 0, 1],
  ])('%s', (_name, facts, costlyCacheRead, count) => {
    expect(decided(messages, facts, { costlyCacheRead, placeholderAfterIfCacheIsCostly: 1 })).toHaveLength(count)
  })
})

describe('resultLevels, a read superseded', () => {
  const lines = (id: string, first: number, last: number, content = text) =>
    read(id, content, { offset: first, limit: last - first + 1 })
  const cat = exchange('old', 'Bash', { command: 'cat src/a.ts src/b.ts' }, text)
  const readB = exchange('latest', 'Read', { file_path: 'src/b.ts' }, text)
  const gone: readonly Level[] = [['old', 'placeholder', 'superseded', 1]]
  it.each<readonly [string, readonly Message[], readonly Level[]]>([
    ['by the first of several newer reads', [...lines('old', 5, 9), ...lines('newer', 1, 20), ...lines('latest', 50, 90)], gone],
    ['by the last of several newer reads', [...lines('old', 5, 9), ...lines('newer', 50, 90), ...lines('latest', 1, 20)], gone],
    ['by a newer read of the few lines that are left', [...read('old'), ...read('newer', 'one line')], gone],
    ['not by reads of other lines', [...lines('old', 5, 9), ...lines('newer', 20, 40), ...lines('latest', 50, 90)], []],
    ['by reads of both its files', [...cat, ...lines('newer', 1, 90), ...read('w'), ...readB], [['old', 'placeholder', 'superseded', 1], ['newer', 'placeholder', 'superseded', 1]]],
    ['not by a read of one of its two files', [...cat, ...read('newer')], []],
    ['by a file that was written since', [...read('old'), ...exchange('w', 'Write', { file_path: 'src/a.ts', content: text }, text), ...steps(3)], gone],
    ['not by one whose content is no longer shown', [...read('old'), ...exchange('w', 'Write', { file_path: 'src/a.ts', content: text }, text), ...steps(4)], []],
    ['not by a read of lines that nobody knows', [...read('old'), ...exchange('w', 'Read', { paths: [{ path: 'src/a.ts' }] }, text)], []],
    ['not by a small file whose content is no longer shown', [...read('old'), ...exchange('w', 'Write', { file_path: 'src/a.ts', content: 'a' }, 'ok'), ...steps(4)], []],
    ['not by a file that could not be written', [...read('old'), ...exchange('w', 'Write', { file_path: 'src/a.ts', content: text }, 'Error: read only')], []],
    ['by a command that prints it and another file', [...lines('old', 5, 9), ...exchange('newer', 'Bash', { command: 'cat src/b.ts src/a.ts' }, text)], gone],
    ['not by one that prints another file and other lines of it', [...lines('old', 5, 9), ...exchange('newer', 'Bash', { command: 'cat src/b.ts; sed -n 20,40p src/a.ts' }, text)], []],
    ['not by a failed read', [...read('old'), ...read('newer', 'Error: no such file')], []],
  ])('%s', (_name, messages, expected) => {
    expect(decided([start, ...messages, ...steps(1)], {}, { supersededAfter: 1, argumentsAfter: 5 })).toEqual(expected)
  }) // biome-ignore format: a table

  it.each([
    [199, gone],
    [200, []],
  ])('compares with the newest 200 reads of a file only: %i newer ones', (count, expected) => {
    const command = Array.from({ length: count }, (_, at) => `sed -n ${500 + at}p src/a.ts`).join('; ')
    const messages = [...lines('old', 5, 9), ...lines('newer', 1, 20), ...exchange('others', 'Bash', { command }, text)]
    expect(decided([start, ...messages, ...steps(1)], {}, { supersededAfter: 1 })).toEqual(expected)
  })

  // One tool that reads, searches and writes: a search pattern may look like a command that reads.
  const rows: Facts = {
    tools: [
      {
        name: 'do',
        kind: 'terminal',
        kindOf: ({ as }) => as as ToolKind,
        about: ({ what }) => [String(what)],
      },
    ],
  }
  const job = (id: string, as: ToolKind) => exchange(id, 'do', { what: 'git diff', as }, text)
  it.each<readonly [string, ToolKind, ToolKind, readonly Level[]]>([
    ['a read', 'terminal', 'terminal', gone],
    ['not a search', 'terminal', 'search', []],
    ['not a file of that name', 'terminal', 'write', []],
    ['not if the older one is a search', 'search', 'terminal', []],
  ])('by a call of the same tool, if it is %s', (_name, older, newer, expected) => {
    expect(decided([start, ...job('old', older), ...job('newer', newer), ...steps(1)], rows, { supersededAfter: 1 })).toEqual(
      expected,
    )
  })

  it('not by a file with the name of its call', () => {
    const messages = [start, ...job('old', 'terminal'), ...exchange('newer', 'Read', { file_path: 'do git diff' }, text)]
    expect(decided([...messages, ...steps(1)], rows, { supersededAfter: 1 })).toEqual([])
  })
})

describe('resultLevels, a file that the user names', () => {
  const cat = exchange('old', 'Bash', { command: 'cat /project/src/deep/Cart.ts' }, text)
  const stubAfter = { ...never.stubAfter, read: 1 }
  const about = (asked: string) => [user('u', asked), ...cat, ...steps(2)]

  it('stays, by its name alone and in any case', () => {
    expect(decided(about('now change the cart'), cold, { stubAfter })).toHaveLength(1)
    expect(decided(about('now change cart.ts'), cold, { stubAfter })).toEqual([])
    expect(decided(about('now change CART.TS'), cold, { stubAfter })).toEqual([])
  })

  it('stays if the user’s words are no longer shown in full', () => {
    const facts = { ...cold, originals: about('now change Cart.ts') }
    expect(decided(about('[cut]'), facts, { stubAfter })).toEqual([])
  })
})

it('resultLevels keeps a stub that the log itself has', () => {
  const stub = `[make printed 40 lines; recall 0123456789ab]\n${text}`
  const stubAfter = { ...never.stubAfter, terminal: 1 }
  expect(decided([start, ...run('old'), ...steps(2)], {}, { stubAfter })).toHaveLength(1)
  expect(decided([start, ...run('old', stub), ...steps(2)], {}, { stubAfter })).toEqual([])
  expect(decided([start, ...read('old'), ...steps(2)], cold, { stubAfter: { ...stubAfter, read: 1 } })).toHaveLength(1)
  expect(decided([start, ...read('old', stub), ...steps(2)], cold, { stubAfter: { ...stubAfter, read: 1 } })).toEqual([])
})

describe('resultLevels, the same call again', () => {
  it('ends every failure of it before', () => {
    const failures = ['p', 'q', 'r'].flatMap((id) => run(id, `Error: it broke\n${text}`))
    const found = decided([start, ...failures, ...run('newer'), ...steps(1)], {}, { stubResolvedErrorAfter: 1 })
    expect(found.map(([id]) => id)).toEqual(['p', 'q', 'r'])
  })

  it.each<readonly [string, readonly Message[], number]>([
    ['stubs an older command', [...run('old'), ...run('newer')], 1],
    ['keeps an older search', [...exchange('old', 'Grep', { pattern: 'a' }, text), ...exchange('newer', 'Grep', { pattern: 'a' }, text)], 0],
    ['keeps a command whose arguments are unknown', [...exchange('old', 'Bash', {}, text), ...exchange('newer', 'Bash', {}, text)], 0],
  ])('%s', (_name, messages, count) => {
    expect(decided([start, ...messages, ...steps(1)], {}, { repeatedAfter: 1 })).toHaveLength(count)
  }) // biome-ignore format: a table
})

describe('resultLevels, a read outdated by an edit', () => {
  const cat = exchange('old', 'Bash', { command: 'cat src/a.ts src/b.ts' }, text)
  const edit = (id: string, path: string) => exchange(id, 'Edit', { file_path: path }, 'ok')
  it.each<readonly [string, readonly Message[], number, number]>([
    ['of its first file', [...cat, ...edit('e', 'src/a.ts'), ...steps(3)], 3, 1],
    ['of its second file', [...cat, ...edit('e', 'src/b.ts'), ...steps(3)], 3, 1],
    ['counted from the first edit', [...cat, ...edit('e', 'src/a.ts'), ...edit('f', 'src/b.ts'), ...steps(2)], 3, 1],
    [
      'counted from the first edit, in the other order',
      [...cat, ...edit('e', 'src/b.ts'), ...edit('f', 'src/a.ts'), ...steps(2)],
      3,
      1,
    ],
    [
      'counted from the first of two edits of one file',
      [...cat, ...edit('e', 'src/a.ts'), ...edit('f', 'src/a.ts'), ...steps(2)],
      3,
      1,
    ],
    ['not of another file', [...cat, ...edit('e', 'src/c.ts'), ...steps(3)], 3, 0],
    ['not before it', [...edit('e', 'src/a.ts'), ...cat, ...steps(3)], 3, 0],
    ['not if there is none', [...cat, ...steps(3)], 0, 0],
  ])('%s', (_name, messages, stubReadAfterEdit, count) => {
    expect(decided([start, ...messages], cold, { stubReadAfterEdit })).toHaveLength(count)
  })
})
