import { placesOf } from '../edit.ts'
import { isRecord, type Message } from '../message.ts'
import type { Codec, Reading } from '../wire/dialect.ts'
import { identifyMessages } from '../wire/identity.ts'
import { textName } from './request-facts.ts'

export interface KnownRequest {
  readonly reading: Reading
  /** Those of the reading, named by their content. */
  readonly messages: readonly Message[]
  /** Undefined if the request does not name it. */
  readonly model: string | undefined
}

/** Throws `ReadError` if the request is in another format. */
export function readRequest(codec: Codec, request: unknown): KnownRequest {
  const reading = codec.read(request)
  const model = isRecord(request) ? request['model'] : undefined
  return {
    reading,
    messages: identifyMessages(reading.messages, textName),
    model: typeof model === 'string' ? model : undefined,
  }
}

/** Maps names by content back to places in the request. */
export function createPlaces(reading: Reading, messages: readonly Message[]) {
  const indexes = placesOf(messages)
  return {
    asRead: (message: Message): Message => {
      const index = indexes.get(message.id)
      if (index === undefined) return message
      const original = reading.messages[index] as Message
      return message === messages[index] ? original : { ...message, id: original.id }
    },
    locate: (message: string, part: number) => {
      const index = indexes.get(message)
      return index === undefined ? { message, part } : reading.locate((reading.messages[index] as Message).id, part)
    },
  }
}
