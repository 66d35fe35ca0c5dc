import { unchanging } from '../derive.ts'
import { applyEdits, type Edit, type ReplaceEdit, replacementsIn, structuralIn } from '../edit.ts'
import type { Facts, Tokenizer } from '../facts.ts'
import type { Message } from '../message.ts'
import { hideItemName } from '../policy.ts'
import type { TimingAccount } from '../report.ts'
import { withSurvivingSent } from '../results/protect.ts'
import { countBefore, estimator } from '../tokens/count-tokens.ts'
import { lastingReplacements } from './lasting-edits.ts'
import { affordable, type Ledger } from './ledger.ts'
import { type Moment, summariesIn } from './moment.ts'
import { firstTargetAt, type Target, type Targets, targetsOf } from './targets.ts'
import type { Timing } from './timing.ts'

/**
 * Delays changes to cached content until they are worth it. Unsent and uncached content changes at once. Everything else adds to a
 * debt with each request; once the debt after a place exceeds the cost of rewriting everything after it, the proposals there take
 * effect, unless the loss could make the conversation noticeably more expensive than untrimmed (`affordable`). So the length of the
 * conversation need not be guessed. An edit that took effect stays, proposed again or not. What is locked waits as well.
 */
export const economic: Timing = ({ proposals, inForce, messages, facts, ledger, moment }) => {
  const { terms, lockedTo = -1 } = moment
  const tokenizer = facts.tokens ?? estimator
  const replacements = replacementsIn(proposals)
  const structural = structuralIn(proposals)
  const standing = structural.length === 0 ? messages : applyEdits(messages, structural)
  const grouped = targetsOf(standing, replacements, lastingReplacements(inForce, structural), tokenizer)
  const { targets, unsettled } = grouped
  const lastSent = structural.length === 0 ? moment.lastSent : lastSentIn(standing, messages, structural, facts)
  const warmTo = Math.min(lastSent, moment.coldFrom - 1)
  const isUncached = terms.write <= terms.read
  const pins = new Set(facts.pins)
  const isChosen = createChosen(facts)
  // The others show as proposed.
  const old = new Set<number>()
  const undecided: number[] = []
  const locked: Target[] = []
  for (const at of unsettled) {
    const target = targets[at] as Target
    const isPinned = pins.size > 0 && pins.has((target.old[0] ?? target.proposed[0])?.message ?? '')
    const isFinal = target.old.length > 0 && facts.final?.has(target.key) === true
    // A decision about an unsent part is kept, regardless of new proposals: another process may have sent it.
    const isUnsent = target.index > lastSent && target.proposed.length > 0 && target.old.length === 0
    const saves = target.proposed.length > 0 && target.after < target.before && !isFinal
    if (target.index <= lockedTo && !isPinned && !target.isSame) {
      if (saves) locked.push(target)
      old.add(at)
      continue
    }
    // The user has seen its price.
    if (isChosen(target)) continue
    // Without a cache there is nothing to spare: unchanged parts are shown as proposed.
    const isFree =
      isUnsent || (saves && target.index > warmTo && target.index <= lastSent) || (isUncached && target.old.length === 0)
    if (saves && !isFree && !target.isSame && !isPinned && target.index <= lastSent) undecided.push(at)
    if (!isPinned && (target.isSame || !isFree)) old.add(at)
  }
  const candidates = undecided.map((at) => targets[at] as Target)

  const sizes = sizesOf(standing, grouped, tokenizer)
  const choice = choosePlace(candidates, sizes, warmTo, ledger, moment)
  const waiting = [...locked, ...candidates.filter((target) => target.index < choice.from)]
  for (const at of undecided) if ((targets[at] as Target).index >= choice.from) old.delete(at)
  const debts: Record<string, number> = {}
  for (const { key, before, after } of waiting) debts[key] = (ledger.debts[key] ?? 0) + (before - after) * terms.read
  const spent = spending(sizes, grouped, old, lastSent, warmTo, facts, moment)
  const bank = ledger.bank + spent.untrimmed - spent.own
  return {
    apply: old.size === 0 ? proposals : shownOf(structural, grouped, old),
    waiting: waiting.flatMap(({ proposed }) => proposed),
    ledger: nextLedger(ledger, messages, facts, moment, {
      debts,
      bank,
      untrimmed: (ledger.untrimmed ?? 0) + spent.untrimmed,
      expectedTokens: spent.unchanged,
    }),
    ...(isUncached ? {} : { account: accountOf({ candidates, waiting, choice, moment, grouped, bank, debts }) }),
  }
}

