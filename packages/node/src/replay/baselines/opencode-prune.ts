import { type Message, type Policy, resultText, toolResults } from '@plimsoll/core'
import type { PlacedResult } from '@plimsoll/core/policies'
import { clearedBefore, clearResult } from './mask-old-results.ts'

const name = 'opencode-prune'
const protectedTokens = 40_000
const minPruned = 20_000
const protectedTurns = 2
const protectedTools: readonly (string | null)[] = ['skill']
const prunedLine = '[Old tool result content cleared]'

/**
 * Prunes as opencode does when a turn ends: of the results before the last two turns the newest 40,000 tokens stay, and older
 * ones are cleared if that saves more than 20,000 tokens. Cleared results stay cleared.
 */
export const opencodePrune: Policy = {
  name,
  plan(messages, facts) {
    const results = toolResults(messages, facts)
    const wasPruned = clearedBefore(name, facts)
    const now = new Set(prunable(messages, results, wasPruned))
    return results.flatMap((result) => (wasPruned(result) || now.has(result) ? [clearResult(name, result, prunedLine)] : []))
  },
}

function prunable(
  messages: readonly Message[],
  results: readonly PlacedResult[],
  wasPruned: (result: PlacedResult) => boolean,
): readonly PlacedResult[] {
  const reach = reachOf(messages)
  if (reach === null) return []
  let seen = 0
  let freed = 0
  const found: PlacedResult[] = []
  for (let at = results.findLastIndex(({ index }) => index < reach.end); at >= 0; at -= 1) {
    const result = results[at] as PlacedResult
    if (result.index < reach.start || wasPruned(result)) break
    // A call that failed has an error instead of output.
    if (result.part.isError === true || protectedTools.includes(result.tool)) continue
    const tokens = Math.round(resultText(result.part).length / 4)
    seen += tokens
    if (seen <= protectedTokens) continue
    freed += tokens
    found.push(result)
  }
  return freed > minPruned ? found : []
}

/** The range of pruning: after the last summary, and before the last two of the turns that have ended. */
function reachOf(messages: readonly Message[]): { readonly start: number; readonly end: number } | null {
  // The newest turn has only started: pruning took place before it.
  let turns = -1
  let end = messages.length
  while (turns < protectedTurns && end > 0) {
    end -= 1
    const message = messages[end] as Message
    if (message.role === 'user' && message.summary !== true) turns += 1
  }
  return turns < protectedTurns ? null : { start: messages.findLastIndex(({ summary }) => summary === true) + 1, end }
}
