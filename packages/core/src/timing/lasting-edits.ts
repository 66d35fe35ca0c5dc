import { type Edit, isReplacement, type ReplaceEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { fitWindowName } from '../policy.ts'

/**
 * The active replacements that may stay although no policy proposes them any more. Not those of `fit-window`, which reuses its own, and not those of
 * a message that a policy inserts or shows with fewer parts for the first time: their part numbers now name other parts.
 */
export function lastingReplacements(inForce: readonly Edit[], proposals: readonly Edit[]): readonly ReplaceEdit[] {
  const now = madeBy(proposals)
  const before = madeBy(inForce)
  const isOther = (message: string) => !isSameMessage(now.get(message), before.get(message))
  const others = new Set([...now.keys(), ...before.keys()].filter(isOther))
  const stays = (edit: Edit): edit is ReplaceEdit =>
    isReplacement(edit) && edit.policy !== fitWindowName && (others.size === 0 || !others.has(edit.message))
  return inForce.filter(stays)
}

function madeBy(edits: readonly Edit[]): ReadonlyMap<string, Message> {
  const messages = new Map<string, Message>()
  for (const edit of edits) {
    if (edit.kind === 'insert') messages.set(edit.message.id, edit.message)
    else if (edit.kind === 'fold' && edit.into?.id === edit.first && edit.first === edit.last) messages.set(edit.first, edit.into)
  }
  return messages
}

function isSameMessage(one: Message | undefined, other: Message | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other))
}
