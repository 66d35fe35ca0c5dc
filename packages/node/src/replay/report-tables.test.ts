import { describe, expect, it } from 'vitest'
import { stringsFor } from '../strings/strings-for.ts'
import { headlineOf } from './report-tables.ts'
import { makeSummary } from './testing/made-summary.ts'

const strings = stringsFor('en').replay
/** The summary with other names for its sets. */
function named(names: Readonly<Record<string, string>>) {
  const summary = makeSummary()
  const rename = <Set extends { readonly name: string }>(sets: readonly Set[]) =>
    sets.map((set) => ({ ...set, name: names[set.name] ?? set.name }))
  return { ...summary, strata: summary.strata.map((group) => ({ ...group, policySets: rename(group.policySets) })) }
}

describe('the headline of a replay', () => {
  it('says first what the gateway gives, which is what most users would get', () => {
    const summary = named({ spec: 'gateway-economy', 'economy-keep-alive': 'gateway-economy-signed' })
    expect(headlineOf(summary, strings)).toBe(
      "Sessions of more than 100 requests (2): -5.0 % through the gateway in economy mode, recalls included; -22.0 % if the provider signs the model's reasoning; -14.0 % in the library, which may also shorten arguments and reasoning.",
    )
  })

  it('is left out if the gateway was not replayed', () => {
    expect(headlineOf(makeSummary(), strings)).toBeNull()
  })
})
