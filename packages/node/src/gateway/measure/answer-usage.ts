import type { CostOptions } from '@plimsoll/core/bill'
import { normaliseUsage, type Usage } from '@plimsoll/core/bill'
import type { WireDialect } from '../../store/wire-dialect.ts'
import { readAnthropicAnswer } from './answer-anthropic.ts'
import { answerEvents } from './answer-events.ts'
import { readGeminiAnswer } from './answer-gemini.ts'
import { readOpenAiChatAnswer } from './answer-openai-chat.ts'
import { readOpenAiResponsesAnswer } from './answer-openai-responses.ts'
import { type AnswerReader, cacheLifetimeOf, nothingTold } from './answer-reader.ts'

/** An answer, as far as its text was kept. */
export interface AnswerText {
  readonly head: string
  /** The end of it; null where `head` is all. What stood between the two is not known. */
  readonly tail: string | null
}

/** What an answer tells about itself. */
export interface AnswerUsage {
  /** Null where it tells none. */
  readonly usage: Usage | null
  readonly model: string | null
  /** Why it ended, in the provider's word; null where it does not say, as an answer that broke off. */
  readonly stop: string | null
  /** An error it tells of, for `classifyFailure`, whatever the status; null where there is none. */
  readonly error: string | null
  /** For how long the provider was asked to keep what it wrote to its cache. */
  readonly cacheLifetime: NonNullable<CostOptions['cacheLifetime']>
}

/**
 * Reads usage, model, reason to stop and errors out of an answer, whether it is one JSON value, a list of them or a stream of events,
 * and whether all of it is there or only its two ends. Never throws; takes time in proportion to the text.
 */
export function answerUsage(dialect: WireDialect, answer: AnswerText): AnswerUsage {
  const read = readers[dialect]
  let told = nothingTold
  for (const event of answerEvents(answer)) told = read(told, event)
  const { usage, model, stop, error } = told
  return { usage: normaliseUsage(usage), model, stop, error, cacheLifetime: cacheLifetimeOf(usage) }
}

const readers: Readonly<Record<WireDialect, AnswerReader>> = {
  anthropic: readAnthropicAnswer,
  'openai-chat': readOpenAiChatAnswer,
  'openai-responses': readOpenAiResponsesAnswer,
  gemini: readGeminiAnswer,
}
