import { configOf, type Facts, type Usage } from '../facts.ts'
import { isRecord, type Message } from '../message.ts'
import type { Load } from '../report.ts'
import { countMessage, countMessages, estimator } from './count-tokens.ts'
import { maxTokens, normaliseUsage, promptTotal, usageTotal } from './usage.ts'

/**
 * The load of a request: the provider's last count plus an estimate of what changed since, or a full estimate if that is larger or the count is
 * missing or absurd.
 */
export function loadOf(messages: readonly Message[], facts: Facts): Load {
  return createGauge(messages, facts)(countMessages(messages, facts.tokens ?? estimator))
}

/** Returns the load of a request whose messages have this many tokens. */
export type Gauge = (tokens: number) => Load

/** A gauge for one conversation. The caller passes the tokens, which it may know already. */
export function createGauge(messages: readonly Message[], facts: Facts): Gauge {
  const overhead = atLeastZero(facts.overhead)
  const calibration = calibrate(facts)
  const last =
    calibration.last === null ? null : { ...calibration.last, reply: replyTo(calibration.last.message, messages, facts) }
  return (tokens) => {
    const estimate = tokens + overhead
    const alone = estimate * calibration.factor
    const counted = last === null ? null : continued(last, estimate, calibration.factor)
    const usesCount = counted !== null && counted.tokens >= alone && counted.total >= Math.max(minUsage, estimate * minShare)
    const uncertain = usesCount ? counted.uncertain : alone
    const total = usesCount ? counted.tokens : alone
    return {
      tokens: Math.round(total),
      low: Math.max(0, Math.round(total - uncertain * calibration.below)),
      high: Math.round(total + uncertain * calibration.above),
      source: usesCount ? 'usage' : 'estimate',
      estimate,
      factor: calibration.factor,
    }
  }
}

/** A count below this, or below this share of the estimate, does not cover the full request. */
const minUsage = 1000
const minShare = 0.1
/** How many requests to learn from: enough for a median, few enough to follow changes. */
const remembered = 8
/** No tokenizer in use is further from the estimate; anything further is a mistake in the numbers. */
const factorBounds = [0.75, 4] as const
/** Before the first count: other vocabularies need up to about a third more. */
const unknownBand = { below: 0.1, above: 0.35 } as const
/** The estimate of a part is never trusted further than this. */
const minBand = 0.03

interface Counted {
  readonly usage: Usage
  readonly estimate: number
  readonly message: string | null
}

function calibrate(facts: Facts) {
  const counts = plausible(facts.measurements, configOf(facts).context_window)
  const [last = null] = counts
  const ratios = counts.map(({ usage, estimate }) => promptTotal(usage) / estimate).sort((a, b) => a - b)
  const middle = median(ratios)
  if (middle === null) return { factor: 1, ...unknownBand, last }
  const factor = Math.min(factorBounds[1], Math.max(factorBounds[0], middle))
  const spread = median(ratios.map((ratio) => Math.abs(ratio - middle)).sort((a, b) => a - b)) ?? 0
  // One request says little about the next.
  const band = Math.min(1, Math.max(minBand, (3 * spread) / middle, 0.1 / ratios.length))
  return { factor, below: band, above: band, last }
}

function plausible(measurements: unknown, window: number): readonly Counted[] {
  const list: readonly unknown[] = Array.isArray(measurements) ? measurements : []
  const found: Counted[] = []
  let model: unknown
  for (let index = list.length - 1; index >= 0 && found.length < remembered; index -= 1) {
    const measurement = list[index]
    if (!isRecord(measurement)) continue
    model ??= measurement['model']
    if (measurement['model'] !== model) continue
    const { estimate, last } = measurement
    const usage = normaliseUsage(measurement['usage'])
    if (usage === null || typeof estimate !== 'number' || !(estimate >= 1 && estimate <= maxTokens)) continue
    const prompt = promptTotal(usage)
    // Unreported tools may add up to a window; a relay that sums all it ever sent reports far more.
    if (prompt > estimate * factorBounds[1] + window || usage.output > window) continue
    if (prompt < Math.max(minUsage, estimate * minShare)) continue
    found.push({ usage, estimate, message: typeof last === 'string' ? last : null })
  }
  return found
}

/** The provider's answer to the counted request, which its usage counts as output; 0 if it is gone. */
function replyTo(last: string | null, messages: readonly Message[], facts: Facts): number {
  const index = last === null ? -1 : messages.findLastIndex(({ id }) => id === last)
  const reply = index < 0 ? undefined : messages[index + 1]
  return reply?.role === 'assistant' ? countMessage(reply, facts.tokens ?? estimator) : 0
}

/** Continues the last count: changes since are estimated, so that trimming shows at once. */
function continued({ usage, estimate: then, reply }: Counted & { readonly reply: number }, estimate: number, factor: number) {
  const prompt = promptTotal(usage)
  const counted = prompt + (reply === 0 ? 0 : usage.output)
  const changed = (estimate - then - reply) * factor
  return { tokens: Math.max(0, counted + changed), total: usageTotal(usage), uncertain: Math.abs(changed) }
}

function median(ascending: readonly number[]): number | null {
  const upper = ascending[ascending.length >> 1]
  const lower = ascending[(ascending.length - 1) >> 1]
  return upper === undefined || lower === undefined ? null : (upper + lower) / 2
}

function atLeastZero(value: unknown): number {
  return typeof value === 'number' && value > 0 && value <= maxTokens ? Math.round(value) : 0
}
