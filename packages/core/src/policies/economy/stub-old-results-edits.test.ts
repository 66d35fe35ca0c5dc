import { describe, expect, it } from 'vitest'
import type { ReplaceEdit } from '../../edit.ts'
import type { Facts } from '../../facts.ts'
import type { Message, ToolResultPart } from '../../message.ts'
import { exchange, outcome, user } from '../../testing/messages.ts'
import { handleOf } from '../../text/hash.ts'
import { createStubOldResults } from '../stub-old-results.ts'
import { defaultEconomyRules, type EconomyRules } from './economy-rules.ts'

const cold: Facts = { cold: true, root: '/project' }
const warm: Facts = { root: '/project' }
const start = user('u', 'fix the cart tests')
const log = `${Array.from({ length: 60 }, (_, index) => `compiled module ${index} without trouble`).join('\n')}\nall 60 modules done`

/** Steps with results too small to be stubbed. */
const steps = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, index) => exchange(`s${from + index}`, 'LS', { path: `d${from + index}` }, 'ok')).flat()
const readA = (id: string) => exchange(id, 'Read', { file_path: 'src/a.ts' }, log)
const test = (id: string, text = log, command = 'npm test') => exchange(id, 'Bash', { command }, text)
const recallOf = (text: string) => `recall ${handleOf(text)}]`

const edits = (messages: readonly Message[], facts: Facts, rules: Partial<EconomyRules> = {}) =>
  createStubOldResults({ ...defaultEconomyRules, ...rules }).plan(messages, facts)

describe('stub-old-results, the reason of an edit', () => {
  const failure = `Error: it broke\n${log}`
  const expensive: Facts = { ...warm, cache: { read: 0.25, write: 1, lifetimeSeconds: null } }
  const lines = Array.from({ length: 60 }, (_, index) => `${index} compiled without trouble`).join('\n')
  const edited = exchange('e', 'Edit', { file_path: 'src/a.ts' }, 'ok')
  it.each<readonly [string, readonly Message[], Facts, Partial<EconomyRules>, string]>([
    ['names a newer copy', [...readA('old'), ...readA('newer'), ...steps(8)], warm, {}, 'the same lines are shown in full further down'],
    ['names a later run of the same command', [...test('old'), ...test('newer'), ...steps(8)], warm, { keepRecent: 9 }, 'the same command succeeded later'],
    ['names the age of a command', [...test('old'), ...steps(8)], warm, {}, 'older than 8 requests and not in use'],
    ['names the age of a read', [...readA('old'), ...steps(10)], cold, {}, 'older than 10 requests and not in use'],
    ['names the age of an expensive read', [...readA('old'), ...steps(20)], expensive, {}, 'older than 20 requests and not in use'],
    ['names the age of an edit', [...readA('old'), ...edited, ...steps(3)], cold, {}, 'older than 3 requests and not in use'],
    ['names the age of a very old result', [...test('old'), ...steps(20)], warm, {}, 'older than 20 requests and not in use'],
    ['names the age of a failure', [...test('old', failure), ...steps(15)], warm, {}, 'older than 15 requests and not in use'],
    ['names the age of a resolved failure', [...test('old', failure), ...test('newer', 'ok'), ...steps(7)], warm, {}, 'older than 8 requests and not in use'],
    ['names the length before and after a cut', [...test('old', lines), ...steps(4)], warm, { keepRecent: 0, capOver: 100, capTo: 470, tightBelow: 0 }, 'long output: 1,669 characters shown as 291'],
  ])('%s', (_name, messages, facts, rules, why) => {
    expect(edits([start, ...messages], facts, rules)).toEqual([
      {
        id: 'stub-old-results:old.0',
        policy: 'stub-old-results',
        kind: 'replace',
        message: 'old',
        part: 0,
        with: { type: 'tool-result', callId: 'call-old', tool: null, content: { type: 'text', text: expect.any(String) } },
        why,
      },
    ])
  }) // biome-ignore format: a table
})

