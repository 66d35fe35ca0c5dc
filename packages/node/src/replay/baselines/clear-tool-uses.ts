import { type Policy, toolResults } from '@plimsoll/core'
import { countMessages, countPart, estimator } from '@plimsoll/core/text'
import { clearedBefore, clearResult } from './clear-result.ts'

const name = 'clear-tool-uses'
const trigger = 100_000
const keep = 3
const atLeast = 20_000
const clearedLine = '[Tool result cleared]'

/**
 * Context editing as Anthropic's API offers it, with its defaults: a request above 100,000 tokens loses all but the last three
 * results, if that takes 20,000 tokens away. What was cleared stays cleared.
 */
export const clearToolUses: Policy = {
  name,
  plan(messages, facts) {
    const tokens = facts.tokens ?? estimator
    const wasCleared = clearedBefore(name, facts)
    const placed = toolResults(messages, facts).map((result) => {
      const edit = clearResult(name, result, clearedLine)
      return { edit, cleared: wasCleared(result), saved: countPart(result.part, tokens) - countPart(edit.with, tokens) }
    })
    const candidates = placed.slice(0, Math.max(0, placed.length - keep)).filter(({ cleared }) => !cleared)
    const shown = (facts.overhead ?? 0) + countMessages(messages, tokens) - savedBy(placed.filter(({ cleared }) => cleared))
    const clears = shown > trigger && savedBy(candidates) >= atLeast
    const now = new Set(clears ? candidates : [])
    return placed.flatMap((result) => (result.cleared || now.has(result) ? [result.edit] : []))
  },
}

function savedBy(results: readonly { readonly saved: number }[]): number {
  return results.reduce((sum, { saved }) => sum + saved, 0)
}
