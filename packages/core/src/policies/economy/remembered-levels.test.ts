import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computedDuring, withoutCaches } from '../../derive.ts'
import { applyEdits, type Edit, replaceEdit } from '../../edit.ts'
import type { Facts } from '../../facts.ts'
import type { Message, ToolResultPart } from '../../message.ts'
import { carryReferences, noReferences } from '../../results/references.ts'
import { calls, exchange, result, user } from '../../testing/messages.ts'
import { repeatingSessions, requestLengths } from '../../testing/repeating-sessions.ts'
import { createSkipShownLines } from '../skip-shown-lines.ts'
import { defaultEconomyRules, type EconomyRules } from './economy-rules.ts'
import { resultLevels } from './result-levels.ts'
import { createResultsInUse } from './results-in-use.ts'

const text = 'export const setting = readSettings()\n'.repeat(3)
const rules: EconomyRules = { ...defaultEconomyRules, keepRecent: 0, keepRecentCold: 0, minTokens: 10, sharedRequests: 0 }
const start = ['a', 'b', 'd', 'f'].map((id) => user(id, 'hello'))
const steps = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => exchange(`s${from + index}`, 'LS', { path: `d${from + index}` }, 'ok')).flat()
const levels = (messages: readonly Message[], facts: Facts = {}) => {
  const { results, levels: found } = resultLevels(messages, { root: '/project', ...facts }, rules, createResultsInUse(rules))
  return results.map(({ message }, at) => [message.id, found[at]])
}

describe('levels of results are right after a request that was nearly the same', () => {
  const read = (id: string, path: string) => exchange(id, 'Read', { file_path: path }, text)
  const run = (id: string, command: string, output = text) => exchange(id, 'Bash', { command }, output)
  const usual = [
    ...start,
    ...run('first', 'make', `Error: it broke\n${text}`),
    ...run('second', 'make', `Error: it broke again\n${text}`),
    ...run('third', 'make'),
    ...read('seen', 'src/a.ts'),
    ...read('other', 'src/b.ts'),
    ...exchange('edit', 'Edit', { file_path: 'src/a.ts' }, text),
    ...run('last', 'make test'),
    ...steps(8),
  ]
  const instead = (id: string, other: Message) => usual.map((message) => (message.id === id ? other : message))
  const answers = (id: string, said: string) => instead(id, result(id, `call-${id}`, said))
  const asks = (id: string, tool: string, input: object) => instead(`${id}c`, calls(`${id}c`, [`call-${id}`, tool, input]))
  const cases: readonly (readonly [name: string, messages: readonly Message[]])[] = [
    ['a result is short', answers('last', 'ok')],
    ['the command that succeeded fails', answers('third', `Error: it broke\n${text}`)],
    ['a command that failed succeeds', answers('first', text)],
    ['another command succeeded', asks('third', 'Bash', { command: 'make all' })],
    ['another file is read', asks('seen', 'Read', { file_path: 'src/c.ts' })],
    ['the file is read that stays', asks('other', 'Read', { file_path: 'src/a.ts' })],
    ['another file is edited', asks('edit', 'Edit', { file_path: 'src/b.ts' })],
    ['the edit fails', answers('edit', `Error: no such text\n${text}`)],
    ['a message comes before all', [user('w', 'one more'), ...usual]],
    ['an answer comes before all', [{ id: 'w', role: 'assistant', parts: [{ type: 'text', text: 'hello' }] }, ...usual]],
    ['a message comes between', [...usual.slice(0, 12), user('w', 'one more'), ...usual.slice(12)]],
    ['two messages come between', [...usual.slice(0, 12), user('w', 'one'), user('x', 'more'), ...usual.slice(12)]],
    ['a message is gone', usual.filter(({ id }) => id !== 'b')],
  ]
  it.each(cases)('%s', (_, messages) => {
    for (const facts of [{}, { cold: true }]) {
      // Copies that share messages, so that the second way does not undo the first.
      for (const [earlier, later] of [structuredClone([usual, messages] as const), structuredClone([messages, usual] as const)]) {
        levels(earlier, facts)
        expect(levels(later, facts)).toEqual(levels(structuredClone(later), facts))
      }
    }
  })

  it('the cases differ in what is decided', () => {
    const decided = cases.map(([, messages]) => JSON.stringify([levels(messages), levels(messages, { cold: true })]))
    expect(new Set(decided).size).toBeGreaterThan(6)
  })
})

