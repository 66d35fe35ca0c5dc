import { escapeUnprintable } from '@plimsoll/core/text'
import { type PriceRow, priceRows } from '../replay/bill/price-rows.ts'
import { chooseNamed, type PolicySet, policySets } from '../replay/policy-sets.ts'
import type { WhatIfChoices, WhatIfQuestion } from '../shared/inspection/embedded-inspection.ts'
import type { InspectedUnder } from '../shared/inspection/inspection.ts'
import type { Strings } from '../strings/strings-for.ts'

/** Everything that a session can be replayed with, by name, in the order in which it is shown. */
export function whatIfChoices(): WhatIfChoices {
  return { policies: policySets.map(({ name }) => name), prices: priceRows.map(({ name }) => name), under: underChoices() }
}

/** What is compared where nothing is named: what Plimsoll does, at the price row that replays are judged by. */
const usual: WhatIfQuestion = { policies: ['spec', 'economy', 'gateway-economy'], prices: ['r.05'] }

/**
 * The question with `raw` first, in the order of the choices, and with the usual names where none are given. Throws `WhatIfError` for
 * a name that nobody knows.
 */
export function checkQuestion({ policies, prices }: WhatIfQuestion): WhatIfQuestion {
  const sets = chooseNamed(policySets, policies.length === 0 ? usual.policies : policies)
  if (sets.chosen === undefined) throw new WhatIfError('unknown-policies', sets)
  const rows = chooseNamed(priceRows, prices.length === 0 ? usual.prices : prices)
  if (rows.chosen === undefined) throw new WhatIfError('unknown-prices', rows)
  const names = sets.chosen.map(({ name }) => name).filter((name) => name !== 'raw')
  return { policies: ['raw', ...names], prices: rows.chosen.map(({ name }) => name) }
}

/** A name that nobody knows, with those that are known. */
interface UnknownName {
  readonly unknown: string
  readonly known: readonly string[]
  readonly near: string | null
}

/** Why a session cannot be replayed. */
type WhatIfTrouble = 'unknown-policies' | 'unknown-prices' | 'nothing-to-replay' | 'cannot-replay'

/** A replay that was refused, or failed. Its message is the code; `words` says it to people. */
export class WhatIfError extends Error {
  override readonly name = 'WhatIfError'
  readonly code: WhatIfTrouble
  readonly text: (strings: Strings) => string

  constructor(code: WhatIfTrouble, detail: UnknownName | string) {
    super(code)
    this.code = code
    this.text = (strings) => sentence(code, detail, strings)
  }
}

/** Longer names are cut where they are said. */
const longestName = 60

function sentence(code: WhatIfTrouble, detail: UnknownName | string, { replay, command, inspect }: Strings): string {
  if (typeof detail === 'string') return code === 'nothing-to-replay' ? inspect.nothingToReplay : inspect.cannotReplay(detail)
  const name = escapeUnprintable(JSON.stringify(detail.unknown.slice(0, longestName)))
  const unknown = code === 'unknown-policies' ? replay.unknownPolicySet : replay.unknownPriceRow
  const text = command.sentence(unknown(name, detail.known.join(', ')))
  return detail.near === null ? text : `${text} ${command.didYouMean(detail.near)}`
}

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
