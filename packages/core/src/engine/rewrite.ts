import { type Edit, type Places, placesOf } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { fitWindowName, hideItemName } from '../policy.ts'
import type { ReportedEdit, Rewrite } from '../report.ts'
import type { Moment } from '../timing/moment.ts'
import { atOnce, immediate, type Timing, type TimingDecision } from '../timing/timing.ts'
import { countMessage, countPart, estimator } from '../tokens/count-tokens.ts'

/**
 * Edits of the last accepted request that this one no longer has, although their messages are still there. Not those replaced by an edit of the same
 * name or covered by a fold.
 */
export function withdrawnEdits(
  inForce: readonly Edit[],
  edits: readonly Edit[],
  messages: readonly Message[],
  facts: Facts,
): readonly ReportedEdit[] {
  if (isPartOf(inForce, edits)) return none
  const now = new Set<string>()
  for (let index = 0; index < edits.length; index += 1) now.add((edits[index] as Edit).id)
  const gone = inForce.filter(({ id }) => !now.has(id))
  if (gone.length === 0) return none
  const places = placesOf(messages)
  const folded = foldedMessages(edits, messages, places)
  const lastSent = facts.sent === undefined || facts.sent === null ? -1 : (places.get(facts.sent) ?? -1)
  const { tokens = estimator } = facts
  return gone.flatMap((edit): readonly ReportedEdit[] => {
    const message =
      edit.kind === 'replace' ? edit.message : edit.kind === 'fold' ? edit.first : (edit.after ?? messages[0]?.id ?? '')
    const place = placeOf(message, inForce, places)
    if (place === undefined || folded.has(message)) return none
    const original = edit.kind === 'replace' && places.get(message) !== undefined ? messages[place]?.parts[edit.part] : undefined
    const shown = edit.kind === 'insert' ? edit.message : edit.kind === 'fold' ? edit.into : null
    const part = edit.kind === 'replace' ? edit.part : 0
    const tool = original?.type === 'tool-result' || original?.type === 'tool-call' ? original.tool : null
    const { id, policy, kind, why } = edit
    return [
      {
        id,
        policy,
        kind,
        message,
        part,
        tool,
        tokensBefore: edit.kind === 'replace' ? countPart(edit.with, tokens) : shown === null ? 0 : countMessage(shown, tokens),
        tokensAfter: original === undefined ? 0 : countPart(original, tokens),
        why,
        cache: place <= lastSent ? 'rewrite' : 'free',
      },
    ]
  })
}

const none: readonly ReportedEdit[] = []

/** Whether a list has edits of all these names in order, as most requests have those of the request before. */
function isPartOf(some: readonly Edit[], all: readonly Edit[]): boolean {
  let next = 0
  for (let index = 0; index < all.length && next < some.length; index += 1)
    if (all[index] === some[next] || all[index]?.id === some[next]?.id) next += 1
  return next === some.length
}

function placeOf(message: string, edits: readonly Edit[], places: Places): number | undefined {
  let id = message
  for (let depth = 0; depth < maxDepth; depth += 1) {
    const place = places.get(id)
    if (place !== undefined) return place
    const put = edits.find((edit) => edit.kind === 'insert' && edit.message.id === id)
    if (put?.kind !== 'insert') return undefined
    if (put.after === null) return 0
    id = put.after
  }
  return undefined
}

const maxDepth = 100

function foldedMessages(edits: readonly Edit[], messages: readonly Message[], places: Places): ReadonlySet<string> {
  const folded = new Set<string>()
  for (const edit of edits) {
    if (edit.kind !== 'fold') continue
    const first = places.get(edit.first)
    const last = places.get(edit.last)
    if (first === undefined || last === undefined) continue
    for (let index = first; index <= last; index += 1) folded.add(messages[index]?.id ?? '')
  }
  return folded
}

export interface RewriteContext {
  readonly messages: readonly Message[]
  readonly view: readonly Message[]
  readonly facts: Facts
  readonly decision: TimingDecision
  readonly moment: Moment
  readonly timing: Timing
}

/** The combined change of these rows; null if none of them rewrites anything. */
export function rewriteOf(
  edits: readonly ReportedEdit[],
  withdrawn: readonly ReportedEdit[],
  context: RewriteContext,
): Rewrite | null {
  const isChange = ({ cache }: ReportedEdit) => cache === 'rewrite'
  const changes = [...edits.filter(isChange), ...withdrawn.filter(isChange)]
  if (changes.length === 0) return null
  const { messages, view, facts } = context
  const first = firstPlace(new Set(changes.map(({ message }) => message)), messages, view)
  const tokens = tokensAgain(view, messages, first, facts)
  const { writePrice } = facts
  return {
    reason: reasonOf(changes, first, context),
    message: messages[first]?.id ?? '',
    tokens,
    dollars: writePrice === undefined ? null : (tokens * writePrice) / 1_000_000,
  }
}

function firstPlace(changed: ReadonlySet<string>, messages: readonly Message[], view: readonly Message[]): number {
  const first = messages.findIndex(({ id }) => changed.has(id))
  const shown = view.findIndex(({ id }) => changed.has(id))
  if (shown < 0) return Math.max(0, first)
  const places = placesOf(messages)
  const before = view.slice(0, shown + 1).findLast(({ id }) => places.get(id) !== undefined)
  const place = before === undefined ? 0 : (places.get(before.id) as number)
  return first < 0 ? place : Math.min(first, place)
}

function reasonOf(
  changes: readonly ReportedEdit[],
  place: number,
  { decision, moment, timing, facts }: RewriteContext,
): Rewrite['reason'] {
  if (moment.reason !== null && moment.reason !== 'first' && place >= moment.coldFrom) return moment.reason
  if (timing === immediate || timing === atOnce) return 'immediate'
  if (changes.some(({ policy }) => policy === fitWindowName)) return 'full'
  if (changes.some(({ policy }) => policy === hideItemName)) return 'hidden'
  if (decision.account?.decision === 'pays') return 'pays'
  if (changes.some(({ message, part }) => facts.changed?.has(`${message}.${part}`))) return 'adopted'
  return changes.every(({ kind }) => kind === 'replace') ? 'withdrawn' : 'repair'
}

function tokensAgain(view: readonly Message[], messages: readonly Message[], first: number, facts: Facts): number {
  const { sent = null, tokens = estimator } = facts
  const last = sent === null ? -1 : messages.findLastIndex(({ id }) => id === sent)
  let places: Places | null = null
  let sum = 0
  let place = -1
  for (const message of view) {
    if (messages[place + 1]?.id === message.id) place += 1
    else {
      places ??= placesOf(messages)
      place = places.get(message.id) ?? place
    }
    if (place > last) break
    if (place >= first) sum += countMessage(message, tokens)
  }
  return sum
}
