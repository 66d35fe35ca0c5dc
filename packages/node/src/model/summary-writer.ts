import type { Message, Tokenizer } from '@plimsoll/core'
import { normaliseUsage } from '@plimsoll/core/bill'
import { type Segment, type SummaryOptions, type SummaryWriter, summaryRequest } from '@plimsoll/core/compaction'
import type { ReasoningLevel } from '@plimsoll/core/policies'
import { transcriptOf } from '@plimsoll/core/session'
import { countMessages, estimator } from '@plimsoll/core/text'
import type { ToolSet } from 'ai'
import type { NoticeCode } from '../shared/event.ts'
import { describeFailure, isContextOverflow } from './model-client.ts'
import { modelMessages, thinking, withoutThoughts } from './model-prompt.ts'
import type { CallableModel } from './providers.ts'
import type { Payment } from './side-calls.ts'

export interface ModelWriterOptions extends Pick<Payment, 'onUsage'> {
  readonly model: CallableModel
  /** The last request to this model, which the summary continues, so that it is cached. Default: sends a transcript. */
  readonly live?: LiveRequest | null
  readonly maxInputTokens: number
  readonly maxOutputTokens?: number
  readonly tokens?: Tokenizer
  readonly reasoning?: ReasoningLevel | null
  /** Blanked in errors, such as the key. Default: none. */
  readonly secrets?: readonly string[]
  /** Default: the built-in prompt. */
  readonly prompt?: string | undefined
}

export interface LiveRequest {
  readonly messages: readonly Message[]
  /** The tools of that request. They are never run. */
  readonly tools?: ToolSet
}

/**
 * Writes summaries with a model, outside the conversation, in at most two requests: the second is shorter if the first exceeded
 * the window, or without tools if the model called one instead of writing. Fails with a `SummaryError`, or with the signal's
 * reason.
 */
export function createModelWriter(options: ModelWriterOptions): SummaryWriter {
  const { live = null, maxInputTokens, tokens = estimator, prompt } = options
  return async (segment, summaryOptions) => {
    const common = { segment, tokens, prompt, ...(summaryOptions.focus === undefined ? {} : { focus: summaryOptions.focus }) }
    const first = summaryRequest({ ...common, live: live?.messages ?? null, maxTokens: maxInputTokens })
    const tools = first.kind === 'live' ? live?.tools : undefined
    try {
      return await ask(first.messages, tools, segment, options, summaryOptions)
    } catch (error) {
      const code = error instanceof SummaryError ? error.code : null
      if (code !== 'summary_overflow' && !(first.kind === 'live' && code === 'summary_empty')) throw error
      // The estimate may be far off, so it tries half.
      const maxTokens = code === 'summary_overflow' ? Math.floor(first.tokens / 2) : maxInputTokens
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
  // The definitions stay unchanged, because they are at the start of the cached prompt.
  const offered = Object.fromEntries(Object.entries(tools ?? {}).map(([name, { execute: _execute, ...rest }]) => [name, rest]))
  const { stream } = streamText({
    model,
    ...modelMessages(request),
    ...(tools === undefined ? {} : { tools: offered }),
    ...thinking(reasoning, model, maxOutputTokens),
    maxRetries: 1,
    abortSignal: cancel === null ? enough.signal : AbortSignal.any([cancel, enough.signal]),
    // The default prints to the console; here the error is part of the stream.
    onError: () => undefined,
  })
  const maxLength = transcriptOf(segment.messages).length
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
      const end = part.type === 'finish' ? part.finishReason : null
      // A truncated text is still useful: a later check adds what is missing.
      if (end === 'content-filter') throw new SummaryError('summary_failed', 'the provider’s content filter stopped the text')
      if (end === 'error') throw new SummaryError('summary_failed', 'the provider cut the answer off')
      if (part.type !== 'text-delta') continue
      text += part.text
      if (text.length > maxLength)
        throw new SummaryError('summary_longer', `more than the ${maxLength} characters of the original`)
      progress?.(text.length)
    }
  } catch (error) {
    cancel?.throwIfAborted()
    if (error instanceof SummaryError) throw error
    throw new SummaryError(isContextOverflow(error) ? 'summary_overflow' : 'summary_failed', describeFailure(error, secrets))
  } finally {
    // Ends the connection if reading stopped early, so that nothing more is generated and billed.
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
  if (summary.trim() === '') throw new SummaryError('summary_empty', 'the model returned an empty text')
  return summary
}

/** Output that is billed. */
const isOutput = /^(?:text|reasoning|tool-input)-delta$/

/** The code selects the notice for the user. */
export class SummaryError extends Error {
  override readonly name = 'SummaryError'
  readonly code: NoticeCode

  constructor(code: NoticeCode, message: string) {
    super(message)
    this.code = code
  }
}
