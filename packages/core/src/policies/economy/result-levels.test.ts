import { describe, expect, it } from 'vitest'
import { applyEdits, type Edit } from '../../edit.ts'
import type { Facts } from '../../facts.ts'
import { type Message, type ToolResultPart, withShownText } from '../../message.ts'
import { carryReferences, noReferences } from '../../results/references.ts'
import { deepFreeze, exchange, user } from '../../testing/messages.ts'
import { createSkipShownLines } from '../skip-shown-lines.ts'
import { defaultEconomyRules, type EconomyRules } from './economy-rules.ts'
import { resultLevels } from './result-levels.ts'
import { createResultsInUse } from './results-in-use.ts'

const rules: EconomyRules = { ...defaultEconomyRules, keepRecent: 2, keepRecentCold: 2 }
const cold: Facts = { cold: true, root: '/project' }
const code = Array.from({ length: 40 }, (_, at) => `export const setting${at} = readSetting('the ${at}th of the settings')`)
const text = (from: number, to: number) => code.slice(from, to).join('\n')
const steps = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, index) => exchange(`s${from + index}`, 'LS', { path: `d${from + index}` }, 'ok')).flat()
const read = (id: string, content: string, input: object = {}) =>
  exchange(id, 'Read', { file_path: 'src/a.ts', ...input }, content)
const run = (id: string, content = text(0, 40)) => exchange(id, 'Bash', { command: 'make' }, content)
const start = user('u', 'fix the cart tests')

/** The levels of results after `skip-shown-lines` omitted repeated lines. */
function levels(messages: readonly Message[], facts: Facts = cold): Record<string, string> {
  const edits = createSkipShownLines(rules).plan(messages, facts)
  const { references } = carryReferences(edits, messages, noReferences)
  const found = resultLevels(deepFreeze(applyEdits(messages, edits)), { ...facts, references }, rules, createResultsInUse(rules))
  return Object.fromEntries(
    found.results.map(({ message }, at) => [message.id, `${found.levels[at]?.show}, ${found.levels[at]?.rule}`]),
  )
}

describe('a result that a newer one refers to', () => {
  // The later read shows only its new lines and refers to the earlier one for the others.
  const later = read(
    'newer',
    `${text(0, 30)}\n${Array.from({ length: 30 }, (_, at) => `const other${at} = 'something else ${at}'`).join('\n')}`,
  )

  it.each<[name: string, messages: readonly Message[], expected: Record<string, string>]>([
    ['stays as long as the newer one', [...read('old', text(0, 40)), ...steps(30), ...later, ...steps(9, 50)], {}],
    [
      'becomes a stub with the newer one',
      [...read('old', text(0, 40)), ...steps(30), ...later, ...steps(10, 50)],
      { old: 'placeholder, old', newer: 'stub, old' },
    ],
    [
      'is not outdated by an edit between them',
      [...read('old', text(0, 40)), ...exchange('e', 'Edit', { file_path: 'src/a.ts' }, 'ok'), ...later, ...steps(5)],
      {},
    ],
    ['is not superseded by the newer one', [...read('old', text(0, 30)), ...later, ...steps(5)], {}],
    ['is superseded if the newer one shows other lines', [...read('old', text(0, 30)), ...read('newer', text(0, 30).replaceAll('setting', 'other')), ...steps(5)], { old: 'placeholder, superseded' }], // biome-ignore format: a table
    [
      'is not replaced by the same command',
      [...exchange('old', 'Bash', { command: 'npm test' }, text(0, 30)), ...exchange('newer', 'Bash', { command: 'npm test' }, `${text(0, 30)}\nok`), ...steps(5)],
      {},
    ], // biome-ignore format: a table
  ])('%s', (_name, messages, expected) => {
    expect(levels([start, ...messages])).toEqual(expected)
  })

  it('stays as long as any newer result refers to it', () => {
    const again = (id: string) => read(id, `${text(0, 30)}\nconst ${id} = 'one more line, only here'`)
    const messages = [start, ...read('old', text(0, 40)), ...again('p'), ...steps(12), ...again('q'), ...steps(9, 50)]
    expect(levels(messages)).toEqual({})
  })
})

describe('a read of a file that the last user message names', () => {
  const messages = (said: string) => [
    user('u', 'start'),
    ...read('old', text(0, 40)),
    ...steps(12),
    user('w', said),
    ...steps(1, 50),
  ]

  it.each(['now change a.ts, please', 'fix src/A.ts.', '@src/a.ts is wrong', 'see "a.ts"'])('stays: %s', (said) => {
    expect(levels(messages(said))).toEqual({})
  })

  it.each(['now fix the rest', 'change ba.ts and a.tsx', 'go on<system-reminder>a.ts was read</system-reminder>', 'a ts'])(
    'becomes a stub: %s',
    (said) => {
      expect(levels(messages(said))).toEqual({ old: 'stub, old' })
    },
  )

  it('becomes a stub after the next message, and if a newer copy is shown', () => {
    expect(levels([...messages('now a.ts'), user('x', 'thanks, go on'), ...steps(1, 60)])).toEqual({ old: 'stub, old' })
    const again = [...read('old', text(0, 40)), ...read('newer', text(0, 40).replaceAll('setting', 'other')), ...steps(12)]
    expect(levels([...again, user('w', 'now a.ts'), ...steps(1, 50)])).toEqual({ old: 'placeholder, superseded' })
  })
})

describe('a newer copy of a file', () => {
  const other = code.map((line) => line.replace('setting', 'changed')).join('\n')
  const messages = [start, ...read('old', text(0, 40)), ...read('newer', other), ...steps(5)]
  const kept = (policy: string): Edit => ({
    id: 'k',
    policy,
    kind: 'replace',
    message: 'newer',
    part: 0,
    with: withShownText(messages[4]?.parts[0] as ToolResultPart, 'little'),
    why: '',
  })
  it.each<[name: string, facts: Facts, expected: Record<string, string>]>([
    ['supersedes an older one', {}, { old: 'placeholder, superseded' }],
    ['does not supersede while it is an active stub', { kept: [kept('stub-old-results')] }, {}],
    ['does not supersede while it is cut to fit the window', { kept: [kept('fit-window')] }, {}],
    ['supersedes under any other active edit', { kept: [kept('thin-line-numbers')] }, { old: 'placeholder, superseded' }],
  ])('%s', (_name, facts, expected) => {
    expect(levels(messages, { root: '/project', ...facts })).toEqual(expected)
  })
})

it('a result that starts with a reference ages like any other', () => {
  const own = Array.from({ length: 40 }, (_, at) => `const own${at} = 'a line only shown here ${at}'`).join('\n')
  const messages = [start, ...read('old', text(0, 20)), ...read('newer', `${text(0, 20)}\n${own}`), ...steps(12)]
  expect(levels(messages)).toEqual({ old: 'stub, old', newer: 'stub, old' })
})

it.each([
  [7, {}],
  [8, { old: 'stub, old' }],
])('a result that is only referred to ages with the newer one, by the rule of its kind: at %i', (count, expected) => {
  const own = Array.from({ length: 30 }, (_, at) => `const own${at} = 'a line only shown here ${at}'`).join('\n')
  const messages = [
    start,
    ...run('old', text(0, 30)),
    ...steps(20),
    ...read('newer', `${text(0, 30)}\n${own}`),
    ...steps(count, 50),
  ]
  expect(levels(messages)).toEqual(expected)
})
