import { promptTotal, type Usage } from '@plimsoll/core/bill'
import type { CacheBreak } from './inspection.ts'

/** What is known of two requests that followed one another. */
export interface BreakInput {
  readonly before: BreakRequest
  readonly now: BreakRequest
  /** Something that was said or shown differently between them; the first of it. */
  readonly change: Pick<CacheBreak, 'message' | 'policy' | 'reason'> | null
  /** Tokens of this request from a message on that stood in the one before, as the provider counts; for null, of all of it. */
  readonly tokensFrom: (message: number | null) => number
  /** The number of the message at which what the provider had cached of this request was over; null before the conversation. */
  readonly readUpTo: number | null
  /** How long the provider keeps a prompt. Default: 300. */
  readonly lifetimeSeconds?: number | null
}

/** One request, as far as a provider's cache is concerned. */
export interface BreakRequest {
  readonly at: number | null
  readonly model: string | null
  /** Everything that stands before the conversation, by names that change with it. */
  readonly prefix: string
  readonly usage: Usage | null
}

/** Where a request stopped being what the one before it was, and why; null where it only went on. */
export function cacheBreak(input: BreakInput): CacheBreak | null {
  const { before, now, change, tokensFrom } = input
  if (before.model !== now.model) return { message: null, policy: null, reason: 'model', tokens: tokensFrom(null) }
  if (before.prefix !== now.prefix) return { message: null, policy: null, reason: 'layers', tokens: tokensFrom(null) }
  if (change !== null) return { ...change, tokens: change.reason === 'rewind' ? 0 : tokensFrom(change.message) }
  return missed(input)
}

/** What the provider should have had and did not. */
function missed({ before, now, readUpTo, lifetimeSeconds = null }: BreakInput): CacheBreak | null {
  if (before.usage === null || now.usage === null) return null
  const kept = before.usage.cacheRead + before.usage.cacheWrite
  const { cacheRead } = now.usage
  const lost = Math.min(kept, promptTotal(now.usage)) - cacheRead
  // Providers keep prompts in blocks, so that a little of the end is read again each time.
  if (kept === 0 || lost <= Math.max(leastLost, kept * leastShare)) return null
  const pause = before.at === null || now.at === null ? 0 : (now.at - before.at) / 1000
  const reason = pause > (lifetimeSeconds ?? usualLifetime) ? 'idle' : 'unknown'
  return { message: cacheRead === 0 ? null : readUpTo, policy: null, reason, tokens: lost }
}

const leastLost = 1024
const leastShare = 0.1
const usualLifetime = 300
