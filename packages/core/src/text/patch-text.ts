import type { Patch, Path } from './patch.ts'

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
    return { end, splices: [{ start, end, text: written(plan.change.value, path) }], problem: null }
  }
  const container = openContainer(text, start)
  if (container === null) return { end: skipValue(text, start), splices: [], problem: missing(path, plan) }
  return container.kind === 'list' ? visitList(text, container, plan, path) : visitObject(text, container, plan, path)
}

function visitList(text: string, container: Container, plan: PatchPlan, path: Path): Visit {
  const members: Member[] = []
  const splices: Splice[] = []
  let problem: Error | null = null
  while (container.next()) {
    const start = container.position()
    const index = members.length
    const child = plan.children.get(index)
    const removed = child?.change?.op === 'remove'
    if (child === undefined || removed) container.leave(skipValue(text, start))
    else {
      const inner = visit(text, start, child, [...path, index])
      container.leave(inner.end)
      for (const splice of inner.splices) splices.push(splice)
      problem ??= inner.problem
    }
    members.push({ start, end: container.position(), removed })
  }
  try {
    checkPositions(plan, members.length, path)
  } catch (error) {
    problem ??= error as Error
  }
  const added = new Map([...plan.inserts].map(([index, values]) => [index, values.map((value) => written(value, path))] as const))
  // Before the inner ones: an insertion in front of an item comes before a change of that item.
  const reshaped = reshape(text, container.inside, members, added)
  return { end: container.close(), splices: reshaped.concat(splices), problem }
}

function visitObject(text: string, container: Container, plan: PatchPlan, path: Path): Visit {
  const members: Member[] = []
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
    members.push({ start, end: container.position(), removed })
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
      added.push(`${JSON.stringify(key)}:${written(child.change.value, [...path, key])}`)
    } else problem ??= missing([...path, key], child)
  }
  const reshaped = reshape(text, container.inside, members, new Map([[members.length, added]]))
  return { end: container.close(), splices: splices.concat(reshaped), problem }
}

/** An item of a list or a field of an object, with its name. */
interface Member {
  readonly start: number
  readonly end: number
  readonly removed: boolean
}

/**
 * The splices that take removed members out and put added ones in. Members removed or added side by side are one splice, so that
 * exactly one comma is left between what stays; added members are separated as the first two of the original are.
 */
function reshape(
  text: string,
  inside: number,
  members: readonly Member[],
  added: ReadonlyMap<number, readonly string[]>,
): readonly Splice[] {
  const first = members[0]
  const second = members[1]
  const separator =
    first === undefined ? ',' : second === undefined ? `,${text.slice(inside, first.start)}` : text.slice(first.end, second.start)
  const splices: Splice[] = []
  for (let index = 0; index <= members.length; index += 1) {
    let values = added.get(index) ?? []
    const before = members[index - 1]
    const from = index
    while (members[index]?.removed === true) {
      index += 1
      values = values.concat(added.get(index) ?? [])
    }
    if (index === from && values.length === 0) continue
    const after = members[index]
    if (before !== undefined) {
      splices.push({
        start: before.end,
        end: members[index - 1]?.end ?? before.end,
        text: values.map((value) => separator + value).join(''),
      })
    } else if (after !== undefined) {
      splices.push({ start: first?.start ?? inside, end: after.start, text: values.map((value) => value + separator).join('') })
    } else splices.push({ start: first?.start ?? inside, end: members.at(-1)?.end ?? inside, text: values.join(separator) })
  }
  return splices
}

function written(value: unknown, path: Path): string {
  try {
    return JSON.stringify(value) ?? 'null'
  } catch {
    throw new Error(`patch at ${JSON.stringify(path)}: the value cannot be written as JSON`)
  }
}

/** A walk over the members of one list or object of a JSON text, one call per step; what a member holds is the caller's to skip or read. */
interface Container {
  readonly kind: 'list' | 'object'
  /** The position just after the opening bracket. */
  readonly inside: number
  /** Moves to the start of the next member; false when there is none. */
  readonly next: () => boolean
  readonly position: () => number
  /** Reads an object's field name and moves to its value. */
  readonly key: () => string
  /** Says where the member's value ended. */
  readonly leave: (end: number) => void
  /** The position just after the closing bracket. */
  readonly close: () => number
}

/** The container that starts at a position, or null when some other value does. */
export function openContainer(text: string, start: number): Container | null {
  const opening = text.charCodeAt(start)
  if (opening !== openBracket && opening !== openBrace) return null
  const closing = opening === openBracket ? closeBracket : closeBrace
  let position = start + 1
  let first = true
  return {
    kind: opening === openBracket ? 'list' : 'object',
    inside: start + 1,
    next() {
      position = skipSpace(text, position)
      const unit = text.charCodeAt(position)
      if (unit === closing) return false
      if (!first) {
        if (unit !== comma) throw notJson(position)
        position = skipSpace(text, position + 1)
      }
      first = false
      return true
    },
    position: () => position,
    key() {
      const end = skipString(text, position)
      const key = nameOf(text, position, end)
      position = skipSpace(text, end)
      if (text.charCodeAt(position) !== colon) throw notJson(position)
      position = skipSpace(text, position + 1)
      return key
    },
    leave(end) {
      position = end
    },
    close: () => position + 1,
  }
}

/** The position after white space. */
export function skipSpace(text: string, start: number): number {
  let position = start
  for (;;) {
    const unit = text.charCodeAt(position)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return position
    position += 1
  }
}

/** The position after the value that starts here, however deep it is nested. */
export function skipValue(text: string, start: number): number {
  const unit = text.charCodeAt(start)
  if (unit === quote) return skipString(text, start)
  if (unit === openBracket || unit === openBrace) return skipContainer(text, start)
  let position = start
  while (position < text.length && !endsScalar(text.charCodeAt(position))) position += 1
  if (position === start) throw notJson(start)
  return position
}

function skipContainer(text: string, start: number): number {
  // Counted, not recursed into: a value may be nested deeper than the stack is.
  let depth = 0
  for (let position = start; position < text.length; position += 1) {
    const unit = text.charCodeAt(position)
    if (unit === quote) position = skipString(text, position) - 1
    else if (unit === openBracket || unit === openBrace) depth += 1
    else if (unit === closeBracket || unit === closeBrace) {
      depth -= 1
      if (depth === 0) return position + 1
    }
  }
  throw notJson(text.length)
}

function skipString(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) throw notJson(start)
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1
    if (backslashes % 2 === 0) return end + 1
  }
  throw notJson(text.length)
}

function nameOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1)
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(text.slice(start, end)) as string
  } catch {
    throw notJson(start)
  }
}

function endsScalar(unit: number): boolean {
  return unit === comma || unit === closeBracket || unit === closeBrace || unit <= 0x20
}

function notJson(position: number): Error {
  return new Error(`not JSON: unexpected text or end at offset ${position}`)
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

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

export interface GrowingPlan extends PatchPlan {
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
