import type { Usage } from '../facts.ts'
import { maxTokens, normaliseUsage, promptTotal } from '../tokens/usage.ts'

export interface SilentOverflowInput {
  /** In tokens, before sending. */
  readonly estimate: number
  /** Tokens of images and documents in it, whose counts vary widely between providers. Default: 0. */
  readonly media?: number
  /** The largest prompt counted in this conversation before. Default: 0. */
  readonly counted?: number
  readonly usage: Usage | null
  readonly finish: string
  readonly maxOutputTokens: number | null
  /** The window the model was loaded with, in tokens; null if unknown. */
  readonly window: number | null
}

export type SilentOverflow =
  /** The provider accepted more than the window holds and does not say what it did with the rest. */
  'accepted-too-much' | 'clipped' | 'no-room'

/** Detects from the numbers alone that a request did not fit. Null unless proven, since estimates and counts may be off. */
export function silentOverflow(input: SilentOverflowInput): SilentOverflow | null {
  const usage = normaliseUsage(input.usage)
  if (usage === null) return null
  const prompt = promptTotal(usage)
  const window = countOf(input.window)
  if (window !== null && window > 0 && prompt > window) return 'accepted-too-much'
  const estimate = (countOf(input.estimate) ?? 0) - (countOf(input.media) ?? 0)
  // A server that read much more before did not cut the prompt; it reports only new input.
  const isLess = prompt < (countOf(input.counted) ?? 0) * minKeptShare
  if (!isLess && isClipped(prompt, estimate, window)) return 'clipped'
  return hasNoRoom(prompt, usage.output, input, window) ? 'no-room' : null
}

/** Below this, overhead outweighs the prompt, and a wrong guess costs little. */
const minEstimate = 4000
/** No tokenizer needs fewer than half of the estimated tokens. */
const clippedShare = 0.5
/** A lower count covers new input only: relays drop cached input. The same bounds reject a measurement. */
const minCount = 1000
const minCountShare = 0.1
/** An estimate may be too large by at most this factor. */
const minEstimateShare = 0.75
/** No server that clips keeps less of what it could read. */
const minKeptShare = 0.4
/** Servers that clip keep about half of their window. */
const keptShare = 0.25

function isClipped(prompt: number, estimate: number, window: number | null): boolean {
  if (estimate <= minEstimate || prompt <= 0 || prompt >= estimate * clippedShare) return false
  if (prompt >= Math.max(minCount, estimate * minCountShare)) return true
  // Far less than was sent, and about what a small window keeps of a prompt that could not fit.
  return window !== null && estimate * minEstimateShare > window && prompt >= window * keptShare
}

const cutShare = 0.9
/** A window this full has no room left: servers reserve a few tokens for the frame around an answer. */
const fullShare = 0.98

/** Without a known window, the provider may limit answers itself. */
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
  return typeof value === 'number' && value >= 0 && value <= maxTokens ? value : null
}
