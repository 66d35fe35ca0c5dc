import { estimateTokens, type Tokenizer } from '@plimsoll/core'
import { normaliseUsage, type Usage } from '@plimsoll/core/bill'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import { type Config, outputReserve, type ReasoningLevel } from '@plimsoll/core/policies'
import { chooseModel, keysIn } from './choose-model.ts'
import { describeFailure } from './model-client.ts'
import { overrideOf } from './model-knowledge.ts'
import { withoutThoughts } from './model-prompt.ts'
import type { CallableModel, ChooseModelOptions } from './providers.ts'
import { createModelWriter, type LiveRequest } from './summary-writer.ts'

export interface UsedTokens {
  readonly usage: Usage
  /** Whether the provider reported none, because the answer was cut off. */
  readonly isEstimated: boolean
  readonly durationMs: number
}

export interface Payment {
  /** Called with the usage of each call, also of one that failed after it had started. The call waits for it. */
  readonly onUsage?: (used: UsedTokens) => Promise<void>
  /** Whether a call may take this many tokens. Default: always. */
  readonly mayAsk?: (max: Pick<Usage, 'input' | 'output'>) => boolean
}

/** Asks a model one question. Rejects with an error for the user, or with the signal’s reason. */
export type Ask = (prompt: string, signal: AbortSignal) => Promise<string>

interface AskOptions extends Payment, Pick<ChooseModelOptions, 'url' | 'environment'> {
  readonly model: string | CallableModel
  readonly maxOutputTokens?: number
}

/** Asks a model short questions outside any conversation. Looks nothing up before the first one. */
export function createAsk(options: AskOptions): Ask {
  const { model, url, environment = process.env, maxOutputTokens = 4096, onUsage, mayAsk } = options
  return async (prompt, signal) => {
    signal.throwIfAborted()
    const { APICallError, generateText } = await import('ai')
    const callable = typeof model === 'string' ? chooseModel(model, { url, environment, maxBytes: 4 * 2 ** 20 }) : model
    const input = estimateTokens(prompt)
    if (mayAsk?.({ input, output: maxOutputTokens }) === false)
      throw new Error('asking the model could cost more than the session allows')
    const estimated = { input, cacheRead: 0, cacheWrite: 0, output: 0 }
    const start = performance.now()
    const report = (reported: unknown) => {
      const usage = normaliseUsage(reported)
      const durationMs = Math.round(performance.now() - start)
      return onUsage?.({ usage: usage ?? estimated, isEstimated: usage === null, durationMs })
    }
    try {
      const limits = { maxOutputTokens, maxRetries: 1, abortSignal: signal }
      const { text, usage } = await generateText({ model: callable, prompt, ...limits })
      await report(usage)
      return withoutThoughts(text)
    } catch (error) {
      // The input of an aborted request is billed; rejected requests and those that reach no server are not.
      if (signal.aborted || (APICallError.isInstance(error) && error.statusCode === 200)) await report(null)
      signal.throwIfAborted()
      throw new Error(describeFailure(error, keysIn(environment)), { cause: error })
    }
  }
}

interface ConfiguredWriterOptions extends Pick<Payment, 'onUsage'>, Pick<ChooseModelOptions, 'url' | 'environment'> {
  readonly config: Config
  /** The model of the conversation, which writes its summaries unless another is configured; null if there is none. */
  readonly current: string | null
  readonly live?: LiveRequest | null
  readonly reasoning?: ReasoningLevel | null | undefined
  readonly tokens?: Tokenizer | undefined
  /** The prompt for summaries. Default: the built-in one. */
  readonly prompt?: string | null | undefined
}

/** Returns null if no model is named, and code alone writes. Throws `ModelChoiceError` if it cannot be called. */
export function configuredWriter(options: ConfiguredWriterOptions): SummaryWriter | null {
  const { config, current, live = null, url, environment = process.env, tokens, prompt, onUsage } = options
  const name = config.compaction.model ?? current
  if (name === null || name === '') return null
  const reserve = outputReserve(config)
  const own = overrideOf(name, config)?.reasoning ?? null
  return createModelWriter({
    model: chooseModel(name, { url, environment }),
    // Another model has nothing cached.
    live: name === current ? live : null,
    maxInputTokens: config.context_window - reserve,
    // Always set: a provider allows an unknown model very little.
    maxOutputTokens: reserve,
    // Another reasoning level would invalidate the cache.
    reasoning: name === current ? (options.reasoning ?? own) : own,
    secrets: keysIn(environment),
    ...(onUsage === undefined ? {} : { onUsage }),
    ...(tokens === undefined ? {} : { tokens }),
    prompt: prompt ?? undefined,
  })
}
