import type { Message } from '@plimsoll/core'
import { writeRequest } from '@plimsoll/core/wire'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { conversations } from '../../../core/src/testing/damaged-conversations.ts'
import { calls, deepFreeze, exchange, result, user } from '../../../core/src/testing/messages.ts'
import { assembleLayers, currentRound, isLayer } from './assemble-layers.ts'

const summary: Message = { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text: '## Before' }] }
const messages = deepFreeze([
  summary,
  user('u1', 'first'),
  ...exchange('e1', 'Read', { path: 'a' }, 'text'),
  user('u2', 'now'),
  ...exchange('e2', 'Bash', { command: 'ls' }, 'whole output'),
])

const ids = (list: readonly Message[]) => list.map(({ id }) => id)

describe('assembleLayers', () => {
  it('R004-1 R004-2 R004-3 R004-4 Q-20 puts system prompt, rules, history, input, running round and recap in this order', () => {
    const all = assembleLayers({
      system: 'Be brief.',
      rules: 'Rules.',
      messages,
      announcement: 'Changed.',
      recap: 'Todo: 1 open',
    })
    expect(ids(all)).toEqual([
      ...['layer:system', 'layer:rules'],
      ...['s', 'u1', 'e1c', 'e1'],
      'u2',
      ...['e2c', 'e2'],
      ...['layer:announcement', 'layer:recap'],
    ])
  })

  it.each([null, undefined, ''])('R004-2 has no layer for rules or recap that are %j', (nothing) => {
    const all = assembleLayers({ system: 'Be brief.', rules: nothing, messages, recap: nothing } as Parameters<
      typeof assembleLayers
    >[0])
    expect(ids(all)).toEqual(['layer:system', ...ids(messages)])
  })

  it('R004-1 gives the same system prompt, byte for byte and as the same object, whatever else changes', () => {
    const first = assembleLayers({ system: 'Be brief.', rules: 'a', messages })
    const second = assembleLayers({ system: 'Be brief.', rules: 'b', messages: [...messages, user('u3', 'more')], recap: 'x' })
    expect(second[0]).toBe(first[0])
    const prompt = (list: readonly Message[]) => writeRequest('anthropic', list.slice(0, 1), { model: 'm' })['system']
    expect(prompt(second)).toBe(prompt(first))
  })

  it('R004-2 R004-46 keeps rules and recap out of the history', () => {
    const all = assembleLayers({ system: 'x', rules: 'Rules.', messages, recap: 'Todo: 1 open' })
    expect(all.filter((message) => !isLayer(message))).toEqual(messages)
    expect(assembleLayers({ system: 'x', rules: 'New.', messages: all })).toEqual(
      assembleLayers({ system: 'x', rules: 'New.', messages }),
    )
  })

  it('takes nothing a person or a tool wrote for a layer, whatever its id', () => {
    const forged: readonly Message[] = [
      user('layer:rules', 'mine'),
      calls('layer:system', ['c', 'T', {}]),
      result('layer:recap', 'c', 'x'),
      { ...summary, id: 'layer:announcement' },
    ]
    expect(forged.map(isLayer)).toEqual([false, false, false, false])
  })

  it('Q-21 Q-21b shows the current round once and in full', () => {
    const { history, input, scratchpad } = currentRound(messages)
    expect([ids(history), input?.id, ids(scratchpad)]).toEqual([['s', 'u1', 'e1c', 'e1'], 'u2', ['e2c', 'e2']])
    const all = assembleLayers({ system: 'x', messages })
    for (const message of scratchpad) expect(all.filter((other) => other === message)).toEqual([message])
  })

  it('R004-3 counts a summary to the history even if it comes last', () => {
    expect(currentRound([user('u', 'x'), summary])).toEqual({ history: [], input: user('u', 'x'), scratchpad: [summary] })
    expect(currentRound([summary])).toEqual({ history: [summary], input: null, scratchpad: [] })
    expect(currentRound([])).toEqual({ history: [], input: null, scratchpad: [] })
  })

  it('loses, doubles and moves nothing of any conversation', () => {
    let rounds = 0
    fc.assert(
      fc.property(conversations, (given) => {
        const { history, input, scratchpad } = currentRound(given)
        if (input !== null && history.length > 1) rounds += 1
        expect([...history, ...(input === null ? [] : [input]), ...scratchpad]).toEqual(given)
        expect(assembleLayers({ system: 'x', messages: deepFreeze(given), recap: 'y' }).slice(1, -1)).toEqual(given)
      }),
      { numRuns: 50 },
    )
    expect(rounds).toBeGreaterThan(10)
  })
})
