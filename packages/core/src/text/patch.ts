import { checkPositions, missing, type PatchPlan, planPatches } from './patch-plan.ts'

export { patchText } from './patch-text.ts'

/** A place in a JSON document: field names and list positions from the root. */
export type Path = readonly (string | number)[]

/**
 * One change to a JSON document. All paths of a list of patches are those of the original document and must not lie inside one
 * another. `insert` puts a value before the list position its path ends in (the list's length appends); several inserts at one
 * position keep their order.
 */
export type Patch =
  | { readonly op: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'insert'; readonly path: Path; readonly value: unknown }

/**
 * The value with the patches applied. Only what lies on the way to a change is copied; with no patches the very same value comes
 * back. Throws when a patch names a place that is not there.
 */
export function patchValue(value: unknown, patches: readonly Patch[]): unknown {
  return patches.length === 0 ? value : changed(value, planPatches(patches), [])
}

function changed(value: unknown, plan: PatchPlan, path: Path): unknown {
  if (plan.change?.op === 'set') return plan.change.value
  if (Array.isArray(value)) return changedList(value as readonly unknown[], plan, path)
  if (typeof value === 'object' && value !== null) return changedObject(value as Readonly<Record<string, unknown>>, plan, path)
  throw missing(path, plan)
}

function changedList(list: readonly unknown[], plan: PatchPlan, path: Path): readonly unknown[] {
  checkPositions(plan, list.length, path)
  const result: unknown[] = []
  for (let index = 0; index <= list.length; index += 1) {
    for (const value of plan.inserts.get(index) ?? []) result.push(value)
    if (index === list.length) break
    const child = plan.children.get(index)
    if (child === undefined) result.push(list[index])
    else if (child.change?.op !== 'remove') result.push(changed(list[index], child, [...path, index]))
  }
  return result
}

function changedObject(
  object: Readonly<Record<string, unknown>>,
  plan: PatchPlan,
  path: Path,
): Readonly<Record<string, unknown>> {
  if (plan.inserts.size > 0) throw missing(path, plan)
  const result: Record<string, unknown> = { ...object }
  for (const [key, child] of plan.children) {
    const here = typeof key === 'string' && Object.hasOwn(object, key)
    if (typeof key !== 'string' || (!here && child.change?.op !== 'set')) throw missing([...path, key], child)
    if (child.change?.op === 'remove') delete result[key]
    else {
      // Defined, not assigned: a field called `__proto__` must stay a field.
      const value = changed(here ? object[key] : undefined, child, [...path, key])
      Object.defineProperty(result, key, { value, writable: true, enumerable: true, configurable: true })
    }
  }
  return result
}
