import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutCaches } from '../../derive.ts'
import { applyEdits, type Edit, replaceEdit } from '../../edit.ts'
import type { Facts } from '../../facts.ts'
import type { Message } from '../../message.ts'
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
const steps = (count: number) =>
  Array.from({ length: count }, (_, index) => exchange(`s${index}`, 'LS', { path: `d${index}` }, 'ok')).flat()
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
