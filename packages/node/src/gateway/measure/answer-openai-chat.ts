import { isRecord } from '@plimsoll/core/text'
import { type AnswerReader, errorOf, word } from './answer-reader.ts'

/** Reads OpenAI's chat completions and those of who speaks as it does: a stream tells its usage last, where it was asked to. */
export const readOpenAiChatAnswer: AnswerReader = ({ usage, model, stop, error }, event) => {
  const [choice] = Array.isArray(event['choices']) ? (event['choices'] as readonly unknown[]) : []
  return {
    usage: isRecord(event['usage']) ? event['usage'] : usage,
    model: model ?? word(event['model']),
    stop: (isRecord(choice) ? word(choice['finish_reason']) : null) ?? stop,
    error: error ?? errorOf(event['error']),
  }
}
