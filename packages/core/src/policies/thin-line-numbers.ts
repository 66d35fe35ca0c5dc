import { reasonsOf } from '../facts.ts'
import { resultText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { withoutPinned } from '../results/protect.ts'
import { resultPolicy } from '../results/result-policy.ts'
import { numbered } from '../text/shown-above.ts'
import type { EconomyRules } from './economy/economy-rules.ts'

const name = 'thin-line-numbers'

/**
 * Shortens the line numbers of file reads when they are first sent. After an arrow, most numbers go: every line keeps its mark and its text, and the
 * numbers between can be counted. Before a tab, only the padding goes: edit tools document the form "number, tab", and a tab alone looks like indentation.
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
  let changed = 0
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
    const hasTab = found[0].endsWith('\t')
    const shown = follows && !hasTab && number % every !== 0 ? line.slice(found[0].length - 1) : line.trimStart()
    if (follows && shown.length < line.length) changed += 1
    return shown
  })
  return changed < minLines || isAmbiguous ? null : thin.join('\n')
}
