import { isRecord } from '@plimsoll/core/text'
import { type AnswerReader, errorOf, type Fields, word } from './answer-reader.ts'

/** Reads Gemini's answers: every piece of a stream tells the usage up to there. */
export const readGeminiAnswer: AnswerReader = ({ usage, model, stop, error }, event) => {
  // Who serves it to signed-in users puts each piece into an envelope.
  const piece = isRecord(event['response']) ? event['response'] : event
  return {
    usage: isRecord(piece['usageMetadata']) ? piece['usageMetadata'] : usage,
    model: word(piece['modelVersion']) ?? model,
    stop: stopOf(piece) ?? stop,
    error: error ?? errorOf(event['error']),
  }
}

function stopOf({ candidates, promptFeedback }: Fields): string | null {
  const [candidate] = Array.isArray(candidates) ? (candidates as readonly unknown[]) : []
  if (isRecord(candidate)) return word(candidate['finishReason'])
  return isRecord(promptFeedback) ? word(promptFeedback['blockReason']) : null
}
