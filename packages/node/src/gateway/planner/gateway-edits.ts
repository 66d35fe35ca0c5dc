import type { Edit, Part, ReplaceEdit } from '@plimsoll/core'
import { gatewayPolicies, isThought, partKey, type TrimMode } from '@plimsoll/core/policies'
import type { ResultContent } from '@plimsoll/core/wire'
import type { Decision, DecisionKey } from '../../store/gateway-record.ts'
import type { GatewayPart } from './gateway-parts.ts'

export interface GatewayEdits {
  /** The latest decision about each part: it holds in every conversation. */
  readonly edits: readonly ReplaceEdit[]
  /** The decisions that the last request on this branch showed. The same list if none is behind. */
  readonly shown: readonly ReplaceEdit[]
  /** The number of decisions about each part, by its `partKey`; none for a missing part. */
  readonly levels: ReadonlyMap<string, number>
  /** The parts of which the last request on this branch showed an earlier decision, and which one: 0 for none. */
  readonly behind: ReadonlyMap<string, number>
}

/** The last request on a branch: later decisions of others were not part of it. */
export interface ShownBefore {
  readonly at: number
  readonly has: (message: string) => boolean
  readonly behind: Readonly<Record<string, number>>
  /** Decisions up to then were not shown, because the store could not be asked. Null: all were. */
  readonly wholeUntil: number | null
}

export interface NewDecision {
  readonly decision: Decision
  readonly part: GatewayPart
  readonly edit: ReplaceEdit
}

/** Cut when first seen, capped, made a stub and a placeholder as it ages, and one more. No decision is ever undone. */
export const maxLevels = 5

export function decisionKeys(parts: readonly GatewayPart[], mode: TrimMode): readonly DecisionKey[] {
  const keys: DecisionKey[] = []
  for (const { key, part, original, trail, content } of parts) {
    const levels = levelsOf(content, mode)
    for (let level = 0; level < levels; level += 1) {
      const known = { part, original: atLevel(original, level) }
      if (!isThought(content)) keys.push({ ...known, key })
      if (trail !== null && mode !== 'safe') keys.push({ ...known, key: keyOnTrail(key, trail) })
    }
  }
  return keys
}

/** What the keys of a part have in common, for each way in which a decision can name it. */
export function addressesOf(part: GatewayPart): readonly string[] {
  let known = addresses.get(part)
  if (known === undefined) {
    const { key, trail } = part
    known = trail === null ? [nameOf(part)] : [nameOf(part), nameOf({ ...part, key: keyOnTrail(key, trail) })]
    addresses.set(part, known)
  }
  return known
}

const addresses = new WeakMap<GatewayPart, readonly string[]>()

export function addressOf({ key, part, original }: DecisionKey): string {
  return nameOf({ key, part, original: original.replace(/\+\d+$/, '') })
}

/** The decisions about each part of a list, by its own keys and those of its trail. */
export type DecisionsAbout = (part: GatewayPart, index: number) => readonly Decision[]

export function decisionsAbout(decisions: readonly Decision[]): (part: GatewayPart) => readonly Decision[] {
  if (decisions.length === 0) return () => []
  const found = Map.groupBy(decisions, addressOf)
  return (part) => addressesOf(part).flatMap((address) => found.get(address) ?? [])
}

/** The edits of the decisions that were found. The same decision about the same part gives the same object. */
export function gatewayEdits(
  parts: readonly GatewayPart[],
  about: DecisionsAbout,
  mode: TrimMode,
  before: ShownBefore | null = null,
): GatewayEdits {
  const edits: ReplaceEdit[] = []
  const earlier: (ReplaceEdit | null)[] = []
  const levels = new Map<string, number>()
  const behind = new Map<string, number>()
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] as GatewayPart
    const decisions = about(part, index)
    if (decisions.length === 0) continue
    const { made, edit } = decidedAbout(part, decisions, mode)
    if (made.length === 0) continue
    const shown = before?.has(part.message) === true ? levelShown(part.place, made, before) : made.length
    levels.set(part.place, made.length)
    if (shown < made.length) behind.set(part.place, shown)
    if (edit === null) continue
    edits.push(edit)
    const last = made[shown - 1]
    earlier.push(shown === made.length ? edit : last === undefined ? null : makeEdit(part, last, mode))
  }
  return { edits, shown: behind.size === 0 ? edits : earlier.filter((edit) => edit !== null), levels, behind }
}

interface DecidedPart {
  readonly decisions: readonly Decision[]
  readonly mode: TrimMode
  /** The decision at each level. */
  readonly made: readonly Decision[]
  /** What the last of them shows; null if it does not count in this mode. */
  readonly edit: ReplaceEdit | null
}

const decided = new WeakMap<GatewayPart, DecidedPart>()

