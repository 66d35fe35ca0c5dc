import { reasonsOf } from '../facts.ts'
import { resultText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { withoutPinned } from '../results/protect.ts'
import { resultPolicy } from '../results/result-policy.ts'
import { numbered } from '../text/shown-above.ts'
import type { EconomyRules } from './economy/economy-rules.ts'

const name = 'thin-line-numbers'

/**
 * Drops most line numbers of file reads when they are first sent: every line keeps its mark and its text, and the numbers between can be counted.
 * They are a quarter of the text of reads.
 */
export function createThinLineNumbers({ numberEvery }: EconomyRules): Policy {
  if (!Number.isFinite(numberEvery)) return { name, plan: () => [] }
  const policy = resultPolicy(name, {
    needs: (facts) => [reasonsOf(facts).economy.numbers],
    decide({ part }, [why]) {
      const text = part.blob === undefined ? thinned(resultText(part), numberEvery) : null
      return text === null ? null : { text, why }
    },
  })
  return { ...policy, plan: (messages, facts) => withoutPinned(policy.plan(messages, facts), facts) }
}

const minLines = 4
const maxTextLength = 1_000_000

function thinned(text: string, every: number): string | null {
  if (text.length > maxTextLength || !/\d[→\t]/.test(text)) return null
  const lines = text.split('\n')
  let last = Number.NaN
  let dropped = 0
  let isAmbiguous = false
  const thin = lines.map((line) => {
    const found = numbered.exec(line)
    if (found === null) {
      last = Number.NaN
      // It would read like a line whose number was omitted.
      isAmbiguous ||= line.startsWith('→')
      return line
    }
    const number = Number(found[1])
    const follows = number === last + 1
    last = number
    const rest = line.slice(found[0].length)
    if (!follows || number % every === 0) return `${number}→${rest}`
    dropped += 1
    return `→${rest}`
  })
  return dropped < minLines || isAmbiguous ? null : thin.join('\n')
}
