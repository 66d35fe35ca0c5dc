import { escapeUnprintable } from '@plimsoll/core/text'
import { type PriceRow, priceRows } from '../replay/bill/price-rows.ts'
import { sessionPrice } from '../replay/own-case.ts'
import { chooseNamed, type PolicySet, policySets } from '../replay/policy-sets.ts'
import type { WhatIfChoices, WhatIfQuestion } from '../shared/inspection/embedded-inspection.ts'
import type { InspectedUnder } from '../shared/inspection/inspection.ts'
import type { Strings } from '../strings/strings-for.ts'

/** Everything that a session can be replayed with, by name, in the order shown. */
export function whatIfChoices(): WhatIfChoices {
  const prices = [sessionPrice, ...priceRows.map(({ name }) => name)]
  return { policies: policySets.map(({ name }) => name), prices, under: underChoices() }
}

/** The default comparison: Plimsoll's own sets, at the session's own prices. */
const usual: WhatIfQuestion = { policies: ['spec', 'economy', 'gateway-economy'], prices: [sessionPrice] }

/** The question with `raw` first, and with the default names if none are given. Throws `WhatIfError` for an unknown name. */
export function checkQuestion({ policies, prices, own }: WhatIfQuestion): WhatIfQuestion {
  const sets = chosen('unknown-policies', policySets, policies.length === 0 ? usual.policies : policies)
  const rows = chosen('unknown-prices', [{ name: sessionPrice }, ...priceRows], prices.length === 0 ? usual.prices : prices)
  const names = sets.map(({ name }) => name).filter((name) => name !== 'raw')
  return { policies: ['raw', ...names], prices: rows.map(({ name }) => name), ...(own === undefined ? {} : { own }) }
}

function chosen<Item extends { readonly name: string }>(code: WhatIfProblem, items: readonly Item[], names: readonly string[]) {
  const found = chooseNamed(items, names)
  if (found.chosen === undefined) throw new WhatIfError(code, found)
  return found.chosen
}

type UnknownName = Exclude<ReturnType<typeof chooseNamed>, { readonly chosen: unknown }>

type WhatIfProblem = 'unknown-policies' | 'unknown-prices' | 'nothing-to-replay' | 'cannot-replay'

/** Thrown if a replay is rejected or fails. The message is the code; `text` makes a sentence of it. */
export class WhatIfError extends Error {
  override readonly name = 'WhatIfError'
  readonly code: WhatIfProblem
  readonly text: (strings: Strings) => string

  constructor(code: WhatIfProblem, detail: UnknownName | string) {
    super(code)
    this.code = code
    this.text = (strings) => sentence(code, detail, strings)
  }
}

const maxName = 60

function sentence(code: WhatIfProblem, detail: UnknownName | string, { replay, command, inspect }: Strings): string {
  if (typeof detail === 'string') return code === 'nothing-to-replay' ? inspect.nothingToReplay : inspect.cannotReplay(detail)
  const name = escapeUnprintable(JSON.stringify(detail.unknown.slice(0, maxName)))
  const unknown = code === 'unknown-policies' ? replay.unknownPolicySet : replay.unknownPriceRow
  const text = command.sentence(unknown(name, detail.known.join(', ')))
  return detail.near === null ? text : `${text} ${command.didYouMean(detail.near)}`
}

/** The policy sets under which a session can be inspected, by name: those that make edits. */
export function underChoices(): readonly string[] {
  return editing.map(({ name }) => name)
}

/** The set and the row of these names; null for the session's own prices, the default. Throws `WhatIfError` for an unknown name. */
export function underNamed({ policies, price = sessionPrice }: Partial<InspectedUnder> & Pick<InspectedUnder, 'policies'>) {
  const [set] = chosen('unknown-policies', editing, [policies]) as [PolicySet]
  const row = price === sessionPrice ? null : (chosen('unknown-prices', priceRows, [price])[0] as PriceRow)
  return { set, row }
}

const editing = policySets.filter((set) => set.policies.length > 0)
