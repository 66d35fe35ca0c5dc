import type { Random } from '../random.ts'

/** What is wrong with one answer of a provider. */
export type UpstreamFault =
  | 'none'
  /** Pieces come with pauses between them. */
  | 'slow'
  /** The connection breaks before anything is said. */
  | 'reset'
  /** The connection breaks in the middle of an event. */
  | 'cut'
  /** The answer ends politely in the middle of an event. */
  | 'half'
  /** Too many requests: come back later. */
  | 'limited'
  | 'overloaded'
  /** The request is said to be too long. */
  | 'overflow'
  /** A page of somebody in between, where an answer should be. */
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

/** Chooses what is wrong, if anything is: of so many answers a share has a fault. */
export function upstreamFault(random: Random, share: number): UpstreamFault {
  return random.chance(share) ? random.pick(faults) : 'none'
}
