import { type OwnPrices, priceOfModel } from '../model/price-of-model.ts'
import { type PriceRow, priceRowNamed, priceRowOf } from './bill/price-rows.ts'
import { type PolicySet, policySets } from './policy-sets.ts'

/** How a session would have used Plimsoll. */
export type EntryPoint = 'gateway' | 'agent' | 'library'

/** The case in which a session is replayed if none is named: economy mode, through its own entry point, at its own price. */
export interface OwnCase {
  /** The format of its log. */
  readonly agent: string
  readonly entry: EntryPoint
  readonly set: string
  readonly price: string
  /** Whether the price of its model is known. If not, only tokens and ratios mean something. */
  readonly isPriced: boolean
  readonly row: PriceRow | null
}

/** The row for models without a known price: engine and gateway assume the same terms for them. */
const defaultRow = 'r.10'

/** The price is that of the day, and the user's own if there is one. */
export function ownCaseOf(
  format: string,
  model: string | null | undefined,
  { day, prices }: { readonly day?: string | undefined; readonly prices?: OwnPrices | undefined } = {},
): OwnCase {
  const price = model === null || model === undefined ? null : priceOfModel(model, day, prices)
  const row = price === null ? undefined : priceRowOf(price)
  const entry = entryOf(format)
  return {
    agent: format,
    entry,
    set: entry === 'gateway' ? 'gateway-economy' : 'economy',
    price: row?.name ?? defaultRow,
    isPriced: row !== undefined,
    row: row ?? priceRowNamed(defaultRow) ?? null,
  }
}

/** Requests of the user's own program can use the library; other agents can only be pointed to a gateway. */
function entryOf(format: string): EntryPoint {
  if (format === 'plimsoll') return 'agent'
  return plainFormats.has(format) ? 'library' : 'gateway'
}

/** Gemini's format is missing: it is also that of Gemini CLI's logs. */
const plainFormats: ReadonlySet<string> = new Set([
  'requests',
  'messages',
  'openai-chat',
  'openai-responses',
  'anthropic',
  'ai-sdk',
])

/** The policy sets and price rows of a case: everything is compared with `raw`. */
export function runsOfCase({ set, row }: OwnCase): { readonly sets: readonly PolicySet[]; readonly rows: readonly PriceRow[] } {
  return {
    sets: policySets.filter(({ name }) => name === 'raw' || name === set),
    rows: row === null ? [] : [row],
  }
}
