import { codecs, type ExportFormat, type Message, reactText, writeRequest } from '@plimsoll/core'
import { markdownText } from './markdown-text.ts'

/** What is known of a session besides its messages. */
export interface ExportHead {
  readonly title: string | null
  readonly model: string
}

/** What a format has no place for, by kind. */
export interface LeftOut {
  readonly thoughts: number
  readonly media: number
}

/** A conversation in a format, and what that format cannot hold. */
export interface ExportedText {
  readonly text: string
  /** Whether the text is JSON, in which control characters may be escaped. */
  readonly isJson: boolean
  readonly leftOut: LeftOut
}

/** Writes messages in a format. Throws `RangeError` when the text would be longer than one can be. */
export function exportText(messages: readonly Message[], format: Exclude<ExportFormat, 'log'>, head: ExportHead): ExportedText {
  const all = countParts(messages)
  if (format === 'markdown')
    return { text: markdownText(messages, head.title), isJson: false, leftOut: { thoughts: 0, media: all.media } }
  if (format === 'react') return { text: `${reactText(messages)}\n`, isJson: false, leftOut: { thoughts: 0, media: all.media } }
  const request = writeRequest(format, messages, { model: head.model })
  const held = countParts(codecs[format].read(request).messages)
  return {
    text: `${JSON.stringify(request)}\n`,
    isJson: true,
    leftOut: { thoughts: Math.max(0, all.thoughts - held.thoughts), media: Math.max(0, all.media - held.media) },
  }
}

function countParts(messages: readonly Message[]): LeftOut {
  let thoughts = 0
  let media = 0
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'reasoning') thoughts += 1
      if (part.type === 'media') media += 1
      if (part.type === 'tool-result' && part.content.type === 'list') {
        media += part.content.items.filter((item) => item.type === 'media').length
      }
    }
  }
  return { thoughts, media }
}