describe('levels of results follow what changes from one request to the next', () => {
  // Few ages at which a rule begins, so that a result is seldom judged again for its age alone.
  const stubAfter = { read: 2, search: 2, terminal: 2, edit: 40, recall: 40, other: 40 }
  const few: EconomyRules = { ...rules, stubAfter, sharedIdentifiers: 1, sharedRequests: 1 }
  const lateStubs: EconomyRules = { ...few, stubAfter: { ...stubAfter, read: 40, terminal: 40 } }
  const soonAfterEdit: EconomyRules = { ...lateStubs, stubReadAfterEdit: 2 }
  const keepsTwo: EconomyRules = {
    ...lateStubs,
    stubAfter: { ...lateStubs.stubAfter, search: 40, terminal: 1 },
    keepRecentCold: 2,
  }
  const run = (id: string, output = text) => exchange(id, 'Bash', { command: 'make' }, output)
  const read = (id: string) => exchange(id, 'Read', { file_path: 'src/a.ts' }, text)
  const before = [...start, ...steps(4)]
  const ran = [...before, ...run('old'), ...steps(5, 50)]
  const ranNamed = [...before, ...run('old', `alphaHandler\n${text}`), ...steps(5, 50)]
  const uses = exchange('uses', 'LS', { path: 'alphaHandler' }, 'ok')
  const printed = [...before, ...exchange('old', 'Bash', { command: 'cat src/b.ts src/a.ts' }, text), ...steps(5, 50)]
  const diff = [...before, ...exchange('old', 'Bash', { command: 'git diff' }, text)]
  const edited = [
    ...before,
    ...read('old'),
    ...steps(5, 50),
    ...exchange('e', 'Edit', { file_path: 'src/a.ts' }, 'ok'),
    ...steps(1, 70),
  ]
  const copies = [...before, ...read('old'), ...read('newer'), ...steps(5, 50)]
  const newer = copies.find(({ id }) => id === 'newer')?.parts[0] as ToolResultPart
  const stubbed = { kept: [replaceEdit('stub-old-results', 'newer', 0, newer, '')] }
  const inFull = { kept: [replaceEdit('thin-line-numbers', 'newer', 0, newer, '')] }
  const reference = { line: 0, part: 'old.0', from: 0, count: 1, shows: '' }
  const referredBy = (...parts: readonly string[]) => ({ references: new Map(parts.map((part) => [part, [reference]])) })
  const seen = (id: string | null) => ({ seen: id })
  const stub = { old: 'stub, old' }
  const superseded = { old: 'placeholder, superseded' }

  const shown = (messages: readonly Message[], facts: Facts, given: EconomyRules) => {
    const all = { root: '/project', ...facts }
    const { results, levels: found } = resultLevels(messages, all, given, createResultsInUse(given))
    return Object.fromEntries(results.map(({ message }, at) => [message.id, `${found[at]?.show}, ${found[at]?.rule}`]))
  }

  it.each<readonly [name: string, messages: readonly Message[], one: Facts, other: Facts, ofOne: object, ofOther: object]>([
    ['what a model saw', ran, seen(null), {}, {}, stub],
    ['the last message a model saw', ran, seen('s3'), seen('s51'), {}, stub],
    ['what is pinned', ran, { pins: ['old'] }, { pins: ['s50'] }, {}, stub],
    ['whether a newer copy is a stub', copies, {}, stubbed, superseded, {}],
    ['which edit a newer copy has', copies, inFull, stubbed, superseded, {}],
    ['what a newer result refers to', ran, {}, referredBy('s54.0'), stub, {}],
    ['which result refers to it', ran, referredBy('s50.0'), referredBy('s54.0'), stub, {}],
  ])('%s', (_name, given, one, other, ofOne, ofOther) => {
    for (const [first, next, ofFirst, ofNext] of [
      [one, other, ofOne, ofOther],
      [other, one, ofOther, ofOne],
    ] as const) {
      const messages = structuredClone(given)
      expect(shown(messages, first, few)).toEqual(ofFirst)
      expect(shown(messages, next, few)).toEqual(ofNext)
    }
  })

  it.each<readonly [name: string, first: readonly Message[], next: readonly Message[], given: EconomyRules, ofFirst: object, ofNext: object]>([
    ['it is used', ranNamed, [...ranNamed, ...uses], few, stub, {}],
    ['it is used no longer', [...ranNamed, ...uses], [...ranNamed, ...uses, ...steps(1, 70)], few, {}, stub],
    ['the user names its file', printed, [...printed, user('w', 'now A.ts')], few, stub, {}],
    ['the user goes on', [...printed, user('w', 'now A.ts')], [...printed, user('w', 'now A.ts'), user('x', 'go on')], few, {}, stub],
    ['there are newer results', ran.slice(0, -8), ran.slice(0, -6), keepsTwo, {}, stub],
    ['the same command succeeds', ran, [...ran, ...run('again'), ...steps(1, 70)], lateStubs, {}, { old: 'stub, repeated' }],
    ['an edit grows old', edited, [...edited, ...steps(1, 80)], soonAfterEdit, {}, stub],
    ['an answer is taken back', ran.slice(0, -7), ran.slice(0, -8), few, stub, {}],
    ['no newer copy comes', diff, [...diff, ...steps(1, 50)], lateStubs, {}, {}],
  ])('%s', (_name, first, next, given, ofFirst, ofNext) => {
    const facts = { cold: true }
    expect(shown(first, facts, given)).toEqual(ofFirst)
    expect(shown(next, facts, given)).toEqual(ofNext)
  }) // biome-ignore format: a table

  it('in whatever order references came', () => {
    expect(shown(ran, referredBy('s54.0', 's50.0'), few)).toEqual({})
  })

  it('without judging all results again, unless what is pinned differs', () => {
    shown(ran, {}, few)
    expect(computedDuring(() => shown([...ran, ...steps(1, 70)], {}, few))).not.toContain('decideEach')
    expect(computedDuring(() => shown([...ran, ...steps(1, 70)], { pins: ['old'] }, few))).toContain('decideEach')
  })
})

