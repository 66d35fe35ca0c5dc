import { hash } from 'node:crypto'
import type { DecisionKey } from './decision.ts'
import type { StoredOriginal } from './gateway-store.ts'

/**
 * An id as databases hold it: as it is where it is short and plain, else its hash. Clients choose some ids, and databases stumble over
 * NUL characters, halves of pairs, and keys longer than an index takes. What went through once stays the same.
 */
export function columnKey(id: string): string {
  return plain.test(id) ? id : `sha256:${hashOf(id)}`
}

/** What a decision is found by. */
export function decisionId({ key, part, original }: DecisionKey): string {
  return hashOf(JSON.stringify([key, part, original]))
}

/** What an original is kept under: the same text in another conversation is another original. */
export function originalId({ handle, conversation, message }: StoredOriginal): string {
  return hashOf(JSON.stringify([handle, conversation, message.id]))
}

/** Where handles that begin so start and end, in the order of bytes; null where no handle can begin so. */
export function handleRange(beginning: string): { readonly from: string; readonly below: string } | null {
  // The character after the last plain one stands behind every handle that goes on.
  return beginning === '' || plain.test(beginning) ? { from: beginning, below: `${beginning}\u007f` } : null
}

const plain = /^[!-~]{1,200}$/

function hashOf(text: string): string {
  return hash('sha256', text, 'base64url')
}
