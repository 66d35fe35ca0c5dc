import type { NeedOutcome } from './need.ts'
import type { Retention } from './session-run.ts'

/** Counts what became of needs, over all steps of a session. */
export interface RetentionCount {
  readonly add: (outcomes: readonly NeedOutcome[]) => void
  readonly total: (recalls: Pick<Retention, 'recalls' | 'recalled' | 'recalledAgain'>) => Retention
}

/** A count of nothing yet. */
export function createRetentionCount(): RetentionCount {
  const states = { view: 0, handle: 0, query: 0, lost: 0 }
  const classes = new Map<string, { needs: number; inView: number }>()
  let edits = 0
  let editsWhole = 0
  return {
    add(outcomes) {
      const anchors = new Map<string, boolean>()
      for (const { need, state } of outcomes) {
        // What people said must always be there; it is no measure of what was cut.
        if (need.class !== 'user-rule') states[state] += 1
        const known = classes.get(need.class) ?? { needs: 0, inView: 0 }
        known.needs += 1
        if (state === 'view') known.inView += 1
        classes.set(need.class, known)
        if (need.edit !== null) anchors.set(need.edit, (anchors.get(need.edit) ?? true) && state === 'view')
      }
      edits += anchors.size
      for (const isWhole of anchors.values()) if (isWhole) editsWhole += 1
    },
    total: (recalls) => ({
      needs: states.view + states.handle + states.query + states.lost,
      inView: states.view,
      byHandle: states.handle,
      byQuery: states.query,
      lost: states.lost,
      edits,
      editsWhole,
      ...recalls,
      classes: Object.fromEntries(classes),
    }),
  }
}