function decidedAbout(part: GatewayPart, decisions: readonly Decision[], mode: TrimMode): DecidedPart {
  const known = decided.get(part)
  if (known !== undefined && known.decisions === decisions && known.mode === mode) return known
  const made = levelsFound(part, decisions, mode)
  const last = made.at(-1)
  const found = { decisions, mode, made, edit: last === undefined ? null : editOf(part, last, mode) }
  decided.set(part, found)
  return found
}

function levelsFound(part: GatewayPart, decisions: readonly Decision[], mode: TrimMode): readonly Decision[] {
  const named = new Map(decisions.map((decision) => [nameOf(decision), decision]))
  const made: Decision[] = []
  let last = -1
  const levels = levelsOf(part.content, mode)
  for (let level = 0; level < levels; level += 1) {
    const decision = decisionAbout(part, level, named)
    if (decision === undefined) continue
    // A missing level was lost: the later one replaces it.
    for (; last < level; last += 1) made.push(decision)
  }
  return made
}

function levelShown(place: string, made: readonly Decision[], { at, behind, wholeUntil }: ShownBefore): number {
  if (Object.hasOwn(behind, place)) return Math.min(behind[place] as number, made.length)
  let shown = made.length
  for (; shown > 0; shown -= 1) {
    const decidedAt = (made[shown - 1] as Decision).at
    if (decidedAt <= at && (wholeUntil === null || decidedAt > wholeUntil)) break
  }
  return shown
}

/** The edits that were not decided before, as decisions; at most one for each key. */
export function newDecisions(
  edits: readonly Edit[],
  parts: readonly GatewayPart[],
  { edits: active, levels }: GatewayEdits,
  at: number,
): readonly NewDecision[] {
  const wanted = new Set(edits.flatMap((edit) => (edit.kind === 'replace' ? [partKey(edit)] : [])))
  const known = new Map<string, ReplaceEdit>()
  for (const edit of active) if (wanted.has(partKey(edit))) known.set(partKey(edit), edit)
  const places = new Map<string, GatewayPart>()
  for (const part of parts) if (wanted.has(part.place)) places.set(part.place, part)
  const made = new Map<string, NewDecision>()
  for (const edit of edits) {
    if (edit.kind !== 'replace') continue
    const place = partKey(edit)
    const before = known.get(place)
    const part = places.get(place)
    if (part === undefined || (before !== undefined && isSamePart(before.with, edit.with))) continue
    const { key, part: number, original, trail } = part
    const decision: Decision = {
      key: trail === null || holdsAnywhere(edit.policy) ? key : keyOnTrail(key, trail),
      part: number,
      original: atLevel(original, levels.get(place) ?? 0),
      policy: edit.policy,
      why: edit.why,
      with: edit.with,
      ...(edit.refers === undefined ? {} : { refers: edit.refers }),
      at,
    }
    if (!made.has(nameOf(decision))) made.set(nameOf(decision), { decision, part, edit })
  }
  return [...made.values()]
}

/** The edits that hold for the parts of new decisions: the first writer's. A part decided by a bolder mode does not change. */
export function heldEdits(
  held: readonly { readonly mine: NewDecision; readonly holds: Decision }[],
  mode: TrimMode,
): readonly ReplaceEdit[] {
  return held.flatMap(({ mine, holds }) => {
    const adopted = editOf(mine.part, holds, mode)
    if (adopted === null) return []
    return [isSamePart(adopted.with, mine.edit.with) ? mine.edit : adopted]
  })
}

/** Joins the edits of several rules on one part into one, with the name of the last rule that `isNamed`. */
export function joinEdits(edits: readonly Edit[], isNamed: (policy: string) => boolean = () => true): readonly ReplaceEdit[] {
  const replacing = edits.filter((edit) => edit.kind === 'replace')
  // Nearly always each part has one.
  if (new Set(replacing.map(partKey)).size === replacing.length) return replacing
  return [...Map.groupBy(replacing, partKey).values()].map((chain) => joined(chain, isNamed))
}

function joined(chain: readonly ReplaceEdit[], isNamed: (policy: string) => boolean): ReplaceEdit {
  const last = chain.at(-1) as ReplaceEdit
  if (chain.length === 1) return last
  const named = chain.findLast(({ policy }) => isNamed(policy)) ?? last
  const why = chain.filter(({ policy }) => isNamed(policy)).map((edit) => edit.why)
  return { ...last, id: named.id, policy: named.policy, why: why.join(' ') }
}

function nameOf({ key, part, original }: DecisionKey): string {
  return `${original} ${part} ${key}`
}

function atLevel(original: string, level: number): string {
  return level === 0 ? original : `${original}+${level}`
}

function keyOnTrail(key: string, trail: string): string {
  return `${key} ${trail}`
}

