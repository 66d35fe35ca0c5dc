import { type Entry, type NewEntry, normaliseUsage, type Usage } from '@plimsoll/core'

/**
 * What a model was paid for beside the answers of the conversation: a summary of older rounds, one of a result, a fuller prompt for a
 * picture, and an answer that broke off.
 */
export type SideCall = 'summary' | 'result-summary' | 'prompt-expansion' | 'broken-off'

/** What such a call took. */
export interface SideUsage {
  readonly model: string
  readonly usage: Usage
  readonly what: SideCall
  /** Whether it was worked out here, because the answer broke off before anybody said it. */
  readonly isEstimated: boolean
}

/** The entry that keeps what a call beside the conversation took. */
export function sideUsageEntry({ model, usage, what, isEstimated }: SideUsage): NewEntry {
  return { type: 'note', code: sideUsageNote, data: { model, usage, what, ...(isEstimated ? { isEstimated } : {}) } }
}

/** What an entry says about such a call: its model and its tokens; null for any other entry. A log may hold anything. */
export function sideUsageIn(entry: Entry | null): Pick<SideUsage, 'model' | 'usage'> | null {
  if (entry?.type !== 'note' || entry.code !== sideUsageNote) return null
  const model = entry.data?.['model']
  const usage = normaliseUsage(entry.data?.['usage'])
  return typeof model === 'string' && usage !== null ? { model, usage } : null
}

const sideUsageNote = 'side-usage'
