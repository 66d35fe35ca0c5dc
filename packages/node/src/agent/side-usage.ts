import { normaliseUsage, type Usage } from '@plimsoll/core/bill'
import type { Entry, NewEntry } from '@plimsoll/core/session'
import type { SideCall } from '../shared/event.ts'

/** What such a call took. */
export interface SideUsage {
  readonly model: string
  readonly usage: Usage
  readonly what: SideCall
  /** Whether it was worked out here, because the answer broke off before anybody said it. */
  readonly isEstimated: boolean
  /** For a prompt that was kept alive: when, in milliseconds, and what that took in tokens of input at its full price. */
  readonly kept?: { readonly at: number; readonly spent: number }
}

/** The entry that keeps what a call beside the conversation took. */
export function sideUsageEntry({ model, usage, what, isEstimated, kept }: SideUsage): NewEntry {
  const more = { ...(isEstimated ? { isEstimated } : {}), ...(kept === undefined ? {} : { kept }) }
  return { type: 'note', code: sideUsageNote, data: { model, usage, what, ...more } }
}

/** What an entry says about such a call: its model, its tokens and what it was for; null for any other entry. A log may hold anything. */
export function sideUsageIn(
  entry: Entry | null,
): (Pick<SideUsage, 'model' | 'usage'> & { readonly isKeepAlive: boolean }) | null {
  if (entry?.type !== 'note' || entry.code !== sideUsageNote) return null
  const model = entry.data?.['model']
  const usage = normaliseUsage(entry.data?.['usage'])
  return typeof model === 'string' && usage !== null ? { model, usage, isKeepAlive: entry.data?.['what'] === 'keep-alive' } : null
}

const sideUsageNote = 'side-usage'
