import { estimateTokens } from '@plimsoll/core'
import { normaliseUsage, type Usage } from '@plimsoll/core/bill'
import { type ModelAnswer, ModelCallError } from '../../model/model-client.ts'
import { stableBreakpoints } from '../../model/prompt-cache.ts'
import type { AskContext } from '../ask-context.ts'
import { safeWords } from '../turn/model-error.ts'
import type { BuiltRequest } from './build-request.ts'
import { expectedInput } from './cost-limit.ts'
import { lastView, rememberView } from './last-view.ts'
import { recordRequest, recordUsage } from './record-request.ts'
import { sideUsageEntry } from './session-cost.ts'

/** A complete answer to a request. */
export interface Asked {
  readonly answer: ModelAnswer
  /** The id of the request's entry. */
  readonly request: string
  /** Null where the provider said nothing about it. */
  readonly usage: Usage | null
  /** Milliseconds until the first piece of the answer, and for all of it. */
  readonly firstMs: number | null
  readonly durationMs: number
}

/** What came of sending a request once. */
export type Sent =
  | { readonly kind: 'answered'; readonly asked: Asked }
  | {
      readonly kind: 'failed'
      readonly error: ModelCallError
      readonly request: string
      /** Whether a piece of an answer was shown. */
      readonly hasShown: boolean
    }

/** Writes a request down, sends it once, and writes down what came of it. Pieces of the answer are told as they arrive. */
export async function sendRequest(
  context: AskContext,
  built: BuiltRequest,
  maxOutputTokens: number,
  signal: AbortSignal,
): Promise<Sent> {
  const { session, model, tools, emit, now } = context
  const { messages } = built.request
  const before = lastView(session)
  const request = await recordRequest(session, built.request, {
    model: model.name,
    parameters: { maxOutputTokens, ...(model.reasoning == null ? {} : { reasoning: model.reasoning }) },
    tools: built.toolsHandle,
  })
  signal.throwIfAborted()
  const start = now()
  let first: number | null = null
  let hasShown = false
  let written = ''
  try {
    const waiting = built.request.report.waiting.map(({ message }) => message)
    const breakpoints = stableBreakpoints(messages, before?.model === model.name ? before.messages : null, waiting)
    const answer = await model.call({ messages, tools, maxOutputTokens, breakpoints, signal }, ({ type, text }) => {
      first ??= now()
      written += text
      if (type === 'tool-input' || text === '') return
      hasShown = true
      emit({ type: type === 'text' ? 'text_delta' : 'reasoning_delta', data: { text } })
    })
    const durationMs = now() - start
    written = ''
    await recordUsage(session, request, answer.usage)
    const usage = normaliseUsage(answer.usage)
    rememberView(session, { model: model.name, messages, tools, breakpoints, last: built.request.last, usage, at: now() })
    return { kind: 'answered', asked: { answer, request, usage, firstMs: first === null ? null : first - start, durationMs } }
  } catch (error) {
    if (written !== '') {
      // Nobody counts an answer that breaks off, and somebody pays for it.
      const usage = { ...expectedInput(context, built), output: estimateTokens(written) }
      await session.append([sideUsageEntry({ model: model.name, usage, what: 'broken-off', isEstimated: true })])
    }
    signal.throwIfAborted()
    if (!(error instanceof ModelCallError)) throw error
    const message = safeWords(error.message, context.environment)
    await session.append([{ type: 'failure', kind: error.failure.kind, message, request }])
    return { kind: 'failed', error, request, hasShown }
  }
}
