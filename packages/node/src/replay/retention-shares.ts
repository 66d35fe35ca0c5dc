import type { RetentionShares } from './replay-summary.ts'
import type { Retention } from './session-run.ts'
import { share, sum } from './statistics.ts'

/** Adds up what became of what was needed, and makes shares of the counts. */
export function sharesOf(retentions: readonly Retention[]): RetentionShares {
  const needs = sum(retentions, (one) => one.needs)
  const edits = sum(retentions, (one) => one.edits)
  const inView = sum(retentions, (one) => one.inView)
  const byHandle = sum(retentions, (one) => one.byHandle)
  const classes = new Map<string, { needs: number; inView: number }>()
  for (const retention of retentions) {
    for (const [name, counts] of Object.entries(retention.classes)) {
      const known = classes.get(name) ?? { needs: 0, inView: 0 }
      classes.set(name, { needs: known.needs + counts.needs, inView: known.inView + counts.inView })
    }
  }
  return {
    needs,
    inView: share(inView, needs, 1),
    reachable: share(inView + byHandle, needs, 1),
    byQuery: share(
      sum(retentions, (one) => one.byQuery),
      needs,
    ),
    lost: share(
      sum(retentions, (one) => one.lost),
      needs,
    ),
    edits,
    editsWhole: share(
      sum(retentions, (one) => one.editsWhole),
      edits,
      1,
    ),
    classes: Object.fromEntries(
      [...classes].map(([name, counts]) => [name, { needs: counts.needs, inView: share(counts.inView, counts.needs, 1) }]),
    ),
  }
}
