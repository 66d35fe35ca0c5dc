import { isRecord } from '@plimsoll/core/text'
import { type AnswerReader, errorOf, type Fields, word } from './answer-reader.ts'

/** Reads Anthropic's answers: a stream tells of the prompt when it starts, and of everything when it ends. */
export const readAnthropicAnswer: AnswerReader = ({ usage, model, stop, error }, event) => {
  const { type, message, delta } = event
  const said = type === 'message_start' && isRecord(message) ? message : event
  return {
    usage: isRecord(said['usage']) ? updated(usage, said['usage']) : usage,
    model: model ?? word(said['model']),
    stop: word(isRecord(delta) ? delta['stop_reason'] : said['stop_reason']) ?? stop,
    error: error ?? errorOf(event['error']),
  }
}

/**
 * Later numbers are sums and take the place of earlier ones; but relays write a nought, or nothing, where they have lost what the
 * stream began with.
 */
function updated(usage: Fields | null, later: Fields): Fields {
  if (usage === null) return later
  const kept = Object.entries(later).filter(([name, value]) => isTold(value) || !Object.hasOwn(usage, name))
  return { ...usage, ...Object.fromEntries(kept) }
}

function isTold(value: unknown): boolean {
  return value !== null && value !== undefined && value !== 0
}
