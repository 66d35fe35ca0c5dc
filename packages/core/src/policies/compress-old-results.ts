import { opensRound } from '../compaction/rounds.ts'
import { createDigester } from '../cut/digest/digest-of.ts'
import type { Edit, ReplaceEdit } from '../edit.ts'
import { type Facts, reasonsOf, type ToolKind } from '../facts.ts'
import { resultText, type ToolResultPart } from '../message.ts'
import type { Policy } from '../policy.ts'
import { type KeepRule, protect } from '../results/protect.ts'
import { type PlacedResult, toolResults } from '../results/tool-results.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { createLimitCheck, limitToolOutput } from './limit-tool-output.ts'
import { keepRecentResults, trimOutdatedCommands } from './trim-outdated-commands.ts'
import { trimRepeatedReads } from './trim-repeated-reads.ts'

const name = 'compress-old-results'

/**
 * Shows a digest in place of a tool result once its round is over: what was asked, what came of it in short, and the handle of
 * the original. The running round stays whole, and so does what the policies that run beside this one keep; where none of them
 * runs, errors are compressed too, with their messages whole. Costs a rewrite of the prompt cache when a new round begins.
 */
export const compressOldResults: Policy = {
  name,
  plan(messages, facts) {
    const first = messages.findIndex(opensRound)
    const running = messages.findLastIndex(opensRound)
    if (first === running) return []
    const rules = keepRules(facts)
    const protectedBy = protect(messages, facts, rules)
    const digestOf = createDigester(facts)
    const staysWhole = limitCheck(facts)
    const reasons = reasonsOf(facts)
    const edits: Edit[] = []
    for (const result of toolResults(messages, facts)) {
      if (result.index < first) continue
      if (result.index > running) break
      const reason = protectedBy(result)
      if (reason !== null && !(reason === 'error' && rules.length === 0)) continue
      const digest = digestOf(result)
      if (digest !== null && staysWhole(digest, result)) edits.push(editFor(result, digest, reasons))
    }
    return edits
  },
}

/** What the policies of the same list keep. Commands and reads that they do not keep are theirs too, and show one line. */
function keepRules({ policies = [] }: Facts): readonly KeepRule[] {
  return [
    ...(policies.includes(trimOutdatedCommands.name) ? [keepKind('terminal'), keepRecentResults] : []),
    ...(policies.includes(trimRepeatedReads.name) ? [keepKind('file-read')] : []),
  ]
}

function keepKind(kind: ToolKind): KeepRule {
  return () => (result) => result.kind === kind
}

/** A digest that the tool's own limit would cut through is worse than the result itself within that limit. */
function limitCheck(facts: Facts): (digest: ToolResultPart, result: PlacedResult) => boolean {
  return facts.policies?.includes(limitToolOutput.name) === true ? createLimitCheck(facts) : () => true
}

function editFor({ message, part, partIndex }: PlacedResult, digest: ToolResultPart, reasons: ReasonStrings): ReplaceEdit {
  const known = edits.get(digest)
  if (known !== undefined && known.reasons === reasons && known.edit.message === message.id && known.edit.part === partIndex)
    return known.edit
  const [before, after] = [resultText(part).length, resultText(digest).length].map(grouped)
  const edit: ReplaceEdit = {
    id: `${name}:${message.id}.${partIndex}`,
    policy: name,
    kind: 'replace',
    message: message.id,
    part: partIndex,
    with: digest,
    why: reasons.oldResult(before as string, after as string),
  }
  edits.set(digest, { reasons, edit })
  return edit
}

// The same digest comes back at every request, and so does its edit.
const edits = new WeakMap<ToolResultPart, { readonly reasons: ReasonStrings; readonly edit: ReplaceEdit }>()
