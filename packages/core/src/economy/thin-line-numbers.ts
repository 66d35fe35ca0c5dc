import type { Edit, ReplaceEdit } from '../edit.ts'
import { resultText, type ToolResultPart, withText } from '../message.ts'
import { type ReasonStrings, reasonsOf } from '../people.ts'
import type { Policy } from '../policy.ts'
import { toolResults } from '../tool-results.ts'
import { rememberUncut } from '../truncation/uncut.ts'
import type { EconomyRules } from './economy-rules.ts'
import { numbered } from './without-numbers.ts'

const name = 'thin-line-numbers'

/**
 * Shows the numbers that a tool puts before the lines of a file only on some of them, when they are first sent and for ever: every
 * line keeps its mark and its text, and the numbers between can be counted. They take up a quarter of what is read.
 */
export function createThinLineNumbers(rules: EconomyRules): Policy {
  const remembered = new WeakMap<ToolResultPart, { readonly thin: ToolResultPart | null; edit: ReplaceEdit | null }>()
  return {
    name,
    plan(messages, facts) {
      if (!Number.isFinite(rules.numberEvery)) return []
      const pins = new Set(facts.pins)
      const reasons = reasonsOf(facts)
      const edits: Edit[] = []
      for (const { message, part, partIndex } of toolResults(messages, facts)) {
        if (part.content.type !== 'text' || part.blob !== undefined || pins.has(message.id)) continue
        let known = remembered.get(part)
        if (known === undefined) {
          known = { thin: thinned(part, rules.numberEvery), edit: null }
          remembered.set(part, known)
        }
        if (known.thin === null) continue
        if (known.edit?.message !== message.id || known.edit.part !== partIndex || known.edit.why !== reasons.economy.numbers)
          known.edit = editFor(message.id, partIndex, known.thin, reasons)
        edits.push(known.edit)
      }
      return edits
    },
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
  const made = withText(part, thin.join('\n'))
  rememberUncut(made, part)
  return made
}
