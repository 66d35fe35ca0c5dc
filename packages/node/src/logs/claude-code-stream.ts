import { handleOf, type Part } from '@plimsoll/core'
import { isText } from './content-parts.ts'
import { textAt } from './entry-fields.ts'
import type { Fields, Take } from './log-reader.ts'

/** One response of the model, gathered from the lines it was streamed to. */
export interface StreamedMessage {
  readonly id: string
  readonly time: { readonly at?: number }
  readonly parts: { part: Part }[]
  /** What tells parts apart, so that a repeated one is known; never a long text. */
  readonly known: Map<string, { part: Part }>
  /** As the latest line reports it: earlier ones count only what had been written so far. */
  usage: unknown
  /** Null for what the client itself put into the model's mouth. */
  model: string | null
  /** Whether no more of it is expected, so that what is not needed of it was let go. */
  isTaken: boolean
}

/** A response of which nothing has arrived yet. */
export function startStreamed(id: string, time: { readonly at?: number }): StreamedMessage {
  return { id, time, parts: [], known: new Map(), usage: undefined, model: null, isTaken: false }
}

/** Adds what one line holds of a response. A line may repeat what earlier ones said, or a text that has grown since. */
export function addStreamed(message: StreamedMessage, parts: readonly Part[], raw: Fields): void {
  for (const part of parts) addPart(message, part)
  const model = textAt(raw, 'model')
  message.model = model === '<synthetic>' ? null : (model ?? message.model)
  message.usage = raw['usage'] ?? message.usage
}

/** Lets go what is not needed of a response that has most likely ended. A late line may still add to it. */
export function takeStreamed(message: StreamedMessage, take: Take): void {
  if (message.isTaken) return
  message.isTaken = true
  const { parts } = take({ id: message.id, role: 'assistant', parts: message.parts.map(({ part }) => part) })
  for (const [index, slot] of message.parts.entries()) slot.part = parts[index] ?? slot.part
}

function addPart({ parts, known, isTaken }: StreamedMessage, part: Part): void {
  const key = keyOf(part)
  const same = known.get(key)
  if (same !== undefined) {
    if (part.type === 'tool-call') same.part = part
    return
  }
  const last = parts.at(-1)
  const grown =
    last !== undefined && !isTaken && isText(part) && last.part.type === part.type && part.text.startsWith(last.part.text)
  const slot = grown ? last : { part }
  slot.part = part
  if (!grown) parts.push(slot)
  known.set(key, slot)
}

function keyOf(part: Part): string {
  if (part.type === 'tool-call') return `call ${part.callId}`
  return isText(part) ? `${part.type} ${handleOf(part.text)}` : handleOf(JSON.stringify(part))
}
