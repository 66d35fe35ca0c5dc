import type { Edit } from '../edit.ts'
import { configOf, reasonsOf, stringsOf } from '../facts.ts'
import { resultText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { createClock, type KeepRule, newestFirst, placeNumber, protect } from '../results/protect.ts'
import { namesOriginal, replaceResult } from '../results/replace-result.ts'
import { toolResults } from '../results/tool-results.ts'

const name = 'trim-outdated-commands'

/**
 * Shows one line instead of an old command's output: successful, older than 15 minutes, and not among the 5 most recent results of any tool. The
 * command can be run again. Rewrites the prompt cache from the oldest trimmed result on.
 */
export const trimOutdatedCommands: Policy = {
  name,
  plan(messages, facts) {
    const { after_minutes, keep_recent } = configOf(facts).outdated_commands
    const protectedBy = protect(messages, facts, [keepRecentResults, keepFreshCommands])
    const placeholder = stringsOf(facts).outdatedCommand
    const isNamed = namesOriginal(facts)
    const why = reasonsOf(facts).outdatedCommand(after_minutes, keep_recent)
    const edits: Edit[] = []
    for (const result of toolResults(messages, facts)) {
      if (result.kind !== 'terminal' || resultText(result.part) === '' || protectedBy(result) !== null) continue
      const edit = replaceResult(result, name, placeholder, why, isNamed)
      if (edit !== null) edits.push(edit)
    }
    return edits
  },
}

/** Keeps the most recent results of any tool. Errors are kept anyway and do not count. */
export const keepRecentResults: KeepRule = (messages, results, facts) => {
  const keep = configOf(facts).outdated_commands.keep_recent
  const recent = new Set<number>()
  for (const result of newestFirst(messages, results)) {
    if (recent.size >= keep) break
    if (!result.isError) recent.add(placeNumber(result))
  }
  return (result) => recent.has(placeNumber(result))
}

/** Keeps commands that are not old yet or have no known age. Only asked about commands. */
const keepFreshCommands: KeepRule = (messages, _results, facts) => {
  const threshold = configOf(facts).outdated_commands.after_minutes * 60_000
  const timeOf = createClock(messages, facts)
  return (result) => {
    const at = timeOf(result)
    return at === null || facts.now === undefined || facts.now - at <= threshold
  }
}
