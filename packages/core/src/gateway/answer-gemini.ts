import { isRecord } from '../message.ts'
import { type AnswerReader, errorOf, type Fields, word } from './answer-reader.ts'

/** Reads Gemini's answers: every piece of a stream tells the usage up to there. */
export function readGeminiAnswer(): AnswerReader {
  let usage: Fields | null = null
  let model: string | null = null
  let stop: string | null = null
  let error: string | null = null
  return {
    read(event) {
      // Who serves it to signed-in users puts each piece into an envelope.
      const piece = isRecord(event['response']) ? event['response'] : event
      if (isRecord(piece['usageMetadata'])) usage = piece['usageMetadata']
      model = word(piece['modelVersion']) ?? model
      const [candidate] = Array.isArray(piece['candidates']) ? (piece['candidates'] as readonly unknown[]) : []
      const { promptFeedback } = piece
      if (isRecord(candidate)) stop = word(candidate['finishReason']) ?? stop
      else if (isRecord(promptFeedback)) stop = word(promptFeedback['blockReason']) ?? stop
      error ??= errorOf(event['error'])
    },
    told: () => ({ usage, model, stop, error }),
  }
}
