import { type Message, resultText } from '../../packages/core/src/message.ts'
import { handleOf } from '../../packages/core/src/text/hash.ts'

/** The handles of all results in a conversation. */
export function findHandles(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-result' ? [handleOf(resultText(part))] : [])),
  )
}
