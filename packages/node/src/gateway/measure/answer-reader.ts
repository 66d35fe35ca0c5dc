import type { CostOptions } from '@plimsoll/core/bill'
import { isRecord, jsonText } from '@plimsoll/core/text'

/** A JSON object of an answer. */
export type Fields = Readonly<Record<string, unknown>>

/** What is told after one more event of an answer, or after its only value. */
export type AnswerReader = (told: Told, event: Fields) => Told

/** What was told so far. */
export interface Told {
  /** As the provider wrote it. */
  readonly usage: Fields | null
  readonly model: string | null
  readonly stop: string | null
  readonly error: string | null
}

/** What is told before the first event. */
export const nothingTold: Told = { usage: null, model: null, stop: null, error: null }

/** A text that says something; null for anything else. */
export function word(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, mostWord) : null
}

/** An error as text, where a field holds one. */
export function errorOf(value: unknown): string | null {
  if (typeof value !== 'string' && !isRecord(value)) return null
  const text = jsonText({ error: value })
  return text === '' || value === '' ? null : text.slice(0, mostError)
}

/** For how long an answer says that its prompt was written to the cache: what most of it was written for counts. */
export function cacheLifetimeOf(usage: Fields | null): NonNullable<CostOptions['cacheLifetime']> {
  const written = usage?.['cache_creation']
  if (!isRecord(written)) return 'provider'
  return amount(written['ephemeral_1h_input_tokens']) > amount(written['ephemeral_5m_input_tokens']) ? 'hour' : 'provider'
}

const mostWord = 200
const mostError = 20_000

function amount(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
