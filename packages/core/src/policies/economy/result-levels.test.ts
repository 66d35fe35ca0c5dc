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
const start = user('u', 'go')

/** How much is shown of which results, where what earlier ones show is left out before. */
function levels(messages: readonly Message[], facts: Facts = cold): Record<string, string> {
  const edits = createSkipShownLines(rules).plan(messages, facts)
  const { references } = carryReferences(edits, messages, noReferences)
  const found = resultLevels(deepFreeze(applyEdits(messages, edits)), { ...facts, references }, rules, createResultsInUse(rules))
  return Object.fromEntries(found.map(({ result, show, rule }) => [result.message.id, `${show}, ${rule}`]))
}

describe('what a newer result names instead of showing it', () => {
  // The later read shows lines of its own, and for the others it names the earlier one.
  const later = read(
    'y',
    `${text(0, 30)}\n${Array.from({ length: 30 }, (_, at) => `const other${at} = 'something else ${at}'`).join('\n')}`,
  )

  it.each<[name: string, messages: readonly Message[], expected: Record<string, string>]>([
    ['stays as long as that one does', [...read('x', text(0, 40)), ...steps(30), ...later, ...steps(9, 50)], {}],
    ['goes with it', [...read('x', text(0, 40)), ...steps(30), ...later, ...steps(10, 50)], { x: 'stub, old', y: 'stub, old' }],
    [
      'is not outdated by an edit before it',
      [...read('x', text(0, 40)), ...exchange('e', 'Edit', { file_path: 'src/a.ts' }, 'ok'), ...later, ...steps(5)],
      {},
    ],
    ['is not superseded by it', [...read('x', text(0, 30)), ...later, ...steps(5)], {}],
    ['is superseded where it is shown again', [...read('x', text(0, 30)), ...read('y', text(0, 30).replaceAll('setting', 'other')), ...steps(5)], { x: 'placeholder, superseded' }], // biome-ignore format: a table
    [
      'nor made needless by the same command',
      [...exchange('x', 'Bash', { command: 'npm test' }, text(0, 30)), ...exchange('y', 'Bash', { command: 'npm test' }, `${text(0, 30)}\nok`), ...steps(5)],
      {},
    ], // biome-ignore format: a table
  ])('%s', (_name, messages, expected) => {
    expect(levels([start, ...messages])).toEqual(expected)
  })

  it('stays for as long as somebody names it, however many do', () => {
    const again = (id: string) => read(id, `${text(0, 30)}\nconst ${id} = 'and one line of its own'`)
    const messages = [start, ...read('x', text(0, 40)), ...again('p'), ...steps(12), ...again('q'), ...steps(9, 50)]
    expect(levels(messages)).toEqual({})
  })
})

describe('a newer copy', () => {
  const other = code.map((line) => line.replace('setting', 'changed')).join('\n')
  const messages = [start, ...read('x', text(0, 40)), ...read('y', other), ...steps(5)]
  const kept = (policy: string): Edit => ({
    id: 'k',
    policy,
    kind: 'replace',
    message: 'y',
    part: 0,
    with: withShownText(messages[4]?.parts[0] as ToolResultPart, 'little'),
    why: '',
  })
  it.each<[name: string, facts: Facts, expected: Record<string, string>]>([
    ['makes an older one needless', {}, { x: 'placeholder, superseded' }],
    ['not while it is itself a stub that stays', { kept: [kept('stub-old-results')] }, {}],
    ['nor while it was cut to make a request fit', { kept: [kept('fit-window')] }, {}],
    ['whatever else is made of it', { kept: [kept('thin-line-numbers')] }, { x: 'placeholder, superseded' }],
  ])('%s', (_name, facts, expected) => {
    expect(levels(messages, { root: '/project', ...facts })).toEqual(expected)
  })
})

it('a result that begins with what it leaves out grows old like any other', () => {
  const own = Array.from({ length: 40 }, (_, at) => `const own${at} = 'something of its own ${at}'`).join('\n')
  const messages = [start, ...read('x', text(0, 20)), ...read('y', `${text(0, 20)}\n${own}`), ...steps(12)]
  expect(levels(messages)).toEqual({ x: 'stub, old', y: 'stub, old' })
})

it.each([
  [7, {}],
  [8, { x: 'stub, old' }],
])('what is only named grows old with what names it, by the rule of its own kind: at %i', (count, expected) => {
  const own = Array.from({ length: 30 }, (_, at) => `const own${at} = 'something of its own ${at}'`).join('\n')
  const messages = [start, ...run('x', text(0, 30)), ...steps(20), ...read('y', `${text(0, 30)}\n${own}`), ...steps(count, 50)]
  expect(levels(messages)).toEqual(expected)
})
