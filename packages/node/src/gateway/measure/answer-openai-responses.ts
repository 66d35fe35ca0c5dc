import { isRecord } from '@plimsoll/core/text'
import { type AnswerReader, errorOf, type Fields, word } from './answer-reader.ts'

/** Reads OpenAI's responses: events carry the response as it is then, and the last one all of it. */
export const readOpenAiResponsesAnswer: AnswerReader = ({ usage, model, stop, error }, event) => {
  const response = isRecord(event['response']) ? event['response'] : event
  return {
    usage: isRecord(response['usage']) ? response['usage'] : usage,
    model: word(response['model']) ?? model,
    stop: stopOf(response) ?? stop,
    // An event that is an error has no field for it.
    error: error ?? errorOf(response['error'] ?? (event['type'] === 'error' ? event : null)),
  }
}

/** A response that is not over says so as well, which is no reason to stop. */
function stopOf({ status, incomplete_details: details }: Fields): string | null {
  if (status === 'incomplete' && isRecord(details)) return word(details['reason']) ?? status
  return status === 'completed' || status === 'incomplete' || status === 'failed' || status === 'cancelled' ? status : null
}