/** If another call may have the same id, only decisions that depend on the result alone apply. */
function decisionAbout(part: GatewayPart, level: number, found: ReadonlyMap<string, Decision>): Decision | undefined {
  const { key, part: number, trail } = part
  const original = atLevel(part.original, level)
  const anywhere = found.get(nameOf({ key, part: number, original }))
  if (trail === null) return anywhere
  const here = found.get(nameOf({ key: keyOnTrail(key, trail), part: number, original }))
  return here ?? (anywhere !== undefined && holdsAnywhere(anywhere.policy) ? anywhere : undefined)
}

/** Whether a rule looks at a result alone, not at its age or its neighbours. */
function holdsAnywhere(policy: string): boolean {
  return anywhere.has(policy)
}

const anywhere: ReadonlySet<string> = new Set(gatewayPolicies('safe').map(({ name }) => name))

/** In `safe` a result is decided about once, when it is first seen. A call loses replaced text first, then the rest. A thought is omitted or not. */
function levelsOf({ type }: Part, mode: TrimMode): number {
  if (mode === 'observe' || (mode === 'safe' && type !== 'tool-result')) return 0
  return mode === 'safe' ? 1 : type === 'tool-result' ? maxLevels : type === 'tool-call' ? callLevels : 1
}

const callLevels = 2

// The store returns new objects with every request; the same edit keeps what was worked out about it.
const made = new WeakMap<Part, { readonly decision: Decision; readonly edit: ReplaceEdit }>()

function editOf(part: GatewayPart, decision: Decision, mode: TrimMode): ReplaceEdit | null {
  const known = made.get(part.content)
  if (known !== undefined && known.edit.message === part.message && isSameRow(known.decision, decision))
    return isFor(mode, decision) ? known.edit : null
  const edit = makeEdit(part, decision, mode)
  if (edit !== null) made.set(part.content, { decision, edit })
  return edit
}

function isFor(mode: TrimMode, { policy }: Decision): boolean {
  return mode !== 'safe' || holdsAnywhere(policy)
}

function makeEdit(part: GatewayPart, decision: Decision, mode: TrimMode): ReplaceEdit | null {
  const { policy, why } = decision
  const shown = isFor(mode, decision) ? shownInstead(part.content, decision.with) : null
  if (shown === null) return null
  return {
    id: `${policy}:${part.message}.${part.part}`,
    policy,
    kind: 'replace',
    message: part.message,
    part: part.part,
    with: shown,
    ...(decision.refers === undefined ? {} : { refers: decision.refers }),
    why,
  }
}

/** Only the content of a result and the arguments of a call change, and a thought is only omitted, regardless of what the store says. */
function shownInstead(was: Part, is: Part): Part | null {
  if (was.type === 'tool-result')
    return is.type === 'tool-result' ? { ...was, content: contentLike(was.content, is.content) } : null
  if (was.type === 'tool-call')
    return is.type === 'tool-call' && typeof is.input === typeof was.input ? { ...was, input: is.input } : null
  return isThought(was) && is.type === 'reasoning' && is.text === '' ? { type: 'reasoning', text: '' } : null
}

function isSameRow(one: Decision, other: Decision): boolean {
  if (one === other) return true
  return (
    one.original === other.original && one.policy === other.policy && one.why === other.why && isSamePart(one.with, other.with)
  )
}

/** Compares texts directly: serialising two long ones would take longer than everything else. */
function isSamePart(one: Part, other: Part): boolean {
  if (one === other) return true
  if (one.type === 'text' && other.type === 'text') return one.text === other.text
  if (one.type !== 'tool-result' || other.type !== 'tool-result') return JSON.stringify(one) === JSON.stringify(other)
  const [was, is] = [one.content, other.content]
  if (was.type === 'text' && is.type === 'text') return was.text === is.text
  if (was.type !== 'list' || is.type !== 'list') return JSON.stringify(was) === JSON.stringify(is)
  return was.items.length === is.items.length && was.items.every((item, index) => isSamePart(item, is.items[index] as Part))
}

/** In the form that the client uses now, with fields in the usual order. */
function contentLike(was: ResultContent, is: ResultContent): ResultContent {
  switch (is.type) {
    case 'text': {
      const [only] = was.type === 'list' ? was.items : []
      if (was.type === 'list' && was.items.length === 1 && only?.type === 'text')
        return { type: 'list', items: [{ ...only, text: is.text }] }
      return { type: 'text', text: is.text }
    }
    case 'json':
      return { type: 'json', value: is.value }
    case 'list': {
      const [only] = is.items
      if (was.type === 'text' && is.items.length === 1 && only?.type === 'text') return { type: 'text', text: only.text }
      return {
        type: 'list',
        items: is.items.map((item) => (item.type === 'text' ? { ...item, type: 'text', text: item.text } : item)),
      }
    }
  }
}
