import type { ReplaceEdit } from '../edit.ts'
import { type Facts, reasonsOf, type Tokenizer } from '../facts.ts'
import { resultText, type ToolResultPart, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { aboutOf } from '../results/tool-results.ts'
import { resultHandle, uncut } from '../results/transcript.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { countPart, estimator } from '../tokens/count-tokens.ts'
import { cutOutput } from './economy/cut-text.ts'
import type { EconomyRules } from './economy/economy-rules.ts'
import { type ResultLevel, resultLevels, stubOldResultsName } from './economy/result-levels.ts'
import { createResultsInUse } from './economy/results-in-use.ts'
import { placeholderText, stubText } from './economy/weighed-results.ts'

const name = stubOldResultsName

/**
 * Shows little in place of results that are old, or that a newer one has made needless: what it was, the way back, error lines and
 * paths. Costs a rewrite of the prompt cache, so that it had better wait until that pays.
 */
export function createStubOldResults(rules: EconomyRules): Policy {
  const resultsInUse = createResultsInUse(rules)
  const remembered = new WeakMap<ToolResultPart, Map<ResultLevel['show'], Remembered>>()
  return {
    name,
    plan(messages, facts) {
      const reasons = reasonsOf(facts)
      const edits: ReplaceEdit[] = []
      for (const level of resultLevels(messages, facts, rules, resultsInUse)) {
        const edit = editFor(level, reasons, facts)
        if (edit !== null) edits.push(edit)
      }
      return edits
    },
  }

  function editFor(level: ResultLevel, reasons: ReasonStrings, facts: Facts): ReplaceEdit | null {
    const { part } = level.result
    let levels = remembered.get(part)
    if (levels === undefined) {
      levels = new Map()
      remembered.set(part, levels)
    }
    const tokens = facts.tokens ?? estimator
    const known = levels.get(level.show)
    const isKnown = known !== undefined && known.tokens === tokens && showsTheSame(known.level, level)
    if (isKnown && known.reasons === reasons && saysTheSame(known.level, level)) return known.edit
    const shown = isKnown ? known.shown : shownPart(level, tokens)
    const edit = shown === null ? null : makeEdit(level, shown, reasons)
    levels.set(level.show, { level, tokens, reasons, shown, edit })
    return edit
  }

  /** The part that is shown instead, or null where it would not be shorter. */
  function shownPart(level: ResultLevel, tokenizer: Tokenizer): ToolResultPart | null {
    const { part } = level.result
    const shown = withShownText(part, textOf(level))
    const isShorter =
      resultText(shown).length < resultText(part).length && countPart(shown, tokenizer) < countPart(part, tokenizer)
    return isShorter ? shown : null
  }

  function textOf({ result, profile, show }: ResultLevel): string {
    const whole = uncut(result.part)
    const text = resultText(whole)
    const handle = resultHandle(whole)
    if (show === 'capped') {
      const room = { ...rules, characters: rules.capTo, handle, hasLines: whole.blob === undefined }
      return cutOutput(text, room) ?? text
    }
    const source = {
      class: profile.class,
      tool: result.tool ?? 'tool',
      about: aboutOf(result),
      handle,
      text,
      isError: result.isError,
    }
    return show === 'stub' ? stubText(source, rules) : placeholderText(source, rules)
  }

  function makeEdit({ result, rule, after: age }: ResultLevel, shown: ToolResultPart, { economy }: ReasonStrings): ReplaceEdit {
    const { message, part, partIndex } = result
    const [before, after] = [part, shown].map((each) => grouped(resultText(each).length))
    const why = {
      superseded: () => economy.superseded,
      repeated: () => economy.repeated,
      old: () => economy.old(age),
      large: () => economy.cut(before as string, after as string),
    }[rule]()
    return {
      id: `${name}:${message.id}.${partIndex}`,
      policy: name,
      kind: 'replace',
      message: message.id,
      part: partIndex,
      with: shown,
      why,
    }
  }
}

interface Remembered {
  readonly level: ResultLevel
  readonly tokens: Tokenizer
  readonly reasons: ReasonStrings
  readonly shown: ToolResultPart | null
  readonly edit: ReplaceEdit | null
}

/** Whether the same would be shown at the same level of a result: its call may come later, and its tool be known otherwise. */
function showsTheSame({ result: was }: ResultLevel, { result: is }: ResultLevel): boolean {
  return was.call === is.call && was.rules === is.rules && was.isError === is.isError
}

/** Whether it would be said of the same place, for the same reason. */
function saysTheSame(was: ResultLevel, is: ResultLevel): boolean {
  const isThere = was.result.message.id === is.result.message.id && was.result.partIndex === is.result.partIndex
  return isThere && was.rule === is.rule && was.after === is.after
}
