import { type Container, openContainer, skipSpace, skipValue } from './json-spans.ts'
import { type PatchPlan, planPatches } from './patch-plan.ts'

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

/**
 * The JSON text with the patches spliced in: every character outside the changed values stays, and parsing the answer gives what
 * `patchValue` makes of the parsed text. With no patches the very same text comes back. Throws when a patch names a place that is
 * not there or the text is not JSON.
 */
export function patchText(text: string, patches: readonly Patch[]): string {
  if (patches.length === 0) return text
  const start = skipSpace(text, 0)
  const { splices, problem } = visit(text, start, planPatches(patches), [])
  if (problem !== null) throw problem
  splices.sort((a, b) => a.start - b.start)
  const pieces: string[] = []
  let position = 0
  for (const splice of splices) {
    pieces.push(text.slice(position, splice.start), splice.text)
    position = splice.end
  }
  pieces.push(text.slice(position))
  return pieces.join('')
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

interface Splice {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What became of one value of the text. A problem is kept, not thrown: a later field of the same name may make it irrelevant. */
interface Visit {
  readonly end: number
  readonly splices: Splice[]
  readonly problem: Error | null
}

function visit(text: string, start: number, plan: PatchPlan, path: Path): Visit {
  if (plan.change?.op === 'set') {
    const end = skipValue(text, start)
    return { end, splices: [{ start, end, text: jsonOf(plan.change.value, path) }], problem: null }
  }
  const container = openContainer(text, start)
  if (container === null) return { end: skipValue(text, start), splices: [], problem: missing(path, plan) }
  return container.kind === 'list' ? visitList(text, container, plan, path) : visitObject(text, container, plan, path)
}

function visitList(text: string, container: Container, plan: PatchPlan, path: Path): Visit {
  const entries: Entry[] = []
  const splices: Splice[] = []
  let problem: Error | null = null
  while (container.next()) {
    const start = container.position()
    const index = entries.length
    const child = plan.children.get(index)
    const removed = child?.change?.op === 'remove'
    if (child === undefined || removed) container.leave(skipValue(text, start))
    else {
      const inner = visit(text, start, child, [...path, index])
      container.leave(inner.end)
      for (const splice of inner.splices) splices.push(splice)
      problem ??= inner.problem
    }
    entries.push({ start, end: container.position(), removed })
  }
  try {
    checkPositions(plan, entries.length, path)
  } catch (error) {
    problem ??= error as Error
  }
  const added = new Map([...plan.inserts].map(([index, values]) => [index, values.map((value) => jsonOf(value, path))] as const))
  // Before the inner ones: an insertion in front of an item comes before a change of that item.
  const reshaped = reshape(text, container.inside, entries, added)
  return { end: container.close(), splices: reshaped.concat(splices), problem }
}

function visitObject(text: string, container: Container, plan: PatchPlan, path: Path): Visit {
  const entries: Entry[] = []
  const found = new Map<string, Visit>()
  while (container.next()) {
    const start = container.position()
    const key = container.key()
    const child = plan.children.get(key)
    const removed = child?.change?.op === 'remove'
    // The last field of a name is the one that counts, so a later one takes the place of what was found before.
    if (child === undefined || removed) container.leave(skipValue(text, container.position()))
    else {
      const inner = visit(text, container.position(), child, [...path, key])
      container.leave(inner.end)
      found.set(key, inner)
    }
    if (removed) found.set(key, { end: 0, splices: [], problem: null })
    entries.push({ start, end: container.position(), removed })
  }
  let problem: Error | null = plan.inserts.size > 0 ? missing(path, plan) : null
  const added: string[] = []
  const splices: Splice[] = []
  for (const [key, child] of plan.children) {
    const here = typeof key === 'string' ? found.get(key) : undefined
    if (here !== undefined) {
      for (const splice of here.splices) splices.push(splice)
      problem ??= here.problem
    } else if (typeof key === 'string' && child.change?.op === 'set') {
      added.push(`${JSON.stringify(key)}:${jsonOf(child.change.value, [...path, key])}`)
    } else problem ??= missing([...path, key], child)
  }
  const reshaped = reshape(text, container.inside, entries, new Map([[entries.length, added]]))
  return { end: container.close(), splices: splices.concat(reshaped), problem }
}

/** An item of a list or a field of an object, with its name. */
interface Entry {
  readonly start: number
  readonly end: number
  readonly removed: boolean
}

/**
 * The splices that take removed entries out and put added ones in. Entries removed or added side by side are one splice, so that
 * exactly one comma is left between what stays; added entries are separated as the first two of the original are.
 */
function reshape(
  text: string,
  inside: number,
  entries: readonly Entry[],
  added: ReadonlyMap<number, readonly string[]>,
): readonly Splice[] {
  const first = entries[0]
  const second = entries[1]
  const separator =
    first === undefined ? ',' : second === undefined ? `,${text.slice(inside, first.start)}` : text.slice(first.end, second.start)
  const splices: Splice[] = []
  for (let index = 0; index <= entries.length; index += 1) {
    let values = added.get(index) ?? []
    const before = entries[index - 1]
    const from = index
    while (entries[index]?.removed === true) {
      index += 1
      values = values.concat(added.get(index) ?? [])
    }
    if (index === from && values.length === 0) continue
    const after = entries[index]
    if (before !== undefined) {
      splices.push({
        start: before.end,
        end: entries[index - 1]?.end ?? before.end,
        text: values.map((value) => separator + value).join(''),
      })
    } else if (after !== undefined) {
      splices.push({ start: first?.start ?? inside, end: after.start, text: values.map((value) => value + separator).join('') })
    } else splices.push({ start: first?.start ?? inside, end: entries.at(-1)?.end ?? inside, text: values.join(separator) })
  }
  return splices
}

function checkPositions(plan: PatchPlan, length: number, path: Path): void {
  for (const [index, child] of plan.children) {
    if (typeof index !== 'number' || !(index >= 0 && index < length)) throw missing([...path, index], child)
  }
  for (const index of plan.inserts.keys()) if (!(index >= 0 && index <= length)) throw missing([...path, index], plan)
}

function jsonOf(value: unknown, path: Path): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    throw new Error(`patch at ${JSON.stringify(path)}: the value cannot be written as JSON`)
  }
}

function missing(path: Path, plan: PatchPlan): Error {
  const op = plan.change?.op ?? (plan.inserts.size > 0 ? 'insert' : 'change')
  return new Error(`patch at ${JSON.stringify(path)}: nothing there to ${op}`)
}
