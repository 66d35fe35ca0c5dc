import type { Edit, Facts } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { clearToolUses } from './mask-old-results.ts'
import { planAfter, replacedBy, toolRounds } from './testing/tool-rounds.ts'

/** Counts characters, so that a result has about as many tokens as characters. */
const facts: Facts = { tokens: { name: 'characters', count: (text) => text.length }, overhead: 20_000 }
const none: readonly Edit[] = []

describe('clear-tool-uses', () => {
  it('leaves a request of up to 100,000 tokens in total unchanged', () => {
    expect(clearToolUses.plan(toolRounds(7, 'x'.repeat(11_000)), facts)).toEqual([])
    expect(replacedBy(clearToolUses.plan(toolRounds(7, 'x'.repeat(11_500)), facts))).toEqual(['r0', 'r1', 'r2', 'r3'])
  })

  it('does nothing if it would save less than 20,000 tokens', () => {
    const messages = [...toolRounds(2, 'x'.repeat(9000)), ...toolRounds(3, 'x'.repeat(30_000), 2)]
    expect(planAfter(clearToolUses, messages, none, facts)).toEqual([])
  })

  it('keeps results cleared, and clears more only once the rest is too large again', () => {
    const text = 'x'.repeat(11_500)
    const first = clearToolUses.plan(toolRounds(7, text), facts)
    const later = planAfter(clearToolUses, toolRounds(10, text), first, facts)
    expect(later).toEqual(first)
    const last = planAfter(clearToolUses, toolRounds(12, text), later, facts)
    expect(replacedBy(last)).toEqual(Array.from({ length: 9 }, (_, index) => `r${index}`))
  })
})
