import type { Random } from '../random.ts'

/** A fault in one answer of a provider. */
export type UpstreamFault =
  | 'none'
  /** Chunks come with pauses between them. */
  | 'slow'
  /** The connection breaks before the first byte. */
  | 'reset'
  /** The connection breaks in the middle of an event. */
  | 'cut'
  /** The response ends normally in the middle of an event. */
  | 'half'
  /** Rate limited: retry later. */
  | 'limited'
  | 'overloaded'
  /** The request is rejected as too long. */
  | 'overflow'
  /** An HTML page of a proxy instead of a response. */
  | 'page'

const faults: readonly [UpstreamFault, ...UpstreamFault[]] = [
  'slow',
  'slow',
  'reset',
  'cut',
  'half',
  'limited',
  'overloaded',
  'overflow',
  'page',
]

/** Picks a fault, or none: the given share of answers has one. */
export function upstreamFault(random: Random, share: number): UpstreamFault {
  return random.chance(share) ? random.pick(faults) : 'none'
}
