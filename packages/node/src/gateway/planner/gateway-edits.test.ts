import { handleOf, type ReplaceEdit, type ToolResultPart } from '@plimsoll/core'
import { describe, expect, test } from 'vitest'
import { exchange, result, user } from '../../../../core/src/testing/messages.ts'
import type { Decision } from '../../store/gateway-record.ts'
import {
  decisionKeys,
  decisionsAbout,
  type GatewayEdits,
  gatewayEdits,
  heldEdits,
  joinEdits,
  maxLevels,
  newDecisions,
  type ShownBefore,
} from './gateway-edits.ts'
import { gatewayParts } from './gateway-parts.ts'

const messages = [user('u', 'x'), ...exchange('a', 'Bash', {}, 'long'), result('n', null, 'of nobody')]
const parts = gatewayParts(messages, handleOf)
const none: GatewayEdits = { edits: [], shown: [], levels: new Map(), behind: new Map() }

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

function decided(text: string, policy?: string, active = none): Decision {
  const [made] = newDecisions([replace('a', text, policy)], parts, active, 5)
  if (made === undefined) throw new Error('nothing was decided')
  return made.decision
}

describe('decisions about parts', () => {
  test('carry the id of the call, or of the message if there is no call', () => {
    expect(parts.map(({ key, part, message }) => ({ key, part, message }))).toEqual([
      { key: 'call-a', part: 0, message: 'a' },
      { key: 'n', part: 0, message: 'n' },
    ])
  })

  test('return the same object each time they are found', () => {
    const decision = decided('short')
    const [edit] = gatewayEdits(parts, decisionsAbout([decision]), 'safe').edits
    expect(edit).toEqual(replace('a', 'short'))
    expect(gatewayEdits(parts, decisionsAbout([structuredClone(decision)]), 'safe').edits[0]).toBe(edit)
  })

  test('do not match other content under the same call', () => {
    const other = gatewayParts([...exchange('a', 'Bash', {}, 'something else')], handleOf)
    expect(gatewayEdits(other, decisionsAbout([decided('short')]), 'safe').edits).toEqual([])
  })

  test('have one key per part in safe, and one per level in the bolder modes', () => {
    expect(decisionKeys(parts, 'observe')).toEqual([])
    expect(decisionKeys(parts, 'safe').map(({ key }) => key)).toEqual(['call-a', 'n'])
    expect(new Set(decisionKeys(parts, 'spec').map(({ original }) => original)).size).toBe(2 * maxLevels)
  })

  test('give way to a later decision about the same part', () => {
    const first = decided('short')
    const active = gatewayEdits(parts, decisionsAbout([first]), 'economy')
    const second = decided('a stub', 'stub-old-results', active)
    expect(second.original).not.toBe(first.original)
    const both = gatewayEdits(parts, decisionsAbout([second, first]), 'economy')
    expect(both.edits.map((edit) => edit.with)).toEqual([replace('a', 'a stub').with])
    expect(both.levels.get('a.0')).toBe(2)
    expect(gatewayEdits(parts, decisionsAbout([second, first]), 'safe').edits).toEqual([replace('a', 'short')])
  })

  test('repeat no active edit', () => {
    const active = gatewayEdits(parts, decisionsAbout([decided('short')]), 'safe')
    expect(newDecisions(active.edits, parts, active, 6)).toEqual([])
    expect(newDecisions([replace('a', 'short')], parts, active, 6)).toEqual([])
  })

  test('stay hidden in safe if a bolder mode made them', () => {
    expect(gatewayEdits(parts, decisionsAbout([decided('a stub', 'stub-old-results')]), 'safe').edits).toEqual([])
  })

  test('never change anything but the content of a result', () => {
    const [edit] = gatewayEdits(
      parts,
      decisionsAbout([
        {
          ...decided('short'),
          with: { type: 'tool-result', callId: 'other', tool: 'other', isError: true, content: { type: 'text', text: 's' } },
        },
      ]),
      'safe',
    ).edits
    expect(edit?.with).toEqual(replace('a', 's').with)
  })

  test('adopt the edit of a gateway that was first, unless its mode was bolder', () => {
    const mine = newDecisions([replace('a', 'mine')], parts, none, 5)
    const held = (decision: Decision) => mine.map((each) => ({ mine: each, holds: decision }))
    const edits = mine.map(({ edit }) => edit)
    expect(heldEdits(held(decided('theirs')), 'safe')).toEqual([replace('a', 'theirs')])
    expect(heldEdits(held(decided('mine')), 'safe')[0]).toBe(edits[0])
    expect(heldEdits(held(decided('stub', 'stub-old-results')), 'safe')).toEqual([])
  })

  test('take the form that the client uses now', () => {
    const [listed] = [result('a', 'call-a', '', { content: { type: 'list', items: [{ type: 'text', text: 'long' }] } })]
    const again = gatewayParts(listed === undefined ? [] : [listed], handleOf)
    expect(gatewayEdits(again, decisionsAbout([decided('short')]), 'safe').edits[0]?.with).toMatchObject({
      content: { type: 'list', items: [{ type: 'text', text: 'short' }] },
    })
  })
})

describe('joined edits', () => {
  test('combine the edits of several rules on a part into one, named after the last rule', () => {
    const chain = [replace('a', 'shorter', 'filter-binary'), replace('a', 'shortest')]
    expect(joinEdits(chain)).toEqual([{ ...replace('a', 'shortest'), why: 'too long too long' }])
  })

  test('omit the name of a rule that only adds to others', () => {
    const chain = [replace('a', 'short'), { ...replace('a', 'short, and where the rest is', 'note'), why: '' }]
    expect(joinEdits(chain, (policy) => policy !== 'note')).toEqual([replace('a', 'short, and where the rest is')])
  })
})

describe('the last state shown on a branch', () => {
  const first = decided('short')
  const second = { ...decided('a stub', 'stub-old-results', gatewayEdits(parts, decisionsAbout([first]), 'economy')), at: 9 }
  const shown = (before: Partial<ShownBefore>) =>
    gatewayEdits(parts, decisionsAbout([first, second]), 'economy', {
      at: 5,
      has: () => true,
      behind: {},
      wholeUntil: null,
      ...before,
    })

  test('differs from a later decision of another branch, which applies here too', () => {
    const { edits, levels, behind } = shown({})
    expect(edits.map((edit) => edit.with)).toEqual([replace('a', 'a stub').with])
    expect([levels.get('a.0'), behind.get('a.0')]).toEqual([2, 1])
  })

  test('is the latest decision if it was made before', () => {
    expect(shown({ at: 9 }).behind.size).toBe(0)
  })

  test('is irrelevant for a part that was not sent yet', () => {
    expect(shown({ has: () => false }).behind.size).toBe(0)
  })

  test('is the full part if the request went out untouched', () => {
    expect(shown({ at: 9, behind: { 'a.0': 0 } }).behind.get('a.0')).toBe(0)
    expect(shown({ at: 9, wholeUntil: 9 }).behind.get('a.0')).toBe(0)
  })
})
