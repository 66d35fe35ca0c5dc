import { describe, expect, test } from 'vitest'
import type { ReplaceEdit } from '../edit.ts'
import { handleOf } from '../hash.ts'
import type { ToolResultPart } from '../message.ts'
import { exchange, result, user } from '../testing/messages.ts'
import type { Decision } from './decision.ts'
import { firstSight } from './first-sight.ts'
import { adoptDecisions, decisionKeys, type GatewayEdits, gatewayEdits, newDecisions } from './gateway-edits.ts'
import { gatewayParts } from './gateway-parts.ts'
import { gatewayTiming } from './gateway-timing.ts'

const messages = [user('u', 'x'), ...exchange('a', 'Bash', {}, 'long'), result('n', null, 'of nobody')]
const parts = gatewayParts(messages, handleOf)
const none: GatewayEdits = { edits: [], levels: new Map() }

function replace(message: string, text: string, policy = 'limit-tool-output'): ReplaceEdit {
  const part = messages.find(({ id }) => id === message)?.parts[0] as ToolResultPart
  return {
    id: `${policy}:${message}.0`,
    policy,
    kind: 'replace',
    message,
    part: 0,
    with: { ...part, content: { type: 'text', text } },
    why: 'too long',
  }
}

function decided(text: string, policy?: string, inForce = none): Decision {
  const [made] = newDecisions([replace('a', text, policy)], parts, inForce, 5)
  if (made === undefined) throw new Error('nothing was decided')
  return made.decision
}

describe('decisions about parts', () => {
  test('are named by the call, or by the message where there is none', () => {
    expect(parts.map(({ key, part, message }) => ({ key, part, message }))).toEqual([
      { key: 'call-a', part: 0, message: 'a' },
      { key: 'n', part: 0, message: 'n' },
    ])
  })

  test('are found again, and give the same object each time', () => {
    const decision = decided('short')
    const [edit] = gatewayEdits(parts, [decision], 'safe').edits
    expect(edit).toEqual(replace('a', 'short'))
    expect(gatewayEdits(parts, [structuredClone(decision)], 'safe').edits[0]).toBe(edit)
  })

  test('are not found for another content under the same call', () => {
    const other = gatewayParts([...exchange('a', 'Bash', {}, 'something else')], handleOf)
    expect(gatewayEdits(other, [decided('short')], 'safe').edits).toEqual([])
  })

  test('are asked for once in safe, and for each time that may be decided in the bolder modes', () => {
    expect(decisionKeys(parts, 'observe')).toEqual([])
    expect(decisionKeys(parts, 'safe').map(({ key }) => key)).toEqual(['call-a', 'n'])
    expect(new Set(decisionKeys(parts, 'spec').map(({ original }) => original)).size).toBe(6)
  })

  test('may be followed by another one, which then holds', () => {
    const first = decided('short')
    const inForce = gatewayEdits(parts, [first], 'economy')
    const second = decided('a stub', 'stub-old-results', inForce)
    expect(second.original).not.toBe(first.original)
    const both = gatewayEdits(parts, [second, first], 'economy')
    expect(both.edits.map((edit) => edit.with)).toEqual([replace('a', 'a stub').with])
    expect(both.levels.get('a.0')).toBe(2)
    expect(gatewayEdits(parts, [second, first], 'safe').edits).toEqual([replace('a', 'short')])
  })

  test('that are in force already are not made again', () => {
    const inForce = gatewayEdits(parts, [decided('short')], 'safe')
    expect(newDecisions(inForce.edits, parts, inForce, 6)).toEqual([])
    expect(newDecisions([replace('a', 'short')], parts, inForce, 6)).toEqual([])
  })

  test('of a bolder mode are not shown in safe', () => {
    expect(gatewayEdits(parts, [decided('a stub', 'stub-old-results')], 'safe').edits).toEqual([])
  })

  test('never change anything of a result but its content', () => {
    const [edit] = gatewayEdits(
      parts,
      [
        {
          ...decided('short'),
          with: { type: 'tool-result', callId: 'other', tool: 'other', isError: true, content: { type: 'text', text: 's' } },
        },
      ],
      'safe',
    ).edits
    expect(edit?.with).toEqual(replace('a', 's').with)
  })

  test('are adopted where somebody else was first, and left where that was somebody bolder', () => {
    const mine = newDecisions([replace('a', 'mine')], parts, none, 5)
    const held = (decision: Decision) => mine.map((each) => ({ mine: each, holds: decision }))
    const edits = mine.map(({ edit }) => edit)
    expect(adoptDecisions(edits, held(decided('theirs')), 'safe', none)).toEqual([replace('a', 'theirs')])
    expect(adoptDecisions(edits, held(decided('mine')), 'safe', none)[0]).toBe(edits[0])
    expect(adoptDecisions(edits, held(decided('stub', 'stub-old-results')), 'safe', none)).toEqual([])
  })

  test('are in the form that the client uses now', () => {
    const [listed] = [result('a', 'call-a', '', { content: { type: 'list', items: [{ type: 'text', text: 'long' }] } })]
    const again = gatewayParts(listed === undefined ? [] : [listed], handleOf)
    expect(gatewayEdits(again, [decided('short')], 'safe').edits[0]?.with).toMatchObject({
      content: { type: 'text', text: 'short' },
    })
  })
})

describe('the timing of a gateway', () => {
  const moment = {
    lastSent: 0,
    coldFrom: 0,
    reason: null,
    terms: { read: 1, write: 1, lifetimeSeconds: null },
    idleSeconds: null,
  }
  const ledger = { debts: {}, bank: 0, cacheLifetimeSeconds: null }
  const input = { messages, facts: {}, ledger, moment, inForce: [] }

  test('makes one edit of what several rules do to a part, in the name of the last', () => {
    const timing = gatewayTiming(firstSight, { levels: new Map() })
    const chain = [replace('a', 'shorter', 'filter-binary'), replace('a', 'shortest')]
    const { apply } = timing({ ...input, proposals: chain })
    expect(apply).toEqual([{ ...replace('a', 'shortest'), why: 'too long too long' }])
    expect(timing({ ...input, proposals: chain }).apply[0]).toBe(apply[0])
  })

  test('adds what those who read it should know', () => {
    const finish = (part: ReplaceEdit['with']) => ({ ...part, status: 'finished' }) as ReplaceEdit['with']
    const timing = gatewayTiming(firstSight, { levels: new Map(), finish })
    expect(timing({ ...input, proposals: [replace('a', 'short')] }).apply).toMatchObject([{ with: { status: 'finished' } }])
  })

  test('holds to what was decided about a part that was not sent yet, or often enough', () => {
    const asked: unknown[] = []
    const listening = gatewayTiming(
      (given) => {
        asked.push(...given.proposals)
        return { apply: [], waiting: [], ledger }
      },
      { levels: new Map([['a.0', 3]]) },
    )
    const standing = replace('a', 'decided')
    listening({ ...input, inForce: [standing], proposals: [replace('a', 'proposed')] })
    listening({ ...input, moment: { ...moment, lastSent: 2 }, inForce: [standing], proposals: [replace('a', 'proposed')] })
    expect(asked).toEqual([standing, standing])
  })
})