/** Shows exactly these replacements with the bookkeeping of `economic`: for decisions made elsewhere. `debts` are those of the pending edits. */
export function showing(edits: readonly Edit[], debts: Ledger['debts']): Timing {
  return ({ inForce, messages, facts, ledger, moment }) => {
    const tokenizer = facts.tokens ?? estimator
    const grouped = targetsOf(messages, replacementsIn(edits), replacementsIn(inForce), tokenizer)
    const sizes = sizesOf(messages, grouped, tokenizer)
    const warmTo = Math.min(moment.lastSent, moment.coldFrom - 1)
    const spent = spending(sizes, grouped, new Set(), moment.lastSent, warmTo, facts, moment)
    const settled = {
      debts,
      bank: ledger.bank + spent.untrimmed - spent.own,
      untrimmed: (ledger.untrimmed ?? 0) + spent.untrimmed,
      expectedTokens: spent.unchanged,
    }
    return { apply: edits, waiting: [], ledger: nextLedger(ledger, messages, facts, moment, settled) }
  }
}

/** Whether the user hides a part, or shows one again that was hidden. */
function createChosen({ hides }: Facts): (target: Target) => boolean {
  const hidden = new Set(hides)
  const isHiding = ({ policy }: ReplaceEdit) => policy === hideItemName
  return ({ old, proposed }) => proposed.some(({ message }) => hidden.has(message)) || old.some(isHiding)
}

/** The edits of all targets: the active ones of those in `old`, and the proposed ones of the others. */
function shownOf(structural: readonly Edit[], { targets, edits, starts }: Targets, old: ReadonlySet<number>): readonly Edit[] {
  const runs: (readonly Edit[])[] = []
  let from = 0
  for (const at of old) {
    runs.push(edits.slice(from, starts[at]), (targets[at] as Target).old)
    from = starts[at + 1] as number
  }
  return unchanging(structural.concat(...runs, edits.slice(from)), 'own')
}

function lastSentIn(
  standing: readonly Message[],
  messages: readonly Message[],
  structural: readonly Edit[],
  facts: Facts,
): number {
  const { sent } = withSurvivingSent(facts, messages, structural, standing)
  return sent === undefined || sent === null ? -1 : standing.findLastIndex(({ id }) => id === sent)
}

/** The tokens before a message, or after the last one: of the log, and as last sent. Undefined for a place that is not there. */
interface Sizes {
  readonly whole: (index: number) => number | undefined
  readonly shown: (index: number) => number | undefined
  readonly length: number
}

function sizesOf(messages: readonly Message[], { targets, saved }: Targets, tokenizer: Tokenizer): Sizes {
  const before = countBefore(messages, tokenizer)
  const whole = (index: number) => before[index]
  return {
    whole,
    shown(index) {
      const tokens = whole(index)
      return tokens === undefined ? undefined : tokens - (saved[firstTargetAt(targets, index)] as number)
    },
    length: messages.length,
  }
}

interface Choice {
  /** Proposals from this index on take effect. */
  readonly from: number
  /** The cost of rewriting everything after the best place. */
  readonly price: number
  readonly rewritten: number
  /** Whether it would be worth it but is not covered. */
  readonly isRefused: boolean
}

