import type { Edit, ReplaceEdit } from '../edit.ts'
import { fitWindowName } from '../fit/fitting.ts'
import type { Message } from '../message.ts'
import { isReplacement } from './targets.ts'

/**
 * The replacements in force that may stay although nobody proposes them any more. Not those of the last resort, which takes up its own
 * again, and not those of a message that a policy has put in and now puts in with another content: they were made of what is gone.
 */
export function lastingReplacements(inForce: readonly Edit[], proposals: readonly Edit[]): readonly ReplaceEdit[] {
  const now = insertedBy(proposals)
  const before = now.size === 0 ? now : insertedBy(inForce)
  return inForce.filter(isReplacement).filter(({ policy, message }) => {
    if (policy === fitWindowName) return false
    const inserted = now.get(message)
    return inserted === undefined || isSameMessage(inserted, before.get(message))
  })
}

function insertedBy(edits: readonly Edit[]): ReadonlyMap<string, Message> {
  const messages = new Map<string, Message>()
  for (const edit of edits) if (edit.kind === 'insert') messages.set(edit.message.id, edit.message)
  return messages
}

function isSameMessage(one: Message, other: Message | undefined): boolean {
  return one === other || (other !== undefined && JSON.stringify(one) === JSON.stringify(other))
}
