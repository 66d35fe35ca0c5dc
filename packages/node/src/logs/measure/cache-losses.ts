import { costOfTurn, type Price, type Usage } from '@plimsoll/core/bill'
import type { AnswerUsage } from './measure-session.ts'

/** Input that the previous request had cached, and that was sent as new again. */
export interface CacheLoss {
  readonly at: number | null
  /** Since the previous answer; null if the log has no times. */
  readonly pauseSeconds: number | null
  /** `change`: neither a pause nor another model, so the start of the prompt changed or the provider dropped it. */
  readonly cause: 'pause' | 'model' | 'change'
  readonly tokens: number
  /** What it cost more than reading it from the cache; null without a price. */
  readonly dollars: number | null
}

/** Smaller losses come from the edges of cached blocks. */
const minLost = 2000
const lifetime = 300
const lifetimeHour = 3600

/** Finds where a conversation lost its cache, by the usage of the first `count` answers, which are in order. A shorter prompt was compacted or rewound, and is not counted. */
export function cacheLosses(
  answers: readonly AnswerUsage[],
  count: number,
  priceFor: (answer: AnswerUsage) => Price | null,
): readonly (CacheLoss & { readonly answer: AnswerUsage })[] {
  const losses: (CacheLoss & { readonly answer: AnswerUsage })[] = []
  // A plain loop, since an overview has very many answers.
  for (let index = 1; index < Math.min(count, answers.length); index += 1) {
    const [before, answer] = [answers[index - 1], answers[index]] as [AnswerUsage, AnswerUsage]
    const cached = before[3] + before[4]
    const tokens = cached - answer[3]
    if (tokens < minLost || tokens < cached / 20 || answer[2] + answer[3] + answer[4] < cached) continue
    losses.push({ answer, ...causeOf(before, answer), tokens, dollars: extraCost(answer, tokens, priceFor(answer)) })
  }
  return losses
}

function causeOf(before: AnswerUsage, [at, model]: AnswerUsage): Pick<CacheLoss, 'at' | 'pauseSeconds' | 'cause'> {
  const pauseSeconds = at === null || before[0] === null || at < before[0] ? null : Math.round((at - before[0]) / 1000)
  const lasted = before[6] > 0 ? lifetimeHour : lifetime
  return {
    at,
    pauseSeconds,
    cause: model !== before[1] ? 'model' : pauseSeconds !== null && pauseSeconds >= lasted ? 'pause' : 'change',
  }
}

/** The cost of a request minus its cost if these tokens had been read from the cache. */
function extraCost([, , input, cacheRead, cacheWrite, output, cacheWriteHour]: AnswerUsage, tokens: number, price: Price | null) {
  const written = Math.min(tokens, cacheWrite)
  const share = cacheWrite === 0 ? 0 : 1 - written / cacheWrite
  const usage: Usage = { input, cacheRead, cacheWrite, cacheWriteHour, output }
  const cost = costOfTurn(usage, price)
  const cheaper = costOfTurn(
    {
      ...usage,
      input: Math.max(0, input - (tokens - written)),
      cacheRead: cacheRead + tokens,
      cacheWrite: cacheWrite - written,
      cacheWriteHour: cacheWriteHour * share,
    },
    price,
  )
  return cost === null || cheaper === null ? null : Math.max(0, cost.dollars - cheaper.dollars)
}
