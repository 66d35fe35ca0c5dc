import { type OwnPrices, priceDay, priceOfModel } from '../model/price-of-model.ts'
import { type PriceRow, priceOfRow, priceRowNamed, priceRowOf } from './bill/price-rows.ts'
import type { PriceOfStep } from './own-account.ts'

/** The name of a session's own prices among price rows: those of each request's model and day. */
export const sessionPrice = 'session'

/** How a session would have used Plimsoll. */
export type EntryPoint = 'gateway' | 'agent' | 'library'

/** The case in which a session is replayed if none is named: economy mode, through its own entry point, at its own price. */
export interface OwnCase {
  /** The format of its log. */
  readonly agent: string
  readonly entry: EntryPoint
  readonly set: string
  /** As the log names it. */
  readonly model: string | null
  readonly price: string
  /** Whether the price of its model is known. If not, only tokens and ratios mean something. */
  readonly isPriced: boolean
  readonly row: PriceRow
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
    model: model ?? null,
    set: entry === 'gateway' ? 'gateway-economy' : 'economy',
    price: row?.name ?? defaultRow,
    isPriced: row !== undefined,
    row: row ?? (priceRowNamed(defaultRow) as PriceRow),
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

/** The prices of each request's model on its day; for a session whose price is unknown, those of the default row. */
export function ownPrices({ isPriced, row }: OwnCase, own: OwnPrices = {}): PriceOfStep {
  const assumed = isPriced ? null : priceOfRow(row)
  return ({ model, at }) => assumed ?? (model === null ? null : priceOfModel(model, priceDay(at), own))
}
