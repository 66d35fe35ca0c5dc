import { cacheTermsOf, costOfTurn, type Price, type Usage, usageTotal } from '@plimsoll/core/bill'
import { handleOf, isRecord } from '@plimsoll/core/text'
import type { RecentAnswer } from '../../logs/measure/spending.ts'
import { billedModel, readUsage } from '../../logs/read-usage.ts'

/** What the lines of a log of Claude Code or Plimsoll report, so far. All values survive JSON. */
export interface LogFacts {
  /** The model of the last request of Plimsoll's own logs. */
  readonly model: string | null
  /** The latest answers in order; a log may write more lines of the same answer. */
  readonly answers: readonly LoggedAnswer[]
  /** Of the answers before them. */
  readonly before: { readonly dollars: number; readonly unpriced: number }
}

export interface LoggedAnswer extends Omit<RecentAnswer, 'at' | 'isClaudeCode'> {
  readonly at: number | null
  readonly model: string | null
  readonly used: number
  /** When the provider forgets the cache; null if nothing was cached or that is unknown. */
  readonly hotUntil: number | null
}

export const noFacts: LogFacts = { model: null, answers: [], before: { dollars: 0, unpriced: 0 } }

type PriceOf = (model: string, at: number | null) => Price | null

/** Adds what further lines report. */
export function withLines(facts: LogFacts, lines: readonly string[], priceOf: PriceOf): LogFacts {
  const answers = [...facts.answers]
  const places = new Map(answers.flatMap(({ id }, place) => (id === 0 ? [] : [[id, place] as const])))
  let { model } = facts
  for (const line of lines) {
    // Most lines are long and not about it.
    if (!line.includes('"usage"') && !line.includes('"request"')) continue
    const entry = parseFields(line)
    if (entry['type'] === 'request' && typeof entry['model'] === 'string') model = entry['model']
    const found = claudeResponse(entry) ?? ownResponse(entry, model)
    if (found === null) continue
    const answer = answerOf(found, priceOf)
    const place = answer.id === 0 ? undefined : places.get(answer.id)
    // Lines of an answer that is still being written report less of it.
    if (place !== undefined) {
      if (answer.tokens >= (answers[place]?.tokens ?? 0)) answers[place] = answer
    } else places.set(answer.id, answers.push(answer) - 1)
  }
  return { model, ...folded(answers, facts.before) }
}

/** What the facts come to. Dollars are null if an answer has no price. */
export function currentFacts({ model, answers, before }: LogFacts) {
  const last = answers.at(-1)
  if (last === undefined) return { model, used: null, hotUntil: null, dollars: null }
  const sum = folded(answers, before, 0).before
  return { model: last.model ?? model, used: last.used, hotUntil: last.hotUntil, dollars: sum.unpriced > 0 ? null : sum.dollars }
}

/** More than are written while others are still being written, and than a session has in the minutes between two measurements. */
const maxAnswers = 300

function folded(answers: readonly LoggedAnswer[], before: LogFacts['before'], max = maxAnswers) {
  const old = answers.slice(0, Math.max(0, answers.length - max))
  return {
    answers: answers.slice(old.length),
    before: {
      dollars: old.reduce((sum, { dollars }) => sum + (dollars ?? 0), before.dollars),
      unpriced: before.unpriced + old.filter(({ dollars }) => dollars === null).length,
    },
  }
}

interface Response {
  readonly id: string | null
  readonly model: string | null
  /** The name that its price is under. */
  readonly billed: string | null
  readonly usage: Usage
  /** In dollars, if the log has it. */
  readonly cost?: number
  readonly webSearches?: number
  readonly at: number | null
  /** In seconds, if the log has it. */
  readonly cacheLifetime: number | null
}

function answerOf(response: Response, priceOf: PriceOf): LoggedAnswer {
  const { id, model, billed, usage, cost, webSearches = 0, at } = response
  const price = billed === null ? null : priceOf(billed, at)
  return {
    id: id === null ? 0 : Number.parseInt(handleOf(id), 16),
    at,
    model,
    dollars: cost ?? dollarsOf(usage, webSearches, price),
    tokens: usageTotal(usage),
    used: usage.input + usage.cacheRead + usage.cacheWrite,
    hotUntil: hotUntil(response, price),
  }
}

function dollarsOf(usage: Usage, webSearches: number, price: Price | null): number | null {
  const cost = costOfTurn(usage, price)
  return cost === null ? null : cost.dollars + (webSearches * (price?.webSearch ?? 0)) / 1000
}

export type Fields = Readonly<Record<string, unknown>>

/** Parses a JSON object; returns an empty one for anything else. */
export function parseFields(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

function claudeResponse({ message, timestamp, isSidechain, costUSD }: Fields): Response | null {
  if (!isRecord(message) || isSidechain === true || message['model'] === '<synthetic>') return null
  const raw = message['usage']
  const { usage = null, ...reported } = readUsage(raw, costUSD) ?? {}
  if (usage === null || !isRecord(raw)) return null
  const written = raw['cache_creation']
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  const model = typeof message['model'] === 'string' ? message['model'] : null
  return {
    id: typeof message['id'] === 'string' ? message['id'] : null,
    model,
    billed: model === null ? null : billedModel(model, raw),
    usage,
    ...reported,
    at: Number.isNaN(at) ? null : at,
    cacheLifetime: isRecord(written) && Number(written['ephemeral_1h_input_tokens']) > 0 ? 3600 : 300,
  }
}

function ownResponse(entry: Fields, model: string | null): Response | null {
  const usage = (entry['type'] === 'usage' ? readUsage(entry['usage'])?.usage : null) ?? null
  if (usage === null) return null
  return { id: null, model, billed: model, usage, at: typeof entry['at'] === 'number' ? entry['at'] : null, cacheLifetime: null }
}

/** Claude Code asks for five minutes or an hour, and its log says which; otherwise it is the provider's default. */
function hotUntil({ usage, at, cacheLifetime }: Response, price: Price | null): number | null {
  const seconds = cacheLifetime ?? (price === null ? null : cacheTermsOf(price).lifetimeSeconds)
  // Nothing was cached if the provider neither read nor wrote a cache.
  return at === null || seconds === null || usage.cacheRead + usage.cacheWrite === 0 ? null : at + seconds * 1000
}
