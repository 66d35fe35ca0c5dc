import { isSaid, saidText } from '@plimsoll/core'
import type { ConversationState } from './conversation-state.ts'

/** What the user said, as far as it is at hand, oldest first. */
export function saidTexts({ stored, blocks }: Pick<ConversationState, 'stored' | 'blocks'>): readonly string[] {
  return [
    ...stored.latest.flatMap((kept) => (kept !== null && isSaid(kept.message) ? [saidText(kept.message)] : [])),
    ...blocks.flatMap((block) => (block.kind === 'user' ? [block.text] : [])),
  ]
}
