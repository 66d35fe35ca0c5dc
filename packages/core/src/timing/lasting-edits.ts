import { perFew } from '../derive.ts'
import { type Edit, type ReplaceEdit, replacementsIn, structuralIn } from '../edit.ts'
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
  const lasting = replacementsIn(inForce)
  const own = fitsIn(lasting)
  if (own.length + others.size === 0) return lasting
  return lasting.filter(({ policy, message }) => policy !== fitWindowName && !others.has(message))
}

const fitsIn = perFew(({ policy }: ReplaceEdit) => policy === fitWindowName)

function madeBy(edits: readonly Edit[]): ReadonlyMap<string, Message> {
  const messages = new Map<string, Message>()
  for (const edit of structuralIn(edits)) {
    if (edit.kind === 'insert') messages.set(edit.message.id, edit.message)
    else if (edit.into?.id === edit.first && edit.first === edit.last) messages.set(edit.first, edit.into)
  }
  return messages
}

function isSameMessage(one: Message | undefined, other: Message | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && JSON.stringify(one) === JSON.stringify(other))
}