describe('stub-old-results, a large result', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `${index} compiled without trouble`).join('\n')
  const rules = { keepRecent: 0, capOver: 100, headShare: 0.5, tailShare: 0.3, tightBelow: 0 }
  const cut = (part: Partial<ToolResultPart>, capTo = 170) =>
    outcome(edits([start, ...exchange('old', 'Bash', { command: 'make' }, lines, part), ...steps(4)], warm, { ...rules, capTo }))

  it('is cut to head, tail and the handle of the lines between', () => {
    expect(cut({})).toEqual({
      old: `0 compiled without trouble\n[cut]\n[shown 1-1, 40-40; ${recallOf(lines)}\n39 compiled without trouble`,
    })
  })

  it('is cut without line numbers if it is an extract', () => {
    expect(cut({ blob: { handle: '0123456789ab', sha256: '', bytes: 9000 } })).toEqual({
      old: '0 compiled without trouble\n[cut]\n[1,055 characters cut; recall 0123456789ab]\n39 compiled without trouble',
    })
  })

  it('stays if it fits', () => {
    expect(cut({}, lines.length)).toEqual({})
  })
})

describe('stub-old-results, a result hardly longer than its stub', () => {
  const letters = { name: 'letters', count: (text: string) => text.split('z').length }
  it.each<readonly [string, string, Facts, Record<string, string>]>([
    ['stays if it has the same length', 'z'.repeat(49), { tokens: letters }, {}],
    [
      'is replaced if it is one character longer',
      'z'.repeat(50),
      { tokens: letters },
      { old: `[Read: a.ts; 1 line removed; ${recallOf('z'.repeat(50))}` },
    ],
    ['stays if it has as many tokens', 'y'.repeat(90), { tokens: letters }, {}],
  ])('%s', (_name, text, facts, expected) => {
    const read = (id: string) => exchange(id, 'Read', { file_path: 'a.ts' }, text)
    expect(outcome(edits([start, ...read('old'), ...read('newer')], facts, { minTokens: 0, keepRecent: 1 }))).toEqual(expected)
  })
})

describe('stub-old-results, planned again', () => {
  const once = { stubAfter: { ...defaultEconomyRules.stubAfter, terminal: 1, other: 1 }, stubErrorAfter: 1, keepRecent: 0 }
  const policy = (rules: Partial<EconomyRules> = once) => createStubOldResults({ ...defaultEconomyRules, ...rules })
  const run = [start, ...test('old'), ...steps(2)]
  const failed = [start, ...test('old', `Error: it broke\n${log}`), ...steps(15)]
  const [, answer] = test('old') as [Message, Message]
  const warned = [start, ...test('old', JSON.stringify({ stdout: log, stderr: 'be careful' }, null, 1)), ...steps(2)]
  const named = (about: string): Facts => ({ tools: [{ name: 'Bash', kind: 'terminal', about: () => [about] }] })
  const stderr = (stderr_is_error: boolean): Facts => ({ config: { outdated_commands: { stderr_is_error } } })

  it('returns the same edit for the next request', () => {
    const { plan } = policy()
    const [first] = plan(run, warm)
    expect(first).toBeDefined()
    expect(plan([...run, ...steps(1, 60)], warm)[0]).toBe(first)
  })

  it('shows the same text in another language', () => {
    const { plan } = policy()
    const [[first], [second]] = [plan(run, warm), plan(run, { ...warm, config: { locale: 'zh' } })]
    expect(second).toMatchObject({ why: '已超过 1 次请求，且未在使用' })
    expect((second as ReplaceEdit).with).toBe((first as ReplaceEdit).with)
  })

  type Request = readonly [messages: readonly Message[], facts: Facts]
  it.each<readonly [string, Request, Request]>([
    ['the rule changes', [run, warm], [[...run, ...test('newer', 'ok'), ...steps(2, 60)], warm]],
    ['the age that counts changes', [failed, warm], [[...failed, ...test('newer', 'ok')], warm]],
    ['the call appears later', [[start, answer, ...steps(2)], warm], [[start, ...test('old').with(1, answer), ...steps(2)], warm]],
    ['the call is another one', [[start, ...test('old').with(1, answer), ...steps(2)], warm], [[start, ...test('old', '', 'make').with(1, answer), ...steps(2)], warm]],
    ['the subject of the call changes', [run, named('this')], [run, named('that')]],
    ['it no longer counts as failed', [warned, stderr(true)], [warned, stderr(false)]],
    ['the tokenizer changes', [run, { ...warm, tokens: { name: 'none', count: () => 200 } }], [run, warm]],
  ])('returns a new edit if %s', (_name, before, now) => {
    const { plan } = policy()
    const first = plan(...before)
    const second = plan(...now)
    expect(second).toEqual(policy().plan(structuredClone(now[0]), now[1]))
    expect(second).not.toEqual(first)
  }) // biome-ignore format: a table
})
