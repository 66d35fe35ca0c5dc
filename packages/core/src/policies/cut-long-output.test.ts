import { describe, expect, it } from 'vitest'
import type { Facts } from '../facts.ts'
import { type Message, resultText, type ToolResultPart } from '../message.ts'
import { calls, deepFreeze, exchange, outcome, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { createCutLongOutput } from './cut-long-output.ts'
import { defaultEconomyRules, type EconomyRules } from './economy/economy-rules.ts'

const long = Array.from({ length: 900 }, (_, index) => `compiled module number ${index} of many`).join('\n')

function cuts(messages: readonly Message[], facts: Facts = {}, rules: Partial<EconomyRules> = {}): readonly string[] {
  const edits = createCutLongOutput({ ...defaultEconomyRules, ...rules }).plan(deepFreeze(messages), facts)
  return edits.flatMap((edit) => (edit.kind === 'replace' ? [edit.message] : []))
}

describe('cut-long-output', () => {
  it.each<[string, readonly Message[], number]>([
    ['cuts a command', exchange('output', 'Bash', { command: 'make' }, long), 1],
    ['cuts a search', exchange('output', 'Grep', { pattern: 'module' }, long), 1],
    ['cuts a failure', exchange('output', 'Bash', { command: 'make' }, `Error: no\n${long}`), 1],
    ['cuts a result without a call', [result('output', null, long)], 1],
    ['keeps a read', exchange('output', 'Read', { file_path: 'a' }, long), 0],
    ['keeps a read by command', exchange('output', 'Bash', { command: 'cat a' }, long), 0],
    ['keeps a short result', exchange('output', 'Bash', { command: 'make' }, long.slice(0, 4000)), 0],
  ])('%s', (_, messages, count) => {
    expect(cuts([user('u', 'fix the cart tests'), ...messages])).toHaveLength(count)
  })

  it('cuts when first sent, and the same way in later requests', () => {
    const policy = createCutLongOutput(defaultEconomyRules)
    const messages = [user('u', 'fix the cart tests'), ...exchange('output', 'Bash', { command: 'make' }, long)]
    const first = policy.plan(messages, { sent: 'u' })
    expect(first).toHaveLength(1)
    expect(policy.plan([...messages, user('v', 'please continue')], { sent: 'output' })[0]).toBe(first[0])
    expect(createCutLongOutput(defaultEconomyRules).plan(structuredClone(messages), {})).toEqual(first)
  })

  it('names lines of the original only if none was omitted before', () => {
    const whole = exchange('output', 'Bash', { command: 'make' }, long)
    const shown = (text: string) => {
      const messages = exchange('output', 'Bash', { command: 'make' }, text)
      const [edit] = createCutLongOutput(defaultEconomyRules).plan(messages, { uncut: whole })
      return edit?.kind === 'replace' ? resultText(edit.with as ToolResultPart) : ''
    }
    expect(shown(long.replaceAll('compiled', 'built'))).toMatch(/^\[shown 1-\d+, /m)
    expect(shown(long.replace(/^.*\n/, ''))).toMatch(/^\[[\d,]+ characters cut; /m)
  })

  it('names the original, keeps error lines and gives the user a reason', () => {
    const text = long.replace('number 500 of', 'number 500 of TypeError: boom\n')
    const [edit] = createCutLongOutput(defaultEconomyRules).plan(exchange('output', 'Bash', { command: 'make' }, text), {})
    const part = edit?.kind === 'replace' ? (edit.with as ToolResultPart) : null
    const shown = part === null ? '' : resultText(part)
    expect(shown).toContain(`recall ${handleOf(text)}]`)
    expect(shown).toContain('TypeError: boom')
    expect(shown.length).toBeLessThan(12_000)
    expect(edit?.why).toMatch(/^long output: 3\d,\d{3} characters shown as [\d,]+$/)
  })

  it('keeps a pinned result in full', () => {
    expect(cuts(exchange('output', 'Bash', { command: 'make' }, long), { pins: ['output'] })).toEqual([])
  })

  it('takes its numbers from the rules', () => {
    const messages = [calls('c', ['k', 'Grep', { pattern: 'output' }]), result('output', 'k', long.slice(0, 3000))]
    expect(cuts(messages)).toEqual([])
    expect(
      cuts(
        messages,
        {},
        { cutOver: { ...defaultEconomyRules.cutOver, search: 2000 }, cutTo: { ...defaultEconomyRules.cutTo, search: 1500 } },
      ),
    ).toEqual(['output'])
  })
})

it('cut-long-output cuts above its limit, but not if that would hardly shorten the text', () => {
  const command = (length: number) => exchange('output', 'Bash', { command: 'make' }, long.slice(0, length))
  const rules = {
    cutOver: { ...defaultEconomyRules.cutOver, terminal: 5000 },
    cutTo: { ...defaultEconomyRules.cutTo, terminal: 2000 },
  }
  expect(cuts(command(5000), {}, rules)).toEqual([])
  expect(cuts(command(5001), {}, rules)).toEqual(['output'])
  expect(cuts(command(5001), {}, { ...rules, cutTo: { ...rules.cutTo, terminal: 20_000 } })).toEqual([])
})

it('cut-long-output decides again if the call of a result appears later', () => {
  const policy = createCutLongOutput({ ...defaultEconomyRules, cutOver: { ...defaultEconomyRules.cutOver, other: 4000 } })
  const messages = exchange('output', 'Bash', { command: 'make' }, long)
  policy.plan(messages.slice(1), {})
  expect(policy.plan(messages, {})).toEqual(createCutLongOutput(defaultEconomyRules).plan(structuredClone(messages), {}))
})

it('cut-long-output numbers lines only of a complete text', () => {
  const [before, after] = [long.slice(0, 20_000), long.slice(20_000)]
  const shown = (extra: Partial<ToolResultPart>) => {
    const messages = exchange('output', 'Bash', { command: 'make' }, `${before}\nError: it broke\n${after}`, extra)
    return Object.values(outcome(createCutLongOutput(defaultEconomyRules).plan(messages, {})))[0]?.match(/^.*it broke$/m)?.[0]
  }
  expect(shown({})).toMatch(/^\d+[^\d]+Error: it broke$/)
  expect(shown({ blob: { sha256: '', bytes: 1 } })).toBe('Error: it broke')
})
