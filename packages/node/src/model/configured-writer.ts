import { type Config, outputReserve, type ReasoningLevel, type SummaryWriter, type Tokenizer } from '@plimsoll/core'
import { chooseModel, keysIn } from './choose-model.ts'
import type { Environment } from './key.ts'
import { overrideOf } from './model-knowledge.ts'
import { createModelWriter, type LiveRequest } from './summary-writer.ts'
import type { Payment } from './used-tokens.ts'

/** What decides which model writes the summaries. */
export interface ConfiguredWriterOptions extends Pick<Payment, 'onUsage'> {
  readonly config: Config
  /** The model of the conversation, which writes its summaries unless the configuration names another. Null where there is none. */
  readonly current: string | null
  /** The last request of the conversation as it was sent to that model. Default: none. */
  readonly live?: LiveRequest | null
  /** The address of a server that knows the model by its whole name. Default: by the name. */
  readonly url?: string | undefined
  /** Where keys and addresses are looked up. Default: the process's environment. */
  readonly environment?: Environment
  /** How much the model of the conversation thinks before it answers. Default: as the configuration says. */
  readonly reasoning?: ReasoningLevel | null | undefined
  /** Default: the built-in estimator. */
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
