import { estimateTokens, type Tokenizer } from '@plimsoll/core'
import { normaliseUsage, type Usage } from '@plimsoll/core/bill'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import { type Config, outputReserve, type ReasoningLevel } from '@plimsoll/core/policies'
import { chooseModel, keysIn } from './choose-model.ts'
import { describeFailure } from './model-failure.ts'
import { overrideOf } from './model-knowledge.ts'
import { withoutThoughts } from './model-prompt.ts'
import type { CallableModel, ChooseModelOptions } from './providers.ts'
import { createModelWriter, type LiveRequest } from './summary-writer.ts'

export interface UsedTokens {
  readonly usage: Usage
  /** Whether it was worked out here, because the answer broke off before anybody said it. */
  readonly isEstimated: boolean
  readonly durationMs: number
}

/** How calls beside the conversation are paid for. */
export interface Payment {
  /** Told what a call took, also one that failed after it had begun. The call ends when that is written down. */
  readonly onUsage?: (used: UsedTokens) => Promise<void>
  /** Whether a call may be made that takes no more tokens than these. Default: any may. */
  readonly mayAsk?: (most: Pick<Usage, 'input' | 'output'>) => boolean
}

/** Puts one question to a model and gives its answer. Rejects with what went wrong in words, or with the signal's reason. */
export type Ask = (prompt: string, signal: AbortSignal) => Promise<string>

interface AskOptions extends Payment, Pick<ChooseModelOptions, 'url' | 'environment'> {
  /** Such as `deepseek/deepseek-chat`, or a model that is there already. */
  readonly model: string | CallableModel
  readonly maxOutputTokens?: number
}

/** A way to ask a model short questions, each apart from any conversation. Nothing is looked up before the first one. */
export function createAsk(options: AskOptions): Ask {
  const { model, url, environment = process.env, maxOutputTokens = 4096, onUsage, mayAsk } = options
  return async (prompt, signal) => {
    signal.throwIfAborted()
    const { APICallError, generateText } = await import('ai')
    const callable = typeof model === 'string' ? chooseModel(model, { url, environment, mostBytes }) : model
    const input = estimateTokens(prompt)
    if (mayAsk?.({ input, output: maxOutputTokens }) === false)
      throw new Error('asking the model could cost more than the session may')
    const estimated = { input, cacheRead: 0, cacheWrite: 0, output: 0 }
    const start = performance.now()
    const tell = (reported: unknown) => {
      const usage = normaliseUsage(reported)
      const durationMs = Math.round(performance.now() - start)
      return onUsage?.({ usage: usage ?? estimated, isEstimated: usage === null, durationMs })
    }
    try {
      const { text, usage } = await generateText({
        model: callable,
        prompt,
        maxOutputTokens,
        maxRetries: 1,
        abortSignal: signal,
      })
      await tell(usage)
      return withoutThoughts(text)
    } catch (error) {
      // Whoever hangs up on a model pays for what it has read; whoever is refused, or reaches nobody, does not.
      if (signal.aborted || (APICallError.isInstance(error) && error.statusCode === 200)) await tell(null)
      signal.throwIfAborted()
      throw new Error(describeFailure(error, keysIn(environment)), { cause: error })
    }
  }
}

/** An answer to a short question is never longer, whatever a server sends. */
const mostBytes = 4 * 2 ** 20

interface ConfiguredWriterOptions extends Pick<Payment, 'onUsage'>, Pick<ChooseModelOptions, 'url' | 'environment'> {
  readonly config: Config
  /** The model of the conversation, which writes its summaries unless the configuration names another. Null where there is none. */
  readonly current: string | null
  /** The last request of the conversation as it was sent to that model. Default: none. */
  readonly live?: LiveRequest | null
  /** How much the model of the conversation thinks before it answers. Default: as the configuration says. */
  readonly reasoning?: ReasoningLevel | null | undefined
  readonly tokens?: Tokenizer | undefined
}

/**
 * The writer that configuration and environment ask for; null where no model is named, and code alone writes. Throws
 * `ModelChoiceError` when the model that is named cannot be called.
 */
export function configuredWriter(options: ConfiguredWriterOptions): SummaryWriter | null {
  const { config, current, live = null, url, environment = process.env, tokens, onUsage } = options
  const name = config.compaction.model ?? current
  if (name === null || name === '') return null
  const reserve = outputReserve(config)
  const own = overrideOf(name, config)?.reasoning ?? null
  return createModelWriter({
    model: chooseModel(name, { url, environment }),
    // Another model has cached nothing of it.
    live: name === current ? live : null,
    maxInputTokens: config.context_window - reserve,
    // Always said: a provider that does not know a model allows it very little.
    maxOutputTokens: reserve,
    // A provider forgets what it has cached for a model that is to think more or less than before.
    reasoning: name === current ? (options.reasoning ?? own) : own,
    secrets: keysIn(environment),
    ...(onUsage === undefined ? {} : { onUsage }),
    ...(tokens === undefined ? {} : { tokens }),
  })
}
