import { isRecord } from '../message.ts'
import { type AnswerReader, errorOf, type Fields, word } from './answer-reader.ts'

/** Reads OpenAI's chat completions and those of who speaks as it does: a stream tells its usage last, where it was asked to. */
export function readOpenAiChatAnswer(): AnswerReader {
  let usage: Fields | null = null
  let model: string | null = null
  let stop: string | null = null
  let error: string | null = null
  return {
    read(event) {
      if (isRecord(event['usage'])) usage = event['usage']
      model ??= word(event['model'])
      const [choice] = Array.isArray(event['choices']) ? (event['choices'] as readonly unknown[]) : []
      if (isRecord(choice)) stop = word(choice['finish_reason']) ?? stop
      error ??= errorOf(event['error'])
    },
    told: () => ({ usage, model, stop, error }),
  }
}