function choosePlace(candidates: readonly Target[], sizes: Sizes, warmTo: number, ledger: Ledger, { terms }: Moment): Choice {
  const extra = terms.write - terms.read
  const covered = affordable(ledger)
  const end = sizes.shown(warmTo + 1) ?? 0
  let debt = 0
  let removed = 0
  let best: Choice = { from: Number.POSITIVE_INFINITY, price: 0, rewritten: 0, isRefused: false }
  let most = 0
  let nearest = Number.NEGATIVE_INFINITY
  let price = 0
  let isRefused = false
  for (let at = candidates.length - 1; at >= 0; at -= 1) {
    const target = candidates[at] as Target
    debt += ledger.debts[target.key] ?? 0
    removed += target.before - target.after
    // A message's place is decided for all its parts.
    if (candidates[at - 1]?.index === target.index) continue
    const rewritten = end - (sizes.shown(target.index) as number) - removed
    const cost = rewritten * extra
    const gain = debt - cost
    if (gain > nearest) {
      nearest = gain
      price = cost
    }
    if (gain <= most) continue
    if (cost > covered) isRefused = true
    else {
      most = gain
      best = { from: target.index, price: cost, rewritten, isRefused: false }
    }
  }
  return best.from === Number.POSITIVE_INFINITY ? { ...best, price, isRefused } : best
}

function spending(
  { whole, shown, length }: Sizes,
  { targets, unsettled }: Targets,
  old: ReadonlySet<number>,
  lastSent: number,
  warmTo: number,
  { overhead = 0 }: Facts,
  { terms, reason }: Moment,
): { readonly untrimmed: number; readonly own: number; readonly unchanged: number } {
  let firstChange = lastSent + 1
  let removed = 0
  for (const at of unsettled) {
    const target = targets[at] as Target
    if (old.has(at) || target.isSame) continue
    removed += target.before - target.after
    firstChange = Math.min(firstChange, target.index)
  }
  const before = reason === null || reason === 'folded' ? overhead : 0
  const total = (size: Sizes['whole']) => overhead + (size(length) as number)
  const cost = (all: number, cached: number) => cached * terms.read + (all - cached) * terms.write
  const cachedWhole = before + (whole(warmTo + 1) ?? 0)
  const cached = before + (shown(Math.min(firstChange, warmTo + 1)) ?? 0)
  return {
    untrimmed: cost(total(whole), cachedWhole),
    own: cost(total(shown) - removed, cached),
    unchanged: overhead + (shown(firstChange) ?? 0),
  }
}

function nextLedger(
  ledger: Ledger,
  messages: readonly Message[],
  facts: Facts,
  moment: Moment,
  settled: Required<Pick<Ledger, 'debts' | 'bank' | 'untrimmed'>> & { readonly expectedTokens: number },
): Ledger {
  const { debts, bank, untrimmed, expectedTokens } = settled
  const { idleSeconds, terms, reason } = moment
  // Expectations of an earlier request are obsolete.
  const { expected: _old, ...before } = ledger
  return {
    ...before,
    debts,
    bank,
    untrimmed,
    cacheLifetimeSeconds: ledger.learned === undefined ? null : terms.lifetimeSeconds,
    summaries: summariesIn(messages),
    ...(facts.now === undefined ? {} : { at: facts.now }),
    ...(facts.prefix === undefined ? {} : { prefix: facts.prefix }),
    ...(facts.model === undefined ? {} : { model: facts.model }),
    // After a pause it is unknown whether the prompt is still cached: the provider's report will tell.
    ...(idleSeconds === null || (reason !== null && reason !== 'idle')
      ? {}
      : { expected: { gapSeconds: idleSeconds, tokens: expectedTokens } }),
  }
}

function accountOf({
  candidates,
  waiting,
  choice,
  moment,
  grouped: { targets, unsettled },
  bank,
  debts,
}: {
  readonly candidates: readonly Target[]
  readonly waiting: readonly Target[]
  readonly choice: Choice
  readonly moment: Moment
  readonly grouped: Targets
  readonly bank: number
  readonly debts: Ledger['debts']
}): TimingAccount {
  const { reason, terms } = moment
  const changed = reason !== null && reason !== 'first' && unsettled.some((at) => !(targets[at] as Target).isSame)
  return {
    decision:
      candidates.length === 0
        ? changed
          ? 'cold'
          : 'nothing'
        : Number.isFinite(choice.from)
          ? 'pays'
          : choice.isRefused
            ? 'bank'
            : 'waits',
    cold: reason,
    waitingTokens: waiting.reduce((sum, { before, after }) => sum + before - after, 0),
    debt: Object.values(debts).reduce((sum, debt) => sum + debt, 0),
    price: choice.price,
    rewritten: choice.rewritten,
    bank,
    lifetimeSeconds: terms.lifetimeSeconds,
  }
}
