import { planOnce } from '../derive.ts'
import type { ReplaceEdit } from '../edit.ts'
import { configOf, reasonsOf } from '../facts.ts'
import { resultText, type ToolResultPart, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { withoutPinned } from '../results/protect.ts'
import { firstAt, type PlacedResult, toolResults } from '../results/tool-results.ts'
import { rememberUncut, resultHandle, uncut } from '../results/transcript.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'
import { cutOutput } from './economy/cut-text.ts'
import type { EconomyRules, ResultClass } from './economy/economy-rules.ts'
import { profileOf } from './economy/result-profile.ts'

const name = 'cut-long-output'

/**
 * Cuts long output when it is first sent, and the same way for ever, so that it never costs a rewrite of the prompt cache: head, tail,
 * the lines between them that matter and the paths they name. What a file was read for stays whole.
 */
export function createCutLongOutput(rules: EconomyRules): Policy {
  const remembered = new WeakMap<ToolResultPart, Remembered>()
  const least = Math.min(...Object.values(rules.cutOver))
  const plan = planOnce({
    settingsOf: (facts) => [
      reasonsOf(facts),
      facts.root,
      facts.platform,
      facts.tools,
      configOf(facts).outdated_commands.stderr_is_error,
    ],
    editsFrom(messages, from, facts) {
      const results = toolResults(messages, facts)
      return results.slice(firstAt(results, from)).flatMap((result) => {
        // Below the least of all limits, nothing has to be known of the call.
        if (resultText(result.part).length <= least) return []
        const kind = profileOf(result, facts).class
        if (resultText(result.part).length <= rules.cutOver[kind]) return []
        return editFor(result, kind, reasonsOf(facts)) ?? []
      })
    },
  })
  return { name, plan: (messages, facts) => withoutPinned(plan(messages, facts), facts) }

  function editFor(result: PlacedResult, kind: ResultClass, reasons: ReasonStrings): ReplaceEdit | null {
    const { message, part, partIndex } = result
    let known = remembered.get(part)
    // What it is may be learned later, as when its call was not there before.
    if (known?.kind !== kind) {
      known = { kind, cut: cutPart(part, rules.cutTo[kind]), reasons: null, edit: null }
      remembered.set(part, known)
    }
    if (known.cut === null) return null
    const { edit } = known
    if (edit !== null && known.reasons === reasons && edit.message === message.id && edit.part === partIndex) return edit
    const [before, after] = [part, known.cut].map((each) => grouped(resultText(each).length))
    const made: ReplaceEdit = {
      id: `${name}:${message.id}.${partIndex}`,
      policy: name,
      kind: 'replace',
      message: message.id,
      part: partIndex,
      with: known.cut,
      why: reasons.economy.cut(before as string, after as string),
    }
    remembered.set(part, { kind, cut: known.cut, reasons, edit: made })
    return made
  }

  function cutPart(part: ToolResultPart, characters: number): ToolResultPart | null {
    // Whatever was made of it before, the handle is that of the result itself.
    const handle = resultHandle(uncut(part))
    const text = cutOutput(resultText(part), { ...rules, characters, handle, hasLines: part.blob === undefined })
    if (text === null) return null
    const cut = withShownText(part, text)
    rememberUncut(cut, part)
    return cut
  }
}

interface Remembered {
  readonly kind: ResultClass
  readonly cut: ToolResultPart | null
  readonly reasons: ReasonStrings | null
  readonly edit: ReplaceEdit | null
}
