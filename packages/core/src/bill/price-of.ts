import { rowOfModel } from '../models/row-of-model.ts'
import { knownPrices, type Price, type PriceTable } from './prices.ts'

/**
 * The price of a model on a day (by default that of the table), by the name in the table or one that means the same: behind a
 * provider's or a region's prefix, with a release date, with dashes for dots. Null for a model that is not in the table: neither a
 * smaller sister's price nor a family's is one.
 */
export function priceOf(model: string, prices: PriceTable = knownPrices, day: string = prices.date): Price | null {
  const current = prices.models.filter(({ from, until }) => (from === null || from <= day) && (until === null || day <= until))
  return rowOfModel(model, current)
}
