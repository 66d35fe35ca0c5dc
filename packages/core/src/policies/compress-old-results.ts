import { opensRound } from '../compaction/rounds.ts'
import type { Config } from '../config.ts'
import { digestWith } from '../cut/digest/digest-of.ts'
import { perItem } from '../derive.ts'
import { type Edit, type ReplaceEdit, replaceEdit } from '../edit.ts'
import { configOf, type Facts, reasonsOf, stringsOf, type Tokenizer, type ToolKind } from '../facts.ts'
import { type Message, resultText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { type KeepRule, protect } from '../results/protect.ts'
import { type PlacedResult, toolResults } from '../results/tool-results.ts'
import type { ModelStrings } from '../strings/specification.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { estimator } from '../tokens/count-tokens.ts'
import { isWithinLimit, limitToolOutput } from './limit-tool-output.ts'
import { keepRecentResults, trimOutdatedCommands } from './trim-outdated-commands.ts'
import { trimRepeatedReads } from './trim-repeated-reads.ts'

const name = 'compress-old-results'

/**
 * Shows a digest instead of a tool result once its round is over: the request, a short outcome, and the handle of the original. The running round
 * stays, and so does what the other running policies keep; without those, errors are compressed too, with their messages in full. Rewrites the prompt
 * cache when a new round starts.
 */
export const compressOldResults: Policy = { name, plan: (messages, facts) => digests(messages, facts, keepRules(facts)) }

/** The same for commands and reads, also if other policies of the list would keep or trim them. */
export const compressEveryResult: Policy = { name, plan: (messages, facts) => digests(messages, facts, []) }

function digests(messages: readonly Message[], facts: Facts, rules: readonly KeepRule[]): readonly Edit[] {
  const first = messages.findIndex(opensRound)
  const running = messages.findLastIndex(opensRound)
  if (first === running) return []
  const protectedBy = protect(messages, facts, rules)
  const { compression, tool_output_limits } = configOf(facts)
  const limits = facts.policies?.includes(limitToolOutput.name) === true ? tool_output_limits : null
  const editOf = editFor(compression, limits, facts.tokens ?? estimator, stringsOf(facts), reasonsOf(facts))
  const edits: Edit[] = []
  for (const result of toolResults(messages, facts)) {
    if (result.index < first) continue
    if (result.index > running) break
    const reason = protectedBy(result)
    if (reason !== null && !(reason === 'error' && rules.length === 0)) continue
    const edit = editOf(result)
    if (edit !== null) edits.push(edit)
  }
  return edits
}

/** Rules for what the policies of the same list keep. Commands and reads that they do not keep are also theirs, shown as one line. */
function keepRules({ policies = [] }: Facts): readonly KeepRule[] {
  return [
    ...(policies.includes(trimOutdatedCommands.name) ? [keepKind('terminal'), keepRecentResults] : []),
    ...(policies.includes(trimRepeatedReads.name) ? [keepKind('file-read')] : []),
  ]
}

function keepKind(kind: ToolKind): KeepRule {
  return () => (result) => result.kind === kind
}

const editFor = perItem(
  (
    result: PlacedResult,
    compression: Config['compression'],
    limits: Config['tool_output_limits'] | null,
    tokens: Tokenizer,
    strings: ModelStrings,
    reasons: ReasonStrings,
  ): ReplaceEdit | null => {
    const digest = digestWith(result, compression, tokens)
    // A digest that the tool's own limit would cut is worse than the result itself within that limit.
    if (digest === null || (limits !== null && !isWithinLimit(digest, result, limits, strings))) return null
    const [before, after] = [result.part, digest].map((part) => grouped(resultText(part).length)) as [string, string]
    return replaceEdit(name, result.message.id, result.partIndex, digest, reasons.oldResult(before, after))
  },
)
