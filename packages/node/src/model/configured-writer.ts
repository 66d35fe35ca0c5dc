import { type Config, outputReserve, type SummaryWriter, type Tokenizer } from '@plimsoll/core'
import { chooseModel, keysIn } from './choose-model.ts'
import type { Environment } from './key.ts'
import { createModelWriter, type LiveRequest } from './summary-writer.ts'

/** What decides which model writes the summaries. */
export interface ConfiguredWriterOptions {
  readonly config: Config
  /** The model of the conversation, which writes its summaries unless the configuration names another. Null where there is none. */
  readonly current: string | null
  /** The last request of the conversation as it was sent to that model. Default: none. */
  readonly live?: LiveRequest | null
  /** The address of a server that knows the model by its whole name. Default: by the name. */
  readonly url?: string | undefined
  /** Where keys and addresses are looked up. Default: the process's environment. */
  readonly environment?: Environment
  /** Default: the built-in estimator. */
  readonly tokens?: Tokenizer | undefined
}

/**
 * The writer that configuration and environment ask for; null where no model is named, and code alone writes. Throws
 * `ModelChoiceError` when the model that is named cannot be called.
 */
export function configuredWriter(options: ConfiguredWriterOptions): SummaryWriter | null {
  const { config, current, live = null, url, environment = process.env, tokens } = options
  const name = config.compaction.model ?? current
  if (name === null || name === '') return null
  const reserve = outputReserve(config)
  return createModelWriter({
    model: chooseModel(name, { url, environment }),
    // Another model has cached nothing of it.
    live: name === current ? live : null,
    maxInputTokens: config.context_window - reserve,
    // Always said: a provider that does not know a model allows it very little.
    maxOutputTokens: reserve,
    secrets: keysIn(environment),
    ...(tokens === undefined ? {} : { tokens }),
  })
}
