import type { Usage } from '../facts.ts'
import { mostTokens, normaliseUsage, promptTotal } from '../tokens/usage.ts'

export interface SilentOverflowInput {
  /** In tokens, before it was sent. */
  readonly estimate: number
  /** How much of that stands for pictures and documents, whose price in tokens differs widely. Default: nothing. */
  readonly media?: number
  /** The largest prompt that was counted in this conversation before. Default: nothing. */
  readonly counted?: number
  readonly usage: Usage | null
  /** Why the answer ended, such as `stop` or `length`. */
  readonly finish: string
  /** Null if no limit was set. */
  readonly maxOutputTokens: number | null
  /** The window the model was loaded with, in tokens; null if it is unknown. */
  readonly window: number | null
}

export type SilentOverflow =
  /** The provider took more than the window holds; what it did with the rest it does not say. */
  | 'accepted-too-much'
  /** The model saw less than was sent: its server cut the prompt. */
  | 'clipped'
  /** The prompt left the answer no room. */
  | 'no-room'

/**
 * Tells from the numbers alone whether a request did not fit. Null if they do not prove it: an estimate that is off by half, a
 * provider's own limit on answers or a relay that counts only new input must raise no alarm.
 */
export function silentOverflow(input: SilentOverflowInput): SilentOverflow | null {
  const usage = normaliseUsage(input.usage)
  if (usage === null) return null
  const prompt = promptTotal(usage)
  const window = countOf(input.window)
  if (window !== null && window > 0 && prompt > window) return 'accepted-too-much'
  const estimate = (countOf(input.estimate) ?? 0) - (countOf(input.media) ?? 0)
  // Who has read much more than that before did not cut the prompt down to it; it counts only what is new.
  const isLess = prompt < (countOf(input.counted) ?? 0) * leastKept
  if (!isLess && isClipped(prompt, estimate, window)) return 'clipped'
  return hasNoRoom(prompt, usage.output, input, window) ? 'no-room' : null
}

/** Below this, what stands around a prompt outweighs it, and a wrong guess costs little. */
const leastEstimate = 4000
/** Vocabularies need more tokens than the estimated one, hardly ever fewer, and none half as many. */
const clippedShare = 0.5
/** A count below this is one of new input alone: relays lose what came from a cache. The same bounds tell what is no measurement. */
const leastCount = 1000
const leastCountShare = 0.1
/** The most by which an estimate may be too large: so much less, and the prompt would still not fit. */
const surestShare = 0.75
/** No server that clips keeps less of what it could read. */
const leastKept = 0.4
/** Servers that clip keep about half of their window, so that there is room to go on. */
const keptShare = 0.25

function isClipped(prompt: number, estimate: number, window: number | null): boolean {
  if (estimate <= leastEstimate || prompt <= 0 || prompt >= estimate * clippedShare) return false
  if (prompt >= Math.max(leastCount, estimate * leastCountShare)) return true
  // Far less than was sent, and just what a small window keeps of a prompt that could not fit.
  return window !== null && estimate * surestShare > window && prompt >= window * keptShare
}

/** An answer this much shorter than it was allowed was not ended by its own limit. */
const cutShare = 0.9
/** So full is a window that has no room left: a few tokens are always kept for the frame around an answer. */
const fullShare = 0.98

/** Without a window, an answer that ends early may be one that the provider limits itself. */
function hasNoRoom(
  prompt: number,
  output: number,
  { finish, maxOutputTokens }: SilentOverflowInput,
  window: number | null,
): boolean {
  if (finish !== 'length' || window === null || window <= 0) return false
  const isCut = maxOutputTokens === null ? output === 0 : output < maxOutputTokens * cutShare
  return isCut && prompt + output >= window * fullShare
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= mostTokens ? value : null
}
