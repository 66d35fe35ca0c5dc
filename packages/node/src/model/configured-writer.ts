import { type Config, outputReserve, type SummaryWriter, type Tokenizer } from '@plimsoll/core'
import { createLocalModel } from './local-model.ts'
import { createModelWriter, type LiveRequest } from './summary-writer.ts'

/** What decides which model writes the summaries. */
export interface ConfiguredWriterOptions {
  readonly config: Config
  /** The model of the conversation, which writes its summaries unless the configuration names another. Null where there is none. */
  readonly current: string | null
  /** The last request of the conversation as it was sent to that model. Default: none. */
  readonly live?: LiveRequest | null
  /** The server's address. Default: OPENAI_BASE_URL. */
  readonly url?: string | undefined
  /** Default: the process's environment. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Default: the built-in estimator. */
  readonly tokens?: Tokenizer | undefined
}

/** The writer that configuration and environment ask for; null where there is no model or no server, and code alone writes. */
export function configuredWriter(options: ConfiguredWriterOptions): SummaryWriter | null {
  const { config, current, live = null, environment = process.env, tokens } = options
  const model = config.compaction.model ?? current
  const url = options.url ?? environment['OPENAI_BASE_URL']
  if (model === null || model === '' || url === undefined || url === '') return null
  const reserve = outputReserve(config)
  return createModelWriter({
    model: createLocalModel({ model, url: options.url, environment }),
    // Another model has cached nothing of it.
    live: model === current ? live : null,
    maxInputTokens: config.context_window - reserve,
    maxOutputTokens: reserve,
    secrets: [environment['OPENAI_API_KEY'] ?? ''],
    ...(tokens === undefined ? {} : { tokens }),
  })
}
