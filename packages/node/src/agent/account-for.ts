import { costOfTurn, type Usage } from '@plimsoll/core'
import type { AskContext } from './ask-context.ts'
import type { BuiltRequest } from './build-request.ts'
import type { Asked } from './send-request.ts'

/** Tells what an answered request took, and notices where the model did not read all of it. */
export async function accountFor(context: AskContext, _built: BuiltRequest, asked: Asked): Promise<void> {
  const { emit, model } = context
  const { usage, firstMs, durationMs } = asked
  const cost = usage === null ? null : costOfTurn(usage, model.price)
  const total = { dollars: cost?.dollars ?? 0, unpriced: cost === null ? 1 : 0 }
  emit({ type: 'usage', data: { usage: usage ?? nothing, cost, total, firstMs, durationMs } })
}

const nothing: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
