import { planOnce } from '../derive.ts'
import type { ReplaceEdit } from '../edit.ts'
import { reasonsOf } from '../facts.ts'
import { type Message, resultText, type ToolResultPart, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { withoutPinned } from '../results/protect.ts'
import { rememberUncut } from '../results/transcript.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { numbered } from '../text/shown-above.ts'
import type { EconomyRules } from './economy/economy-rules.ts'

const name = 'thin-line-numbers'

/**
 * Shows the numbers that a tool puts before the lines of a file only on some of them, when they are first sent and for ever: every
 * line keeps its mark and its text, and the numbers between can be counted. They take up a quarter of what is read.
 */
export function createThinLineNumbers(rules: EconomyRules): Policy {
  const remembered = new WeakMap<ToolResultPart, { readonly thin: ToolResultPart | null; edit: ReplaceEdit | null }>()
  const plan = planOnce({
    settingsOf: (facts) => [reasonsOf(facts)],
    editsFrom: (messages, from, facts) => messages.slice(from).flatMap((message) => editsOf(message, reasonsOf(facts))),
  })
  return {
    name,
    plan: (messages, facts) => (Number.isFinite(rules.numberEvery) ? withoutPinned(plan(messages, facts), facts) : []),
  }

  function editsOf(message: Message, reasons: ReasonStrings): readonly ReplaceEdit[] {
    if (message.role !== 'tool') return []
    return message.parts.flatMap((part, index) => {
      if (part.type !== 'tool-result' || part.blob !== undefined) return []
      let known = remembered.get(part)
      if (known === undefined) {
        known = { thin: thinned(part, rules.numberEvery), edit: null }
        remembered.set(part, known)
      }
      if (known.thin === null) return []
      if (known.edit?.message !== message.id || known.edit.part !== index || known.edit.why !== reasons.economy.numbers)
        known.edit = editFor(message.id, index, known.thin, reasons)
      return [known.edit]
    })
  }
}

function editFor(message: string, part: number, thin: ToolResultPart, reasons: ReasonStrings): ReplaceEdit {
  return {
    id: `${name}:${message}.${part}`,
    policy: name,
    kind: 'replace',
    message,
    part,
    with: thin,
    why: reasons.economy.numbers,
  }
}

/** Fewer are not worth it. */
const fewest = 4
const longestText = 1_000_000

function thinned(part: ToolResultPart, every: number): ToolResultPart | null {
  const text = resultText(part)
  if (text.length > longestText || !/\d[→\t]/.test(text)) return null
  const lines = text.split('\n')
  let last = Number.NaN
  let dropped = 0
  let isAmbiguous = false
  const thin = lines.map((line) => {
    const found = numbered.exec(line)
    if (found === null) {
      last = Number.NaN
      // It would read like a line whose number was left out.
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
  if (dropped < fewest || isAmbiguous) return null
  const made = withShownText(part, thin.join('\n'))
  rememberUncut(made, part)
  return made
}
