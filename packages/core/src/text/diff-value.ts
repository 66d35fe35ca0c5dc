import { isPlainObject } from './is-plain-object.ts'
import type { Patch, Path } from './patch.ts'

/**
 * The patches that turn one value into another which shares most of it. What is identical is not looked into, so the cost is that
 * of the copied part; lists of different length are set whole.
 */
export function diffValue(before: unknown, after: unknown, path: Path): readonly Patch[] {
  const patches: Patch[] = []
  compare(before, after, path, 0, patches)
  return patches
}

// Far above any vendor's format and far below the stack: what is nested deeper is set as one value.
const maxDepth = 100

function compare(before: unknown, after: unknown, path: Path, depth: number, patches: Patch[]): void {
  if (Object.is(before, after)) return
  if (depth < maxDepth && Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (let index = 0; index < before.length; index += 1)
      compare(before[index], after[index], [...path, index], depth + 1, patches)
  } else if (depth < maxDepth && isPlainObject(before) && isPlainObject(after)) {
    // A field set to undefined counts as missing, as it does in JSON.
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
