import type { RetentionShares } from '../replay-summary.ts'
import type { Retention } from '../session-run.ts'
import { share, sum } from '../statistics.ts'
import type { NeedOutcome } from './need.ts'

/** Counts the outcomes of needs, over all steps of a session. */
export function createRetentionCount() {
  const states = { view: 0, handle: 0, query: 0, lost: 0 }
  const checked = { needs: 0, inView: 0 }
  const classes = new Map<string, { needs: number; inView: number }>()
  let edits = 0
  let editsWhole = 0
  return {
    add(outcomes: readonly NeedOutcome[]): void {
      const anchors = new Map<string, boolean>()
      for (const { need, state } of outcomes) {
        // Users' text must always be in view, so it does not measure cuts.
        if (need.class !== 'user-rule') {
          states[state] += 1
          if (need.isDoubtful !== true) {
            checked.needs += 1
            if (state === 'view') checked.inView += 1
          }
        }
        const known = classes.get(need.class) ?? { needs: 0, inView: 0 }
        known.needs += 1
        if (state === 'view') known.inView += 1
        classes.set(need.class, known)
        if (need.edit !== null) anchors.set(need.edit, (anchors.get(need.edit) ?? true) && state === 'view')
      }
      edits += anchors.size
      for (const isComplete of anchors.values()) if (isComplete) editsWhole += 1
    },
    total: (recalls: Pick<Retention, 'recalls' | 'recalled' | 'recalledAgain'>): Retention => ({
      needs: states.view + states.handle + states.query + states.lost,
      inView: states.view,
      byHandle: states.handle,
      byQuery: states.query,
      lost: states.lost,
      checked: { ...checked },
      edits,
      editsWhole,
      ...recalls,
      classes: Object.fromEntries(classes),
    }),
  }
}

/** Adds up outcomes, as shares. */
export function sharesOf(retentions: readonly Retention[]): RetentionShares {
  const total = (count: Exclude<keyof Retention, 'classes' | 'checked'>) => sum(retentions, (one) => one[count])
  const needs = total('needs')
  const edits = total('edits')
  const classes = new Map<string, { needs: number; inView: number }>()
  for (const retention of retentions) {
    for (const [name, counts] of Object.entries(retention.classes)) {
      const known = classes.get(name) ?? { needs: 0, inView: 0 }
      classes.set(name, { needs: known.needs + counts.needs, inView: known.inView + counts.inView })
    }
  }
  const checked = sum(retentions, (one) => one.checked.needs)
  return {
    needs,
    checked: {
      needs: checked,
      inView: share(
        sum(retentions, (one) => one.checked.inView),
        checked,
        1,
      ),
    },
    inView: share(total('inView'), needs, 1),
    reachable: share(total('inView') + total('byHandle'), needs, 1),
    byQuery: share(total('byQuery'), needs),
    lost: share(total('lost'), needs),
    edits,
    editsWhole: share(total('editsWhole'), edits, 1),
    classes: Object.fromEntries(
      [...classes].map(([name, counts]) => [name, { needs: counts.needs, inView: share(counts.inView, counts.needs, 1) }]),
    ),
  }
}
