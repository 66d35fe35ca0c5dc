import { isPlainObject } from './json.ts'
import { missing, missingPosition, type PatchPlan, planPatches, skipSpace, skipValue, walkMembers } from './patch-text.ts'

export { patchText } from './patch-text.ts'

/** A place in a JSON document: field names and list positions from the root. */
export type Path = readonly (string | number)[]

/**
 * One change to a JSON document. Paths refer to the original document and must not overlap. `insert` puts a value before a list
 * position (the list's length appends); several inserts at one position keep their order.
 */
export type Patch =
  | { readonly op: 'set'; readonly path: Path; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Path }
  | { readonly op: 'insert'; readonly path: Path; readonly value: unknown }

/** Applies patches, copying only what is on the way to a change. Throws if a patch names a missing place. */
export function patchValue(value: unknown, patches: readonly Patch[]): unknown {
  return patches.length === 0 ? value : changed(value, planPatches(patches), [])
}

function changed(value: unknown, plan: PatchPlan, path: Path): unknown {
  if (plan.change?.op === 'set') return plan.change.value
  if (Array.isArray(value)) return changedList(value as readonly unknown[], plan, path)
  if (typeof value === 'object' && value !== null) return changedObject(value as Fields, plan, path)
  throw missing(path, plan)
}

function changedList(list: readonly unknown[], plan: PatchPlan, path: Path): readonly unknown[] {
  const problem = missingPosition(plan, list.length, path)
  if (problem !== null) throw problem
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

type Fields = Readonly<Record<string, unknown>>

function changedObject(object: Fields, plan: PatchPlan, path: Path): Fields {
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

/** Whether a path leads to exactly one place: readers disagree on which of two fields of one name counts. */
export function isPlainPath(text: string, path: Path): boolean {
  let start: number | null = skipSpace(text, 0)
  for (const step of path) {
    start = findStep(text, start, step)
    if (start === null) return false
  }
  return true
}

function findStep(text: string, start: number, step: string | number): number | null {
  if ((text[start] === '[') !== (typeof step === 'number')) return null
  let found: number | null = null
  let isDouble = false
  walkMembers(text, start, (name, at) => {
    if (name === step) {
      isDouble = found !== null
      found = at
      if (isDouble || typeof step === 'number') return null
    }
    return skipValue(text, at)
  })
  return isDouble ? null : found
}

/** The patches that turn a value into another that shares most of it. Skips identical values. */
export function diffValue(before: unknown, after: unknown, path: Path): readonly Patch[] {
  const patches: Patch[] = []
  compare(before, after, path, 0, patches)
  return patches
}

// Far deeper than any vendor's format; deeper values are replaced as a unit.
const maxDepth = 100

function compare(before: unknown, after: unknown, path: Path, depth: number, patches: Patch[]): void {
  if (Object.is(before, after)) return
  if (depth < maxDepth && Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (let index = 0; index < before.length; index += 1)
      compare(before[index], after[index], [...path, index], depth + 1, patches)
  } else if (depth < maxDepth && isPlainObject(before) && isPlainObject(after)) {
    // A field set to undefined counts as missing, as in JSON.
    for (const key of Object.keys(before)) {
      if (before[key] !== undefined && (!Object.hasOwn(after, key) || after[key] === undefined)) {
        patches.push({ op: 'remove', path: [...path, key] })
      }
    }
    for (const key of Object.keys(after)) {
      if (after[key] === undefined || (Object.hasOwn(before, key) && after[key] === before[key])) continue
      if (Object.hasOwn(before, key)) compare(before[key], after[key], [...path, key], depth + 1, patches)
      else patches.push({ op: 'set', path: [...path, key], value: after[key] })
    }
  } else patches.push({ op: 'set', path, value: after })
}
