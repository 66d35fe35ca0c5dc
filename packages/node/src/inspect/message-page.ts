import type { Message } from '@plimsoll/core'
import type { InspectedMessage, Inspection } from '../shared/inspection/inspection.ts'

/** Messages by number, from the first up to and without the last, with the edits in force on them; those that cannot be read are left out. */
export function messagePage(
  { messages, edits, session }: Pick<Inspection, 'messages' | 'edits' | 'session'>,
  from: number,
  to: number,
  read: (id: string) => Message | null,
): readonly InspectedMessage[] {
  const first = Math.max(0, from)
  const end = Math.min(messages.ids.length, to)
  const pins = new Set(session.pins)
  const near = edits.filter((edit) => edit.state === 'in-force' && edit.number < end && edit.lastNumber >= first)
  const page: InspectedMessage[] = []
  for (let number = first; number < end; number += 1) {
    const id = messages.ids[number] as string
    const message = read(id)
    if (message === null) continue
    const changing = near.filter((edit) => edit.number <= number && number <= edit.lastNumber).map((edit) => edit.id)
    page.push({ number, message, tokens: messages.tokens[number] ?? 0, isPinned: pins.has(id), edits: changing })
  }
  return page
}
