import type { Message, Tokenizer } from '@plimsoll/core'
import { normaliseUsage } from '@plimsoll/core/bill'
import { type Segment, type SummaryOptions, type SummaryWriter, summaryRequest } from '@plimsoll/core/compaction'
import type { ReasoningLevel } from '@plimsoll/core/policies'
import { transcriptOf } from '@plimsoll/core/session'
import { countMessages, estimator } from '@plimsoll/core/text'
import type { ToolSet } from 'ai'
import type { NoticeCode } from '../shared/event.ts'
import { describeFailure, isContextOverflow } from './model-failure.ts'
import { modelMessages, thinking, withoutThoughts } from './model-prompt.ts'
import type { CallableModel } from './providers.ts'
import type { Payment } from './side-calls.ts'

/** Which model writes summaries, and within which bounds. */
export interface ModelWriterOptions extends Pick<Payment, 'onUsage'> {
  readonly model: CallableModel
  /**
   * The conversation's last request as it was sent to this same model. The summary is then asked for at its end, so that the
   * provider serves the input from its cache. Default: none; the rounds are sent as a record.
   */
  readonly live?: LiveRequest | null
  readonly maxInputTokens: number
  /** Default: 8,192. */
  readonly maxOutputTokens?: number
  readonly tokens?: Tokenizer
  /** How much the model thinks before it writes. Default: what its provider does by itself. */
  readonly reasoning?: ReasoningLevel | null
  /** What must not appear in an error, such as the key. Default: nothing. */
  readonly secrets?: readonly string[]
}

export interface LiveRequest {
  readonly messages: readonly Message[]
  /** The tools that were offered with it. None is ever run. */
  readonly tools?: ToolSet
}

/**
 * Writes summaries by a model, each in a call of its own that leaves no trace in the conversation. At most two requests are made: a
 * second one, shorter, when the first was over the model's window, or without tools when the model called one in place of writing.
 * Fails with a `SummaryError`, or with the signal's reason when it was stopped.
 */
export function createModelWriter(options: ModelWriterOptions): SummaryWriter {
  const { live = null, maxInputTokens, tokens = estimator } = options
  return async (segment, summaryOptions) => {
    const common = { segment, tokens, ...(summaryOptions.focus === undefined ? {} : { focus: summaryOptions.focus }) }
    const first = summaryRequest({ ...common, live: live?.messages ?? null, maxTokens: maxInputTokens })
    const tools = first.kind === 'live' ? live?.tools : undefined
    try {
      return await ask(first.messages, tools, segment, options, summaryOptions)
    } catch (error) {
      const again =
        error instanceof SummaryError &&
        (error.code === 'summary_overflow' || (first.kind === 'live' && error.code === 'summary_empty'))
      if (!again) throw error
      // The estimate may be off by as much as it takes to be refused, so half of what was sent is tried.
      const maxTokens = error.code === 'summary_overflow' ? Math.floor(first.tokens / 2) : maxInputTokens
      return await ask(summaryRequest({ ...common, maxTokens }).messages, undefined, segment, options, summaryOptions)
    }
  }
}

async function ask(
  request: readonly Message[],
  tools: ToolSet | undefined,
  segment: Segment,
  { model, maxOutputTokens = 8192, secrets = [], reasoning = null, tokens = estimator, onUsage }: ModelWriterOptions,
  { progress, signal }: SummaryOptions,
): Promise<string> {
  const { streamText } = await import('ai')
  const enough = new AbortController()
  const cancel = signal instanceof AbortSignal ? signal : null
  cancel?.throwIfAborted()
  const { stream } = streamText({
    model,
    ...modelMessages(request),
    ...(tools === undefined ? {} : { tools: withoutExecution(tools) }),
    ...thinking(reasoning, model, maxOutputTokens),
    maxRetries: 1,
    abortSignal: cancel === null ? enough.signal : AbortSignal.any([cancel, enough.signal]),
    // The default prints to the console; here the error is a part of the stream.
    onError: () => undefined,
  })
  const most = transcriptOf(segment.messages).length
  const start = performance.now()
  let text = ''
  let hasBegun = false
  let reported: unknown = null
  try {
    for await (const part of stream) {
      if (isOutput.test(part.type)) hasBegun = true
      if (part.type === 'finish-step') reported = part.usage
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') cancel?.throwIfAborted()
      if (part.type === 'finish') checkFinish(part.finishReason)
      if (part.type !== 'text-delta') continue
      text += part.text
      if (text.length > most) throw new SummaryError('summary_longer', `more than the ${most} characters it stands for`)
      progress?.(text.length)
    }
  } catch (error) {
    cancel?.throwIfAborted()
    if (error instanceof SummaryError) throw error
    throw new SummaryError(isContextOverflow(error) ? 'summary_overflow' : 'summary_failed', describeFailure(error, secrets))
  } finally {
    // Ends the connection where reading stopped early, so that nothing more is generated and paid for.
    enough.abort()
    const usage = normaliseUsage(reported)
    if (usage !== null || hasBegun) {
      const input = countMessages(request, tokens) + (tools === undefined ? 0 : tokens.count(JSON.stringify(tools)))
      const estimated = { input, cacheRead: 0, cacheWrite: 0, output: tokens.count(text) }
      const durationMs = Math.round(performance.now() - start)
      await onUsage?.({ usage: usage ?? estimated, isEstimated: usage === null, durationMs })
    }
  }
  const summary = withoutThoughts(text)
  if (summary.trim() === '') throw new SummaryError('summary_empty', 'the model wrote nothing')
  return summary
}

/** Pieces of an answer, for which somebody has to pay. */
const isOutput = /^(?:text|reasoning|tool-input)-delta$/

/** A text that was cut at its limit is still of use: what is missing is added by the check that follows. */
function checkFinish(reason: string): void {
  if (reason === 'content-filter') throw new SummaryError('summary_failed', 'the provider’s filter stopped the text')
  if (reason === 'error') throw new SummaryError('summary_failed', 'the provider broke off')
}

/** The definitions stay as they were sent, because they stand at the very beginning of what the provider has cached. */
function withoutExecution(tools: ToolSet): ToolSet {
  const kept = Object.entries(tools).map(([name, { execute: _execute, ...rest }]) => [name, rest as ToolSet[string]])
  return Object.fromEntries(kept) as ToolSet
}

/** Why a model's summary cannot be used, with the code of the sentence that tells the user. */
export class SummaryError extends Error {
  override readonly name = 'SummaryError'
  readonly code: NoticeCode

  constructor(code: NoticeCode, message: string) {
    super(message)
    this.code = code
  }
}
