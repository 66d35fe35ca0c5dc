import { applyEdits, type Edit } from './edit.ts'
import type { Facts } from './facts.ts'
import { rememberGrowth } from './growing-list.ts'
import { checkView } from './invariants.ts'
import { checkLegal } from './legal-edits.ts'
import { measureEdits, type Stage, stagesOf } from './measure-edits.ts'
import type { Message } from './message.ts'
import type { Policy } from './policy.ts'
import { type Report, type ReportedEdit, sumRules } from './report.ts'
import { emptyLedger, type Ledger, type Timing, type TimingName, timingNamed } from './timing.ts'
import { countMessages, estimator } from './tokens.ts'
import { toolResults } from './tool-results.ts'

export interface BuildViewInput {
  /** The conversation as the log holds it. May be frozen; is never changed. */
  readonly messages: readonly Message[]
  /** The edits that took effect in the last accepted request. Default: none. */
  readonly edits?: readonly Edit[]
  /** The last message of the last request the provider accepted. Default: nothing was sent, everything counts as seen. */
  readonly sent?: string | null
  /** Default: `immediate`. */
  readonly timing?: TimingName | Timing
  readonly policies: readonly Policy[]
  readonly facts: Facts
  readonly ledger?: Ledger
}

export interface BuiltView {
  /** What the model should see. */
  readonly view: readonly Message[]
  /** The edits in force: applied to the messages they give the view. */
  readonly edits: readonly Edit[]
  readonly report: Report
  readonly ledger: Ledger
}

/**
 * Turns a conversation into what the model should see, and says why. Start reading here.
 *
 * Policies plan one after the other, each on what those before it would leave, from the originals: never from the edits in
 * force, so the answer does not depend on the path that led here. `timing` then decides which proposals take effect now.
 */
export function buildView(input: BuildViewInput): BuiltView {
  const { messages, policies, ledger = emptyLedger } = input
  if (!Array.isArray(messages)) throw new TypeError(`buildView: expected messages to be a list, got ${typeof messages}`)
  if (!Array.isArray(policies)) throw new TypeError(`buildView: expected policies to be a list, got ${typeof policies}`)
  const inForce = input.edits ?? []
  let facts: Facts = { ...input.facts, sent: knownSent(input.sent, messages) }
  const timing = typeof input.timing === 'function' ? input.timing : timingNamed(input.timing ?? 'immediate')
  const tokenizer = facts.tokens ?? estimator
  checkIds(messages)

  const standing = standingFolds(inForce, policies, messages)
  const base = applyEdits(messages, standing)
  const stages: Stage[] = standing.length === 0 ? [] : [{ messages, edits: standing }]
  const results = toolResults(base, facts).length
  let planned = base
  for (const policy of policies) {
    const edits = policy.plan(planned, facts)
    if (!Array.isArray(edits)) throw new TypeError(`${policy.name}: expected plan to return a list of edits, got ${typeof edits}`)
    if (edits.length === 0) continue
    const next = applyEdits(planned, edits)
    checkLegal(policy.name, planned, edits, next)
    stages.push({ messages: planned, edits })
    planned = next
    // Where a policy takes away the last message that was sent, the one before it is the last that was seen.
    const sent = survivingSent(facts.sent ?? null, messages, edits, next)
    if (sent !== facts.sent) facts = { ...facts, sent }
  }

  const proposals = stages.flatMap((stage) => (stage.edits === standing ? [] : stage.edits))
  const decision = timing({ proposals, inForce, messages: base, facts, ledger })
  const waits = decision.apply !== proposals
  const view = waits ? applyEdits(base, decision.apply) : planned
  const edits = standing.length === 0 ? decision.apply : [...standing, ...decision.apply]
  const measured = measureEdits(waits ? stagesOf(messages, edits) : stages, inForce, facts)
  const tokensBefore = countMessages(messages, tokenizer)
  const report: Report = {
    tokensBefore,
    tokensAfter: measured.reduce((tokens, edit) => tokens + edit.tokensAfter - edit.tokensBefore, tokensBefore),
    edits: measured,
    waiting: waits ? measureEdits(stagesOf(base, decision.waiting), inForce, facts) : [],
    // A legal replacement leaves calls, results and their order as they are, so what holds before it holds after it.
    problems: checkView(edits.every((edit) => edit.kind === 'replace') ? base : view),
    rules: sumRules(measured),
    truncationRate: truncationRate(measured, results),
  }
  return { view, edits, report, ledger: decision.ledger }
}

/**
 * Folds that were written between two requests, such as summaries, as far as this branch still has their messages. What a
 * running policy proposes is planned anew instead.
 */
function standingFolds(inForce: readonly Edit[], policies: readonly Policy[], messages: readonly Message[]): readonly Edit[] {
  const folds = inForce.filter(
    (edit) => edit.kind === 'fold' && edit.into !== null && !policies.some(({ name }) => name === edit.policy),
  )
  if (folds.length === 0) return folds
  const ids = new Set(messages.map((message) => message.id))
  return folds.filter((edit) => {
    if (edit.kind !== 'fold' || edit.into === null || !ids.has(edit.first) || !ids.has(edit.last)) return false
    // A later fold may begin or end at an earlier summary.
    ids.add(edit.into.id)
    return true
  })
}

/** A message that is not there says nothing about what was sent. */
function knownSent(sent: string | null | undefined, messages: readonly Message[]): string | null {
  return sent !== undefined && sent !== null && messages.findLastIndex(({ id }) => id === sent) >= 0 ? sent : null
}

function survivingSent(
  sent: string | null,
  messages: readonly Message[],
  edits: readonly Edit[],
  next: readonly Message[],
): string | null {
  if (sent === null || !edits.some((edit) => edit.kind === 'fold')) return sent
  const left = new Set(next.map((message) => message.id))
  if (left.has(sent)) return sent
  const seen = messages.slice(
    0,
    messages.findLastIndex(({ id }) => id === sent),
  )
  // Nothing is left of what was seen: an id that no message has keeps everything else unseen.
  return seen.findLast((message) => left.has(message.id))?.id ?? sent
}

/** Edits name messages by id, so an id that names two messages cannot be worked with. */
const checkIds = rememberGrowth({
  start: () => new Set<string>(),
  extend(ids, messages, from) {
    for (let index = from; index < messages.length; index += 1) {
      const { id, parts } = messages[index] as Message
      if (!Array.isArray(parts))
        throw new TypeError(`message ${JSON.stringify(id)}: expected parts to be a list, got ${typeof parts}`)
      if (ids.has(id)) throw new Error(`message id ${JSON.stringify(id)} appears twice: expected one message per id`)
      ids.add(id)
    }
  },
  finish: () => undefined,
})

function truncationRate(edits: readonly ReportedEdit[], results: number): number {
  const cut = edits.filter((edit) => edit.policy === 'limit-tool-output').length
  return results === 0 ? 0 : cut / results
}
