import type { Part } from '@plimsoll/core'
import type { ReadSession } from '../log-reader.ts'
import { timeOf } from './recordings.ts'

/** Each message of a session in a line: id, role, the second of the recording it was written at, and its parts in short. */
export function outlineOf({ messages }: ReadSession): readonly string[] {
  return messages.map(({ id, role, at, summary, parts }) => {
    const second = at === undefined ? '-' : String((at - Date.parse(timeOf(0))) / 1000)
    return [id, summary === true ? 'summary' : role, second, ...parts.map(partOutline)].join(' ')
  })
}

function partOutline(part: Part): string {
  switch (part.type) {
    case 'text':
      return `"${part.text}"`
    case 'reasoning':
      return `(${part.text})`
    case 'media':
      return part.mediaType
    case 'tool-call':
      return `${part.callId}=${part.tool}${typeof part.input === 'string' ? part.input : JSON.stringify(part.input)}`
    case 'tool-result':
      return `${part.callId}→${part.content.type === 'text' ? part.content.text : part.content.type}${part.isError === true ? '!' : ''}`
  }
}
