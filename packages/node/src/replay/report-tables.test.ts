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

describe('headlineOf', () => {
  it('starts with the savings of the gateway, which most users would get', () => {
    const summary = named({ spec: 'gateway-economy', 'economy-keep-alive': 'gateway-economy-signed' })
    expect(headlineOf(summary, strings)).toBe(
      strings.headline(strings.stratum['>100']('2'), { gateway: '-5.0', signed: '-22.0', library: '-14.0' }),
    )
  })

  it('returns null if the gateway was not replayed', () => {
    expect(headlineOf(makeSummary(), strings)).toBeNull()
  })
})
