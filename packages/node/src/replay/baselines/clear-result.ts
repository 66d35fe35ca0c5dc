import type { Facts, ReplaceEdit } from '@plimsoll/core'
import type { PlacedResult } from '@plimsoll/core/policies'

/** The edit that shows a line in place of a whole result, pictures included. The same result gives the same object every time. */
export function clearResult(policy: string, result: PlacedResult, line: string): ReplaceEdit {
  const { message, partIndex, part } = result
  const known = remembered.get(part)?.get(policy)
  if (known !== undefined && known.message === message.id && known.part === partIndex) return known
  const edit: ReplaceEdit = {
    id: `${policy}:${placeOfResult(message.id, partIndex)}`,
    policy,
    kind: 'replace',
    message: message.id,
    part: partIndex,
    with: { ...part, content: { type: 'text', text: line } },
    why: line,
  }
  const edits = remembered.get(part) ?? new Map<string, ReplaceEdit>()
  remembered.set(part, edits.set(policy, edit))
  return edit
}

/** Says which results a policy had already cleared in the last request. */
export function clearedBefore(policy: string, { inForce = [] }: Facts): (result: PlacedResult) => boolean {
  const places = new Set<string>()
  for (const edit of inForce) {
    if (edit.kind === 'replace' && edit.policy === policy) places.add(placeOfResult(edit.message, edit.part))
  }
  return ({ message, partIndex }) => places.has(placeOfResult(message.id, partIndex))
}

// By part, so that it goes away with the conversation; several policies are replayed on the same one.
const remembered = new WeakMap<PlacedResult['part'], Map<string, ReplaceEdit>>()

function placeOfResult(message: string, part: number): string {
  return `${message}.${part}`
}
