import { type Message, resultText } from '@plimsoll/core'
import { transcriptOf } from '@plimsoll/core/session'
import type { StoredSession } from '../../session/session.ts'

/** A stored message as it was before anything was taken out of it. */
export interface StoredMessage {
  readonly message: Message
  /** What it says: its one text bit for bit; several parts as a transcript. */
  readonly text: string
  /** Kinds of the pictures and files that belong to it and are no text. */
  readonly media: readonly string[]
  /** Why a part of it is only an extract. */
  readonly troubles: readonly string[]
}

/** A message with its results whole, as they were given. */
export function storedMessage(message: Message, session: StoredSession): StoredMessage {
  const troubles: string[] = []
  const parts = message.parts.map((part) => {
    if (part.type !== 'tool-result' || part.blob === undefined) return part
    const whole = session.whole(part)
    if ('part' in whole) return whole.part
    troubles.push(whole.trouble)
    return part
  })
  const complete = parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
  return { message: complete, text: textOf(complete), media: mediaOf(complete), troubles }
}

function textOf(message: Message): string {
  const [only, ...others] = message.parts
  if (others.length === 0 && (only?.type === 'text' || only?.type === 'reasoning')) return only.text
  if (others.length === 0 && only?.type === 'tool-result') return resultText(only)
  return transcriptOf([message])
}

function mediaOf({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => {
    if (part.type === 'media') return [part.mediaType]
    if (part.type !== 'tool-result' || part.content.type !== 'list') return []
    return part.content.items.flatMap((item) => (item.type === 'media' ? [item.mediaType] : []))
  })
}
