import type { Patch, Path } from './patch.ts'

/** `patchValue` for a JSON text, keeping all other characters. Throws if a patch names a missing place or the text is not JSON. */
export function patchText(text: string, patches: readonly Patch[]): string {
  if (patches.length === 0) return text
  const { splices, problem } = visit(text, skipSpace(text, 0), planPatches(patches), [])
  if (problem !== null) throw problem
  const pieces: string[] = []
  let position = 0
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    pieces.push(text.slice(position, splice.start), splice.text)
    position = splice.end
  }
  pieces.push(text.slice(position))
  return pieces.join('')
}

type Splice = { readonly start: number; readonly end: number; readonly text: string }

/** The result for one value. A problem is stored, not thrown: a later field of the same name may make it irrelevant. */
type Visit = { readonly end: number; readonly splices: readonly Splice[]; readonly problem: Error | null }

function visit(text: string, start: number, plan: PatchPlan, path: Path): Visit {
  if (plan.change?.op === 'set') {
    const end = skipValue(text, start)
    return { end, splices: [{ start, end, text: written(plan.change.value, path) }], problem: null }
  }
  const members: Member[] = []
  // The last field of a name counts, so it replaces an earlier one.
  const found = new Map<string | number, Visit>()
  const container = walkMembers(text, start, (name, at, from) => {
    const child = plan.children.get(name)
    const removed = child?.change?.op === 'remove'
    const isKept = child === undefined || removed
    const inner: Visit = isKept
      ? { end: skipValue(text, at), splices: [], problem: null }
      : visit(text, at, child, [...path, name])
    if (child !== undefined) found.set(name, inner)
    members.push({ start: from, end: inner.end, removed })
    return inner.end
  })
  if (container === null) return { end: skipValue(text, start), splices: [], problem: missing(path, plan) }
  const { end, inside, isList } = container
  const { added, problem } = isList
    ? listChanges(plan, members.length, path, found)
    : objectChanges(plan, members.length, path, found)
  // Before the inner ones: an insertion before an item precedes a change of that item.
  const splices = [...reshape(text, inside, members, added)]
  for (const inner of found.values()) for (const splice of inner.splices) splices.push(splice)
  return { end, splices, problem }
}

type Changes = { readonly added: ReadonlyMap<number, readonly string[]>; readonly problem: Error | null }

function listChanges(plan: PatchPlan, length: number, path: Path, found: ReadonlyMap<string | number, Visit>): Changes {
  const inner = [...found.values()].find(({ problem }) => problem !== null)
  const added = [...plan.inserts].map(([index, values]) => [index, values.map((value) => written(value, path))] as const)
  return { added: new Map(added), problem: inner?.problem ?? missingPosition(plan, length, path) }
}

function objectChanges(plan: PatchPlan, length: number, path: Path, found: ReadonlyMap<string | number, Visit>): Changes {
  let problem = plan.inserts.size > 0 ? missing(path, plan) : null
  const added: string[] = []
  for (const [key, child] of plan.children) {
    const here = found.get(key)
    if (here !== undefined) problem ??= here.problem
    else if (typeof key === 'string' && child.change?.op === 'set')
      added.push(`${JSON.stringify(key)}:${written(child.change.value, [...path, key])}`)
    else problem ??= missing([...path, key], child)
  }
  return { added: new Map([[length, added]]), problem }
}

type Member = { readonly start: number; readonly end: number; readonly removed: boolean }

/** Removes and adds members. Neighbours are one splice, so that one comma is left; new ones are separated like the first two. */
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

/** Walks the members of a list or object; null for other values. `enter` returns where a member's value ends, or null to stop. */
export function walkMembers(
  text: string,
  start: number,
  enter: (name: string | number, at: number, from: number) => number | null,
): { readonly isList: boolean; readonly inside: number; readonly end: number } | null {
  const opening = text.charCodeAt(start)
  const isList = opening === openBracket
  if (!isList && opening !== openBrace) return null
  const closing = isList ? closeBracket : closeBrace
  const inside = start + 1
  let position = skipSpace(text, inside)
  for (let index = 0; text.charCodeAt(position) !== closing; index += 1) {
    if (index > 0) position = skipSign(text, position, comma)
    const from = position
    let name: string | number = index
    if (!isList) {
      const end = skipString(text, from)
      name = nameOf(text, from, end)
      position = skipSign(text, skipSpace(text, end), colon)
    }
    const end = enter(name, position, from)
    if (end === null) break
    position = skipSpace(text, end)
  }
  return { isList, inside, end: position + 1 }
}

function skipSign(text: string, position: number, sign: number): number {
  if (text.charCodeAt(position) !== sign) throw notJson(position)
  return skipSpace(text, position + 1)
}

export function skipSpace(text: string, start: number): number {
  let position = start
  for (;;) {
    const unit = text.charCodeAt(position)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return position
    position += 1
  }
}

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
  // Counted, not recursed into: a value may be nested deeper than the stack allows.
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

export interface PatchPlan {
  change: Exclude<Patch, { readonly op: 'insert' }> | null
  readonly children: Map<string | number, PatchPlan>
  readonly inserts: Map<number, unknown[]>
}

/** Arranges patches by place. Throws if two of them overlap. */
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

export function missingPosition(plan: PatchPlan, length: number, path: Path): Error | null {
  for (const [index, child] of plan.children)
    if (typeof index !== 'number' || !(index >= 0 && index < length)) return missing([...path, index], child)
  for (const index of plan.inserts.keys()) if (!(index >= 0 && index <= length)) return missing([...path, index], plan)
  return null
}

export function missing(path: Path, plan: PatchPlan): Error {
  const op = plan.change?.op ?? (plan.inserts.size > 0 ? 'insert' : 'change')
  return new Error(`patch at ${JSON.stringify(path)}: nothing there to ${op}`)
}

function emptyPlan(): PatchPlan {
  return { change: null, children: new Map(), inserts: new Map() }
}

function descend(root: PatchPlan, patch: Patch, depth: number): PatchPlan {
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
