import { perEach, type Setting } from '../derive.ts'
import { type ReplaceEdit, replaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import { withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { type PlacedResult, toolResults } from './tool-results.ts'

export interface ResultRule<Needs extends readonly Setting[]> {
  /** Everything its decisions depend on besides the result. */
  readonly needs: (facts: Facts) => Needs
  /** Null keeps the result unchanged. */
  readonly decide: (result: PlacedResult, needs: Needs) => { readonly text: string; readonly why: string } | null
}

/** A policy that decides about each tool result on its own. Its edits are remembered. */
export function resultPolicy<const Needs extends readonly Setting[]>(name: string, rule: ResultRule<Needs>): Policy {
  const editsFor = perEach((result: PlacedResult, ...needs: Needs): ReplaceEdit | null => {
    const shown = rule.decide(result, needs)
    if (shown === null) return null
    return replaceEdit(name, result.message.id, result.partIndex, withShownText(result.part, shown.text), shown.why)
  })
  return {
    name,
    cuts: true,
    plan(messages, facts) {
      const edits = editsFor(...rule.needs(facts))(toolResults(messages, facts))
      return edits.filter((edit) => edit !== null)
    },
  }
}
