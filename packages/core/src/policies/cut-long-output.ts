import { reasonsOf } from '../facts.ts'
import { resultText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { withLinesOf } from '../results/plain-result.ts'
import { withoutPinned } from '../results/protect.ts'
import { resultPolicy } from '../results/result-policy.ts'
import { resultHandle } from '../results/transcript.ts'
import { grouped } from '../text/lines.ts'
import { cutOutput } from './economy/cut-output.ts'
import type { EconomyRules } from './economy/economy-rules.ts'
import { profileOf } from './economy/result-profile.ts'

/**
 * Cuts long output when it is first sent, always the same way, so it never rewrites the prompt cache: keeps head, tail, salient lines between them
 * and the paths they name. File reads stay in full.
 */
export function createCutLongOutput(rules: EconomyRules): Policy {
  const min = Math.min(...Object.values(rules.cutOver))
  const policy = resultPolicy('cut-long-output', {
    needs: (facts) => [reasonsOf(facts), facts.root, facts.platform],
    decide(result, [reasons, root, platform]) {
      const whole = resultText(result.part)
      // Below the smallest of all limits, nothing has to be known of the call.
      if (whole.length <= min) return null
      const { class: kind } = profileOf(root, platform)(result)
      if (whole.length <= rules.cutOver[kind]) return null
      const text = cutOutput(whole, {
        ...rules,
        characters: rules.cutTo[kind],
        handle: resultHandle(result.whole),
        hasLines: result.part.blob === undefined && withLinesOf(result.whole, result.part) === result.part,
      })
      return text === null ? null : { text, why: reasons.economy.cut(grouped(whole.length), grouped(text.length)) }
    },
  })
  return { ...policy, plan: (messages, facts) => withoutPinned(policy.plan(messages, facts), facts) }
}
