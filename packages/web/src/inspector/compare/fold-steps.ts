import type { MessageStep } from './align-messages.ts'
import { foldSame } from './diff-lines.ts'

/** A step that is shown, or several of one kind in a row that are folded. */
export type ShownStep =
  | { readonly isFolded: false; readonly step: MessageStep }
  | { readonly isFolded: true; readonly kind: MessageStep['kind']; readonly steps: readonly MessageStep[] }

/** Of a long run of messages that were removed or added, so many stay to be seen. */
const seenOfRun = 3

/** Folds what is the same but for one message beside what is not, and the rest of long runs that were only removed or only added. */
export function foldSteps(steps: readonly MessageStep[]): readonly ShownStep[] {
  return foldSame(steps, ({ kind }) => kind === 'same', 1).flatMap(({ isFolded, items }): readonly ShownStep[] =>
    isFolded ? [{ isFolded: true, kind: 'same', steps: items }] : runsOf(items).flatMap(foldRun),
  )
}

function runsOf(steps: readonly MessageStep[]): readonly (readonly MessageStep[])[] {
  const runs: MessageStep[][] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last?.[0]?.kind === step.kind) last.push(step)
    else runs.push([step])
  }
  return runs
}

function foldRun(run: readonly MessageStep[]): readonly ShownStep[] {
  const kind = run[0]?.kind
  const shown = (steps: readonly MessageStep[]) => steps.map((step): ShownStep => ({ isFolded: false, step }))
  const isLong = (kind === 'removed' || kind === 'added') && run.length > seenOfRun * 2
  if (kind === undefined || !isLong) return shown(run)
  return [...shown(run.slice(0, seenOfRun)), { isFolded: true, kind, steps: run.slice(seenOfRun) }]
}
