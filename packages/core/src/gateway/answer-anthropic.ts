import { isRecord } from '../message.ts'
import { type AnswerReader, errorOf, type Fields, word } from './answer-reader.ts'

/** Reads Anthropic's answers: a stream tells of the prompt when it starts, and of everything when it ends. */
export function readAnthropicAnswer(): AnswerReader {
  let usage: Fields | null = null
  let model: string | null = null
  let stop: string | null = null
  let error: string | null = null
  return {
    read(event) {
      const { type, message, delta } = event
      const told = type === 'message_start' && isRecord(message) ? message : event
      if (isRecord(told['usage'])) usage = usage === null ? told['usage'] : updated(usage, told['usage'])
      model ??= word(told['model'])
      stop = word(isRecord(delta) ? delta['stop_reason'] : told['stop_reason']) ?? stop
      error ??= errorOf(event['error'])
    },
    told: () => ({ usage, model, stop, error }),
  }
}

/**
 * Later numbers are sums and take the place of earlier ones; but relays write a nought, or nothing, where they have lost what the
 * stream began with.
 */
function updated(usage: Fields, later: Fields): Fields {
  const kept = Object.entries(later).filter(([name, value]) => isTold(value) || !Object.hasOwn(usage, name))
  return { ...usage, ...Object.fromEntries(kept) }
}

function isTold(value: unknown): boolean {
  return value !== null && value !== undefined && value !== 0
}
