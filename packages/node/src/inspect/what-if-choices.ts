import { chooseNamed } from '../replay/choose-named.ts'
import { policySets } from '../replay/policy-sets.ts'
import { priceRows } from '../replay/price-rows.ts'
import type { WhatIfChoices, WhatIfQuestion } from '../shared/inspection/what-if.ts'
import { underChoices } from './under-choices.ts'
import { WhatIfError } from './what-if-error.ts'

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
