import { type Facts, type Message, type Policy, type ReplaceEdit, toolResults } from '@plimsoll/core'
import { usualTerms } from '@plimsoll/core/bill'
import type { PlacedResult } from '@plimsoll/core/policies'
import { countMessages, countPart, estimator } from '@plimsoll/core/text'

export const maskedLine = '[Old tool output left out]'

/** Masks all but the last `keep` results, `batch` of them at once, like SWE-agent's history processor for the last observations. */
function maskOldResults(name: string, batch: number, keep = 10): Policy {
  return {
    name,
    plan(messages, facts) {
      const results = toolResults(messages, facts)
      const old = Math.max(0, results.length - keep)
      return results.slice(0, old - (old % batch)).map((result) => clearResult(name, result, maskedLine))
    },
  }
}

export const rollingMask10 = maskOldResults('rolling-mask-10', 1)

export const maskBatches25 = maskOldResults('mask-batches-25', 25)

/** About as much of what is needed later stays in view as with the economy policies. */
export const maskBatches25Keep30 = maskOldResults('mask-batches-25-keep-30', 25, 30)

/**
 * Masks all but the last ten results, but only after a pause in which the provider's cache expired: five minutes, unless it lasts
 * longer. Masked results stay masked.
 */
export const coldGapClearing: Policy = {
  name: 'cold-gap-clearing',
  plan(messages, facts) {
    const results = toolResults(messages, facts)
    const wasCleared = clearedBefore('cold-gap-clearing', facts)
    const old = isAfterGap(messages, facts) ? results.length - 10 : 0
    return results.flatMap((result, index) =>
      index < old || wasCleared(result) ? [clearResult('cold-gap-clearing', result, maskedLine)] : [],
    )
  },
}

/** The time of the last answer is the latest known time of the request before. */
function isAfterGap(messages: readonly Message[], { now, firstSeen, cache = usualTerms }: Facts): boolean {
  const answer = messages.findLast(({ role }) => role === 'assistant')
  const at = answer?.at ?? (answer === undefined ? undefined : firstSeen?.(answer.id))
  if (now === undefined || at === undefined || cache.lifetimeSeconds === null) return false
  return now - at > cache.lifetimeSeconds * 1000
}

const trigger = 100_000
const keptResults = 3
const atLeast = 20_000
const clearedLine = '[Tool result cleared]'

/**
 * Context editing as Anthropic's API offers it, with its defaults: a request above 100,000 tokens loses all but the last three
 * results, if that saves 20,000 tokens. Cleared results stay cleared.
 */
export const clearToolUses: Policy = {
  name: 'clear-tool-uses',
  plan(messages, facts) {
    const tokens = facts.tokens ?? estimator
    const wasCleared = clearedBefore('clear-tool-uses', facts)
    const placed = toolResults(messages, facts).map((result) => {
      const edit = clearResult('clear-tool-uses', result, clearedLine)
      return { edit, cleared: wasCleared(result), saved: countPart(result.part, tokens) - countPart(edit.with, tokens) }
    })
    const candidates = placed.slice(0, Math.max(0, placed.length - keptResults)).filter(({ cleared }) => !cleared)
    const shown = (facts.overhead ?? 0) + countMessages(messages, tokens) - savedBy(placed.filter(({ cleared }) => cleared))
    const clears = shown > trigger && savedBy(candidates) >= atLeast
    const now = new Set(clears ? candidates : [])
    return placed.flatMap((result) => (result.cleared || now.has(result) ? [result.edit] : []))
  },
}

function savedBy(results: readonly { readonly saved: number }[]): number {
  return results.reduce((sum, { saved }) => sum + saved, 0)
}

/** The edit that shows a line instead of a result and its images. The same result always gives the same object. */
export function clearResult(policy: string, result: PlacedResult, line: string): ReplaceEdit {
  const { message, partIndex, part } = result
  const known = remembered.get(part)?.get(policy)
  if (known !== undefined && known.message === message.id && known.part === partIndex) return known
  const edit: ReplaceEdit = {
    id: `${policy}:${placeOfResult(message.id, partIndex)}`,
    policy,
    kind: 'replace',
    message: message.id,
    part: partIndex,
    with: { ...part, content: { type: 'text', text: line } },
    why: line,
  }
  const edits = remembered.get(part) ?? new Map<string, ReplaceEdit>()
  remembered.set(part, edits.set(policy, edit))
  return edit
}

export function clearedBefore(policy: string, { inForce = [] }: Facts): (result: PlacedResult) => boolean {
  const places = new Set<string>()
  for (const edit of inForce) {
    if (edit.kind === 'replace' && edit.policy === policy) places.add(placeOfResult(edit.message, edit.part))
  }
  return ({ message, partIndex }) => places.has(placeOfResult(message.id, partIndex))
}

// Keyed by part, so that edits are freed with the conversation; several policies are replayed on the same one.
const remembered = new WeakMap<PlacedResult['part'], Map<string, ReplaceEdit>>()

function placeOfResult(message: string, part: number): string {
  return `${message}.${part}`
}
