import type { Message } from '@plimsoll/core'
import { costOfTurn, promptTotal, type Usage } from '@plimsoll/core/bill'
import { countPart, estimator } from '@plimsoll/core/text'
import { silentOverflow } from '@plimsoll/core/wire'
import type { AskContext } from './ask-context.ts'
import type { BuiltRequest } from './build-request.ts'
import { learnLimits } from './learned-limits.ts'
import { notify } from './notify.ts'
import type { Asked } from './send-request.ts'
import { costOfSession, pricesOf } from './session-cost.ts'

/** Tells what an answered request took, and notices where the model did not read all of it though nobody said so. */
export async function accountFor(context: AskContext, built: BuiltRequest, asked: Asked, maxOutputTokens: number): Promise<void> {
  const { emit, model, session } = context
  const { usage, firstMs, durationMs } = asked
  const cost = usage === null ? null : costOfTurn(usage, model.price)
  const { dollars, unpriced } = costOfSession(session, pricesOf(context))
  const total = { dollars, unpriced }
  emit({ type: 'usage', data: { what: 'answer', usage: usage ?? nothing, cost, total, firstMs, durationMs } })
  if (usage !== null) await noticeOverflow(context, built, { ...asked, usage }, maxOutputTokens)
}

const nothing: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }

async function noticeOverflow(
  { emit, model, session, config, isWindowSet = false }: AskContext,
  { request, limits, window }: BuiltRequest,
  { usage, answer }: Asked & { readonly usage: Usage },
  maxOutputTokens: number,
): Promise<void> {
  const { estimate } = request.report.load
  const prompt = promptTotal(usage)
  // The last measurement is this request's own.
  const earlier = session.state().measurements.slice(0, -1)
  const counted = Math.max(0, ...earlier.flatMap((one) => (one.model === model.name ? [promptTotal(one.usage)] : [])))
  const believed = isWindowSet ? config.context_window : model.facts.window
  const found = silentOverflow({
    estimate,
    media: prompt * 2 < estimate ? mediaTokens(request.messages) : 0,
    counted,
    usage,
    finish: answer.finish,
    maxOutputTokens,
    window: limits.isGuessed ? believed : (limits.window ?? believed),
  })
  if (found === null) return
  notify(emit, 'silent_overflow', `${estimate} → ${prompt}`)
  // What is left of a prompt that was cut is known to fit. Otherwise the count itself makes the next request due.
  const fits = Math.max(prompt, counted)
  if (found === 'clipped' && fits < window) await learnLimits(session, model.name, { window: fits, isGuessed: true })
}

function mediaTokens(messages: readonly Message[]): number {
  let tokens = 0
  for (const { parts } of messages)
    for (const part of parts) {
      const items = part.type === 'tool-result' && part.content.type === 'list' ? part.content.items : [part]
      for (const item of items) if (item.type === 'media') tokens += countPart(item, estimator)
    }
  return tokens
}
