import { perBoth, perItem } from '../derive.ts'
import { type ReplaceEdit, replaceEdit } from '../edit.ts'
import { reasonsOf, type Tokenizer } from '../facts.ts'
import { resultText, type ToolResultPart, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { plainResult } from '../results/plain-result.ts'
import type { PlacedResult } from '../results/tool-results.ts'
import { resultHandle } from '../results/transcript.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { countPart, estimator } from '../tokens/count-tokens.ts'
import { cutOutput } from './economy/cut-output.ts'
import type { EconomyRules, ResultClass } from './economy/economy-rules.ts'
import { type ResultLevel, resultLevels, stubOldResultsName } from './economy/result-levels.ts'
import { profileOf } from './economy/result-profile.ts'
import { createResultsInUse } from './economy/results-in-use.ts'
import { placeholderText, stubSourceOf, stubText } from './economy/stub-text.ts'

const name = stubOldResultsName

/**
 * Shortens results that are old or superseded to what they were, the handle, error lines and paths. Rewrites the prompt cache, so it should wait
 * until that is worth it.
 */
export function createStubOldResults(rules: EconomyRules): Policy {
  const resultsInUse = createResultsInUse(rules)
  const shownAs = perItem(
    (
      result: PlacedResult,
      show: ResultLevel['show'],
      tokens: Tokenizer,
      root: string | undefined,
      platform: string | undefined,
    ) => shownPart(result, textOf(result, show, profileOf(root, platform)(result).class, rules), tokens),
  )
  const editsFor = perBoth(
    (
      result: PlacedResult,
      { show, rule, after }: ResultLevel,
      tokens: Tokenizer,
      root: string | undefined,
      platform: string | undefined,
      reasons: ReasonStrings,
    ): ReplaceEdit | null => {
      const shown = shownAs(show, tokens, root, platform)(result)
      return shown === null
        ? null
        : replaceEdit(name, result.message.id, result.partIndex, shown, whyOf(result, shown, rule, after, reasons))
    },
  )
  return {
    name,
    plan(messages, facts) {
      const reasons = reasonsOf(facts)
      const { tokens = estimator, root, platform } = facts
      const { results, levels } = resultLevels(messages, facts, rules, resultsInUse)
      return editsFor(tokens, root, platform, reasons)(results, levels).filter((edit) => edit !== null)
    },
  }
}

function shownPart({ part }: PlacedResult, text: string, tokenizer: Tokenizer): ToolResultPart | null {
  const shown = withShownText(part, text)
  const isShorter = resultText(shown).length < resultText(part).length && countPart(shown, tokenizer) < countPart(part, tokenizer)
  return isShorter ? shown : null
}

function textOf(result: PlacedResult, show: ResultLevel['show'], kind: ResultClass, rules: EconomyRules): string {
  const { whole } = result
  if (show === 'capped') {
    const text = resultText(plainResult(whole))
    const room = { ...rules, characters: rules.capTo, handle: resultHandle(whole), hasLines: whole.blob === undefined }
    return cutOutput(text, room) ?? text
  }
  const source = stubSourceOf(result, kind)
  return show === 'stub' ? stubText(source, rules) : placeholderText(source, rules)
}

function whyOf(
  { part }: PlacedResult,
  shown: ToolResultPart,
  rule: ResultLevel['rule'],
  age: number,
  { economy }: ReasonStrings,
): string {
  switch (rule) {
    case 'superseded':
      return economy.superseded
    case 'repeated':
      return economy.repeated
    case 'old':
      return economy.old(age)
    case 'large':
      return economy.cut(grouped(resultText(part).length), grouped(resultText(shown).length))
  }
}
