import { configOf } from '../facts.ts'
import type { Excess } from './budget.ts'
import type { Goal } from './draft.ts'
import type { Fitting } from './fitting.ts'
import { foldRounds, foldSteps, keepFewerRounds } from './fold-past.ts'
import { hideSummaries } from './hide-summaries.ts'
import { cutCalls, cutResults, digestResults, omitOldMedia, type Steps } from './shrink-parts.ts'

/** One way to make a request smaller, what it helps against, and how far it should go. */
export interface Rung {
  readonly name: string
  readonly helps: readonly Excess[]
  readonly goal: Goal
  readonly steps: (fitting: Fitting) => Steps
}

/**
 * The ways to make a request smaller, from what costs least to what costs most. The past gives way until there is room for the
 * requests to come; what the model still waits for only until the request fits.
 */
export const ladder: readonly Rung[] = [
  rung('old media', ['bytes', 'images'], 'target', (fitting) => omitOldMedia(fitting, 'old')),
  rung('rounds', ['tokens', 'bytes'], 'target', (fitting) => foldRounds(fitting, keepRounds(fitting))),
  rung('digests', ['tokens', 'bytes'], 'target', (fitting) => digestResults(fitting, 'old')),
  // One result that fills half of the window is not worth all of the past.
  rung('giants', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'late', fitting.draft.limit('budget') / 2)),
  rung('cuts', ['tokens', 'bytes'], 'target', (fitting) => cutResults(fitting, 'old', 600)),
  rung('calls', ['tokens', 'bytes'], 'target', (fitting) => cutCalls(fitting, 'old', 400)),
  rung('old media for room', ['tokens'], 'target', (fitting) => omitOldMedia(fitting, 'old')),
  rung('fewer rounds', ['tokens', 'bytes', 'images'], 'target', (fitting) => keepFewerRounds(fitting, keepRounds(fitting))),
  rung('steps', ['tokens', 'bytes', 'images'], 'target', (fitting) => foldSteps(fitting, 'seen')),
  rung('summaries', ['tokens', 'bytes'], 'target', (fitting) => hideSummaries(fitting, 0.25)),
  rung('late digests', ['tokens', 'bytes'], 'budget', (fitting) => digestResults(fitting, 'late')),
  rung('late cuts', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'late', 2000)),
  rung('late media', ['tokens', 'bytes', 'images'], 'budget', (fitting) => omitOldMedia(fitting, 'late')),
  rung('short cuts', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'old', 60)),
  rung('short calls', ['tokens', 'bytes'], 'budget', (fitting) => cutCalls(fitting, 'old', 40)),
  rung('late short cuts', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'late', 300)),
  rung('late calls', ['tokens', 'bytes'], 'budget', (fitting) => cutCalls(fitting, 'late', 400)),
  rung('pinned rounds', ['tokens', 'bytes', 'images'], 'budget', (fitting) => foldRounds(fitting, 1, [])),
  rung('all summaries', ['tokens', 'bytes'], 'budget', (fitting) => hideSummaries(fitting, 0)),
  rung('unseen steps', ['tokens', 'bytes', 'images'], 'budget', (fitting) => foldSteps(fitting, 'any')),
  rung('lines', ['tokens', 'bytes'], 'budget', (fitting) => cutResults(fitting, 'late', 60)),
  rung('late short calls', ['tokens', 'bytes'], 'budget', (fitting) => cutCalls(fitting, 'late', 40)),
]

/** Climbs the ladder until the request fits with room to spare, or nothing is left to try. Each step makes it strictly smaller. */
export function climb(fitting: Fitting, reached: (rung: Rung) => void = () => undefined): void {
  const exceeds = ({ helps, goal }: Rung) => fitting.draft.excess(goal).some((excess) => helps.includes(excess))
  for (const next of ladder) {
    if (!exceeds(next)) continue
    for (const _ of next.steps(fitting)) {
      reached(next)
      if (!exceeds(next)) break
    }
  }
}

function rung(name: string, helps: readonly Excess[], goal: Goal, steps: Rung['steps']): Rung {
  return { name, helps, goal, steps }
}

/** A configuration may hold anything: at least the running round stays. */
function keepRounds({ facts }: Fitting): number {
  const { keep_rounds } = configOf(facts).compaction
  return typeof keep_rounds === 'number' && keep_rounds >= 1 ? Math.floor(keep_rounds) : 1
}
