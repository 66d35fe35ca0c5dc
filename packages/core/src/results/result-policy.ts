import { perEach, type Setting } from '../derive.ts'
import { type ReplaceEdit, replaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import { withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { type PlacedResult, toolResults } from './tool-results.ts'

/** A rule about each tool result by itself. */
export interface ResultRule<Needs extends Readonly<Record<string, Setting>>> {
  /** All that it depends on besides the result. While these values are the same, so are its decisions. */
  readonly needs: (facts: Facts) => Needs
  /** The text to show in place of the result and why, or null to leave it as it is. */
  readonly decide: (result: PlacedResult, needs: Needs) => { readonly text: string; readonly why: string } | null
}

/** A policy that decides about each tool result by itself. Its edits are made here and remembered. */
export function resultPolicy<Needs extends Readonly<Record<string, Setting>>>(name: string, rule: ResultRule<Needs>): Policy {
  const editsFor = perEach((result: PlacedResult, names: string, ...values: readonly Setting[]): ReplaceEdit | null => {
    const needs = Object.fromEntries(names.split(' ').map((each, index) => [each, values[index]])) as Needs
    const shown = rule.decide(result, needs)
    if (shown === null) return null
    return replaceEdit(name, result.message.id, result.partIndex, withShownText(result.part, shown.text), shown.why)
  })
  return {
    name,
    cuts: true,
    plan(messages, facts) {
      const needs = rule.needs(facts)
      const edits = editsFor(Object.keys(needs).join(' '), ...Object.values(needs))(toolResults(messages, facts))
      return edits.filter((edit) => edit !== null)
    },
  }
}
