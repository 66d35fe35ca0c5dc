import type { Patch, Path } from './patch.ts'

/** A list of patches as a tree: what to do at a place, and at the places below it. */
export interface PatchPlan {
  readonly change: Exclude<Patch, { readonly op: 'insert' }> | null
  readonly children: ReadonlyMap<string | number, PatchPlan>
  /** What to put before each position of a list. */
  readonly inserts: ReadonlyMap<number, readonly unknown[]>
}

/** Arranges patches by place. Throws when two of them lie inside one another. */
export function planPatches(patches: readonly Patch[]): PatchPlan {
  const root = emptyPlan()
  for (const patch of patches) {
    const last = patch.path.at(-1)
    if (patch.op === 'insert') {
      if (typeof last !== 'number') throw new Error(`patch at ${JSON.stringify(patch.path)}: an insert needs a list position`)
      const list = descend(root, patch, patch.path.length - 1)
      const before = list.inserts.get(last)
      if (before === undefined) list.inserts.set(last, [patch.value])
      else before.push(patch.value)
    } else {
      if (patch.op === 'remove' && last === undefined) throw new Error('patch at []: the whole document cannot be removed')
      const plan = descend(root, patch, patch.path.length)
      if (plan.change !== null || plan.children.size > 0 || plan.inserts.size > 0) throw overlap(patch)
      plan.change = patch
    }
  }
  return root
}

/** Throws when a list of this length does not have a place the plan speaks of. */
export function checkPositions(plan: PatchPlan, length: number, path: Path): void {
  for (const [index, child] of plan.children) {
    if (typeof index !== 'number' || !(index >= 0 && index < length)) throw missing([...path, index], child)
  }
  for (const index of plan.inserts.keys()) if (!(index >= 0 && index <= length)) throw missing([...path, index], plan)
}

/** The error for a place that a patch speaks of and the document does not have. */
export function missing(path: Path, plan: PatchPlan): Error {
  const op = plan.change?.op ?? (plan.inserts.size > 0 ? 'insert' : 'change')
  return new Error(`patch at ${JSON.stringify(path)}: nothing there to ${op}`)
}

interface GrowingPlan extends PatchPlan {
  change: PatchPlan['change']
  readonly children: Map<string | number, GrowingPlan>
  readonly inserts: Map<number, unknown[]>
}

function emptyPlan(): GrowingPlan {
  return { change: null, children: new Map(), inserts: new Map() }
}

function descend(root: GrowingPlan, patch: Patch, depth: number): GrowingPlan {
  let plan = root
  for (let level = 0; level < depth; level += 1) {
    if (plan.change !== null) throw overlap(patch)
    const key = patch.path[level] as string | number
    let child = plan.children.get(key)
    if (child === undefined) {
      child = emptyPlan()
      plan.children.set(key, child)
    }
    plan = child
  }
  if (plan.change !== null) throw overlap(patch)
  return plan
}

function overlap(patch: Patch): Error {
  return new Error(`patch at ${JSON.stringify(patch.path)}: lies inside another patch, or another one inside it`)
}
