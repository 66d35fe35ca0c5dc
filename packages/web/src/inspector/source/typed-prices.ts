import { type Cost, costOfTurn, type Price, type Usage, usualRules } from '@plimsoll/core/bill'
import type { OwnPrice } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import type { InspectedCost, Inspection } from '../../../../node/src/shared/inspection/inspection.ts'

/** Prices that the user typed, in dollars for a million tokens, by the models that logs name. */
export type TypedPrices = Readonly<Record<string, OwnPrice>>

/** The parts of a price, as in the configuration. Only input and output are required. */
export const priceParts = ['input', 'cache_read', 'cache_write', 'output'] as const

export type PricePart = (typeof priceParts)[number]

/** The inspection at typed prices: on both sides, if it is simulated. */
export function withTypedPrices(inspection: Inspection, typed: TypedPrices): Inspection {
  if (Object.keys(typed).length === 0) return inspection
  const { requests, session, recorded } = inspection
  if (!requests.some(({ model }) => model !== null && Object.hasOwn(typed, model))) return inspection
  const costOf = (model: string | null, usage: Usage | null, cost: Cost | null): Cost | null =>
    model === null || usage === null || !Object.hasOwn(typed, model)
      ? cost
      : costOfTurn(usage, priceOf(model, typed[model] as OwnPrice))
  const costs = requests.map(({ model, usage, cost }) => costOf(model, usage, cost))
  const before = recorded?.usages.map((usage, index) =>
    costOf(requests[index]?.model ?? null, usage, recorded.costs[index] ?? null),
  )
  return {
    ...inspection,
    requests: requests.map((request, index) => ({ ...request, cost: costs[index] ?? null })),
    session: {
      ...session,
      cost: changed(
        session.cost,
        requests.map(({ cost }) => cost),
        costs,
      ),
    },
    ...(recorded === undefined || before === undefined
      ? {}
      : { recorded: { ...recorded, costs: before, cost: changed(recorded.cost, recorded.costs, before) } }),
  }
}

/** A session may have cost more than its requests: what was rewound, and requests on the side. */
function changed(
  { dollars, unpriced, ...rest }: InspectedCost,
  before: readonly (Cost | null)[],
  after: readonly (Cost | null)[],
): InspectedCost {
  const sum = (costs: readonly (Cost | null)[]) => costs.reduce((total, cost) => total + (cost?.dollars ?? 0), 0)
  const unknown = (costs: readonly (Cost | null)[]) => costs.filter((cost) => cost === null).length
  return {
    ...rest,
    dollars: Math.max(0, dollars - sum(before) + sum(after)),
    unpriced: Math.max(0, unpriced - unknown(before) + unknown(after)),
  }
}

function priceOf(model: string, { input, cache_read = input, cache_write = input, output }: OwnPrice): Price {
  const rates = { input, cacheRead: cache_read, cacheWrite: cache_write, cacheWriteHour: null, output, longPrompt: null }
  return { model, ...rates, busy: null, from: null, until: null, cache: usualRules, source: 'configuration' }
}

/** Dollars for a million tokens that a request was billed at; null for parts that it does not show. */
export function shownRates({ requests }: Inspection, model: string): Readonly<Record<PricePart, number | null>> {
  const parts = { input: 'input', cache_read: 'cacheRead', cache_write: 'cacheWrite', output: 'output' } as const
  const rate = (part: PricePart) => {
    const name = parts[part]
    const shown = requests.find((one) => one.model === model && one.cost !== null && (one.usage?.[name] ?? 0) > 0)
    if (shown === undefined) return null
    return Number((((shown.cost?.parts[name] ?? 0) * 1_000_000) / (shown.usage?.[name] ?? 1)).toPrecision(4))
  }
  return { input: rate('input'), cache_read: rate('cache_read'), cache_write: rate('cache_write'), output: rate('output') }
}

/** The lines of the configuration that set these prices. */
export function priceLines(typed: TypedPrices): string {
  const rows = Object.entries(typed).map(([model, price]) => {
    const parts = priceParts.flatMap((part) => (price[part] === undefined ? [] : [`${part}: ${price[part]}`]))
    return `  ${JSON.stringify(model)}: { ${parts.join(', ')} }`
  })
  return ['prices:', ...rows].join('\n')
}

const stored = 'plimsoll-prices'

/** Prices that were typed in this browser before. Never throws. */
export function readTyped(): TypedPrices {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(stored) ?? '{}')
    if (!isRecord(value)) return {}
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, OwnPrice] => isPrice(entry[1])))
  } catch {
    // A page from a file may have no storage.
    return {}
  }
}

export function storeTyped(typed: TypedPrices): void {
  try {
    localStorage.setItem(stored, JSON.stringify(typed))
  } catch {
    // They apply until the page is closed.
  }
}

function isPrice(value: unknown): value is OwnPrice {
  if (!isRecord(value)) return false
  return (
    isAmount(value['input']) &&
    isAmount(value['output']) &&
    priceParts.every((part) => value[part] === undefined || isAmount(value[part]))
  )
}

const maxAmount = 1_000_000

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= maxAmount
}

/** The price in these fields; null unless input and output are numbers, and all that is typed is. */
export function typedPrice(fields: Readonly<Record<PricePart, string>>): OwnPrice | null {
  const amounts: Partial<Record<PricePart, number>> = {}
  for (const part of priceParts) {
    const text = fields[part].trim()
    if (text === '') continue
    const amount = Number(text)
    if (!isAmount(amount)) return null
    amounts[part] = amount
  }
  return isPrice(amounts) ? amounts : null
}
