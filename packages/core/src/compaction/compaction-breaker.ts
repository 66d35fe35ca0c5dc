/** How one attempt to compact ended: the conversation got smaller, it did not, or the attempt itself failed. */
export type CompactionOutcome = 'success' | 'ineffective' | 'failed'

/** Whether trying again makes sense. */
export interface Breaker {
  readonly stopped: boolean
  /** What stopped it; null while it has not. */
  readonly reason: 'ineffective' | 'failed' | null
}

/** Stops after two ineffective or three failed attempts since the last success. Outcomes oldest first. */
export function compactionBreaker(outcomes: readonly CompactionOutcome[]): Breaker {
  const recent = outcomes.slice(outcomes.lastIndexOf('success') + 1)
  const count = (kind: CompactionOutcome) => recent.filter((outcome) => outcome === kind).length
  const reason = count('ineffective') >= 2 ? 'ineffective' : count('failed') >= 3 ? 'failed' : null
  return { stopped: reason !== null, reason }
}
