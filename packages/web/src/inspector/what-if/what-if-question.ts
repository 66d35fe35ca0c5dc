import type { WhatIfQuestion } from '@plimsoll/core'

/** What can be compared where nobody says what else there is. */
export const usualChoices: WhatIfQuestion = {
  policies: ['raw', 'spec-immediate', 'spec', 'economy', 'economy-keep-alive', 'gateway-economy'],
  prices: ['r.10', 'r.05', 'r.025'],
}

/** What is compared at first: what Plimsoll does, at the dearest of the usual reads, as far as there is a choice of it. */
export function usualQuestion({ policies, prices }: WhatIfQuestion): WhatIfQuestion {
  const sets = ['spec', 'economy', 'economy-keep-alive', 'gateway-economy'].filter((name) => policies.includes(name))
  return {
    policies: sets.length > 0 ? sets : policies.filter((name) => name !== 'raw'),
    prices: prices.includes('r.10') ? ['r.10'] : prices.slice(0, 1),
  }
}

/** The question with a policy set added, or taken away; in the order of the choices. */
export function withPolicies({ policies, prices }: WhatIfQuestion, name: string, choices: WhatIfQuestion): WhatIfQuestion {
  const isChosen = (known: string) => (known === name) !== policies.includes(known)
  return { policies: choices.policies.filter(isChosen), prices }
}

/** The question with a price added, or taken away; in the order of the choices. */
export function withPrices({ policies, prices }: WhatIfQuestion, name: string, choices: WhatIfQuestion): WhatIfQuestion {
  const isChosen = (known: string) => (known === name) !== prices.includes(known)
  return { policies, prices: choices.prices.filter(isChosen) }
}
