import { chooseNamed } from '../replay/choose-named.ts'
import type { PolicySet } from '../replay/policy-set.ts'
import { policySets } from '../replay/policy-sets.ts'
import type { PriceRow } from '../replay/price-row.ts'
import { priceRows } from '../replay/price-rows.ts'
import type { InspectedUnder } from '../shared/inspection/inspection.ts'
import { WhatIfError } from './what-if-error.ts'

/** A policy set at a price row. */
export interface UnderPolicies {
  readonly set: PolicySet
  readonly row: PriceRow
}

/** The price row that is taken where none is named. */
const usualPrice = 'r.10'

/** The policy sets under which a session can be looked at, by name: those that make edits. */
export function underChoices(): readonly string[] {
  return editing.map(({ name }) => name)
}

/** The set and the row of these names. Throws `WhatIfError` for a name that nobody knows. */
export function underNamed({
  policies,
  price = usualPrice,
}: Partial<InspectedUnder> & { readonly policies: string }): UnderPolicies {
  const sets = chooseNamed(editing, [policies])
  const rows = chooseNamed(priceRows, [price])
  if (sets.chosen === undefined) throw new WhatIfError('unknown-policies', sets)
  if (rows.chosen === undefined) throw new WhatIfError('unknown-prices', rows)
  const [set] = sets.chosen
  const [row] = rows.chosen
  if (set === undefined || row === undefined) throw new Error('a name that is known names something')
  return { set, row }
}

const editing = policySets.filter((set) => set.policies.length > 0)