describe('levels of results are right in each request of a session', () => {
  const stubAfter = { read: 3, search: 2, terminal: 2, edit: 5, recall: 1, other: 5 }
  const some = { minTokens: 20, keepRecent: 2, keepRecentCold: 1, capOver: 300, argumentsAfter: 6, supersededAfter: 2 }
  const soon = { ...defaultEconomyRules, ...some, stubAfter, stubErrorAfter: 4, stubResolvedErrorAfter: 2, placeholderAfter: 7 }
  const skip = createSkipShownLines(soon)
  const inUse = createResultsInUse(soon)
  const sessions = fc.sample(repeatingSessions, { numRuns: 6, seed: 11 })

  /** What is decided in each request, with what a decision may ask about changing now and then. */
  function* requests(messages: readonly Message[], cold: boolean): Generator<() => string> {
    let kept: readonly Edit[] = []
    for (const [number, end] of requestLengths(messages).slice(0, 24).entries()) {
      const list = messages.slice(0, end)
      const edits = number % 11 < 8 ? skip.plan(list, { root: '/project' }) : []
      const { references } = carryReferences(edits, list, noReferences)
      const seen = list.at(-1 - (number % 4))?.id ?? null
      const pins = number % 13 === 5 ? [list.at(number % end)?.id ?? ''] : []
      const facts: Facts = { root: '/project', cold, seen, pins, kept, references }
      const shown = applyEdits(list, edits)
      yield () => {
        const { results, levels: found } = resultLevels(shown, facts, soon, inUse)
        if (number % 5 === 0)
          kept = results
            .filter((_result, at) => at % 3 !== number % 2)
            .map(({ message, part, partIndex }) => replaceEdit('stub-old-results', message.id, partIndex, part, ''))
        return JSON.stringify(results.map(({ message }, at) => [message.id, found[at]]))
      }
    }
  }

  it.each(sessions.flatMap((messages, at) => [false, true].map((cold) => [at, cold, messages] as const)))(
    'session %i, with a cold cache: %s',
    (_at, cold, messages) => {
      const decided = new Set<string>()
      for (const decide of requests(messages, cold)) {
        const remembered = decide()
        decided.add(remembered)
        expect(remembered).toBe(withoutCaches(decide))
      }
      expect(decided.size).toBeGreaterThan(10)
    },
  )
})
