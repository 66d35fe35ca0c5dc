import { knownPrices, type Price, type PriceTable } from './prices.ts'

/**
 * The price of a model on a day (by default that of the table), by the name in the table or one that means the same: behind a
 * provider's or a region's prefix, with a release date, with dashes for dots. Null for a model that is not in the table: neither a
 * smaller sister's price nor a family's is one.
 */
export function priceOf(model: string, prices: PriceTable = knownPrices, day: string = prices.date): Price | null {
  if (typeof model !== 'string' || model.length > 300) return null
  const wanted = namesOf(model)
  const current = prices.models.filter(({ from, until }) => (from === null || from <= day) && (until === null || day <= until))
  for (const name of wanted) {
    const found = current.find((candidate) => plain(candidate.model) === name)
    if (found !== undefined) return found
  }
  return null
}

/** From the name as it stands to what is left without prefixes and dates. */
function namesOf(model: string): readonly string[] {
  const whole = plain(model)
  const last = whole.slice(whole.lastIndexOf('/') + 1)
  const bare = last.replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|openai|google|deepseek|moonshotai?|zai|xai)\./, '')
  // Bedrock's names end in a version. Any other suffix, such as `:free` or `-mini`, is another price.
  const unversioned = bare === last ? bare : bare.replace(/-v\d{1,2}(?::\d{1,2})?$/, '')
  const undated = unversioned.replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '')
  return [whole, last, bare, undated]
}

/** `claude-opus-5.5` and `Claude-Opus-5-5` are one. */
function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)\.(?=\d)/g, '-')
}
