import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { opencodePrune } from './opencode-prune.ts'
import { planAfter, replacedBy, toolRound, toolRounds, typed } from './testing/tool-rounds.ts'

/** A text of this many thousand tokens, as opencode counts them. */
const thousand = (tokens: number): string => 'x'.repeat(tokens * 4000)

/** A turn with results of these sizes. */
function turn(id: string, ...sizes: readonly number[]): readonly Message[] {
  return [typed(id), ...sizes.flatMap((size, index) => toolRound(`${id}-${index}`, thousand(size)))]
}

describe('opencode-prune', () => {
  it.each<readonly [string, readonly Message[], readonly string[]]>([
    ['the first turns at any length', [...turn('a', 90), ...turn('b', 90), ...turn('c', 90)], []],
    ['the newest 40,000 tokens', [...turn('a', 30, 10), ...turn('b'), ...turn('c'), typed('d')], []],
    ['up to 20,000 tokens', [...turn('a', 20, 30, 10), ...turn('b'), ...turn('c'), typed('d')], []],
  ])('keeps %s', (_, messages, pruned) => {
    expect(replacedBy(opencodePrune.plan(messages, {}))).toEqual(pruned)
  })

  it('clears older results when the third turn after them starts', () => {
    const ended = [...turn('a', 21, 5, 20, 20), ...turn('b', 90), ...turn('c', 90)]
    expect(opencodePrune.plan(ended, {})).toEqual([])
    expect(replacedBy(opencodePrune.plan([...ended, typed('d')], {}))).toEqual(['a-0', 'a-1'])
  })

  it('does nothing in the middle of a turn', () => {
    const begun = [...turn('a', 21, 20, 20), ...turn('b', 90), ...turn('c', 90), typed('d')]
    const first = opencodePrune.plan(begun, {})
    expect(replacedBy(first)).toEqual(['a-0'])
    expect(planAfter(opencodePrune, [...begun, ...toolRounds(5, thousand(90))], first)).toEqual(first)
  })

  it('goes back no further than the results it cleared before', () => {
    const first = opencodePrune.plan([...turn('a', 25, 20, 20), ...turn('b', 19), ...turn('c'), typed('d')], {})
    const next = [...turn('a', 25, 20, 20), ...turn('b', 19), ...turn('c'), ...turn('d'), typed('e')]
    expect(replacedBy(planAfter(opencodePrune, next, first))).toEqual(['a-0'])
    const later = [...next, typed('f')]
    expect(replacedBy(planAfter(opencodePrune, later, first))).toEqual(['a-0'])
    const more = [...turn('a', 25, 20, 20), ...turn('b', 19), ...turn('c', 11), ...turn('d'), ...turn('e'), typed('f')]
    expect(replacedBy(planAfter(opencodePrune, more, first))).toEqual(['a-0', 'a-1', 'a-2'])
  })

  it('never clears the output of a skill or anything before a summary', () => {
    const skill = toolRound('s', thousand(90), { tool: 'skill' })
    const rest = [...turn('b', 40), ...turn('c'), ...turn('d'), typed('e')]
    expect(opencodePrune.plan([typed('a'), ...skill, ...rest], {})).toEqual([])
    const summary: Message = { id: 'sum', role: 'user', parts: [{ type: 'text', text: 'before' }], summary: true }
    expect(opencodePrune.plan([...turn('a', 90), summary, ...rest], {})).toEqual([])
  })

  it("shows opencode's own text instead", () => {
    const [edit] = opencodePrune.plan([...turn('a', 90), ...turn('b'), ...turn('c'), typed('d')], {})
    expect(edit?.kind === 'replace' && edit.with).toMatchObject({ content: { text: '[Old tool result content cleared]' } })
  })
})
