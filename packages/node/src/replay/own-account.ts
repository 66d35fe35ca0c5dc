import type { Message, Tokenizer } from '@plimsoll/core'
import { type CostParts, costOfTurn, type Price, type Usage } from '@plimsoll/core/bill'
import { countMessage } from '@plimsoll/core/text'
import { sampledEstimator } from '../model/sampled-tokenizer.ts'
import { getOrMake } from '../shared/get-or-make.ts'
import { type BothSides, createBothSides, overheadTokens } from './bill/both-sides.ts'
import { callTokens } from './bill/cache-bill.ts'
import type { PriceRow } from './bill/price-rows.ts'
import { createRecallCharges } from './bill/recall-charges.ts'
import type { NeedOutcome } from './needs/need.ts'
import type { PolicySet } from './policy-sets.ts'
import type { RecordedSession, RecordedStep } from './record-session.ts'
import { isRewritten, type ReplayedStep, type StepBefore } from './replay-steps.ts'
import { overheadOf } from './view-source.ts'

/** A session at its own prices, in the provider's tokens: as recorded, and as a policy set would have sent it. */
export interface OwnAccount {
  readonly recorded: AccountSide
  readonly shown: AccountSide
  /** Dollars for recalling what was needed later and not in view, and how many recalls there were. */
  readonly recalls: number
  readonly recallCount: number
  /** Dollars that edits saved, by the policy that made them. */
  readonly saved: Readonly<Record<string, number>>
  /** Dollars for content after a change, which the provider had in its cache, and for the definition of the recall tool. */
  readonly rewritten: number
  readonly recallTool: number
  /** Requests without a known price, which count in no sum of dollars. */
  readonly unpriced: number
  /** Requests whose usage the provider reported. */
  readonly reported: number
  /** Dollars of both sides, recalls included, by hours since 1970. */
  readonly hours: readonly (readonly [hour: number, recorded: number, shown: number])[]
}

export interface AccountSide {
  readonly parts: CostParts
  readonly dollars: number
  /** Tokens of all prompts, of the largest one, and of each. */
  readonly tokens: number
  readonly peak: number
  readonly prompts: readonly number[]
}

/** The price of a request's model on the day of the request; null if unknown. */
export type PriceOfStep = (step: Pick<RecordedStep, 'model' | 'at'>) => Price | null

/** Adds up both sides of a session, request by request. */
export function createOwnAccount(
  session: RecordedSession,
  set: PolicySet,
  usual: PriceRow,
  tokens: Tokenizer,
  priceOf: PriceOfStep,
) {
  const sizes = new WeakMap<Message, number>()
  const sizeOf = (message: Message) => getOrMake(sizes, message, () => countMessage(message, sampledEstimator))
  const added = addedTokens(session, set, tokens)
  const sides = createBothSides(session, { sizeOf, added, priceOf, usual })
  const recorded = createSide()
  const shown = createSide()
  const saved = new Map<string, number>()
  const hours = new Map<number, { recorded: number; shown: number }>()
  const sums = { recalls: 0, rewritten: 0, recallTool: 0, unpriced: 0, reported: 0 }
  let now: { readonly both: BothSides; readonly price: Price | null } | null = null
  const charge = (recalled: number, isCarried: boolean) => {
    if (now === null) return 0
    const { both, price } = now
    const prompt = isCarried ? 0 : both.shown.usage.input + both.shown.usage.cacheRead + both.shown.usage.cacheWrite
    const isWritten = price !== null && price.cacheWrite > price.input
    const fresh = isCarried ? 0 : (recalled + callTokens) * both.scale
    const usage = {
      cacheRead: prompt + (isCarried ? recalled * both.scale : 0),
      cacheWrite: isWritten ? fresh : 0,
      input: isWritten ? 0 : fresh,
      output: isCarried ? 0 : callTokens,
    }
    return costOfTurn(usage, price)?.dollars ?? 0
  }
  const recallBill = {
    recall: (_prompt: number, recalled: number) => {
      sums.recalls += charge(recalled, false)
    },
    carry: (carried: number) => {
      sums.recalls += charge(carried, true)
    },
  }
  const charges = createRecallCharges(recallBill, tokens, set)

  return {
    /** Compares the next request, and returns the usage that the provider would have reported. */
    next(replayed: ReplayedStep, before: StepBefore | null): Usage {
      const { step, originals, shown: seen } = replayed
      const common = commonMessages(replayed, before)
      now = {
        both: sides({ step, originals, view: seen.view, common, isKeptAlive: isKept(set, replayed) }),
        price: priceOf(step),
      }
      return now.both.shown.usage
    },
    /** Adds it, with what was needed later of what it does not show. */
    add(replayed: ReplayedStep, outcomes: readonly NeedOutcome[]): void {
      if (now === null) return
      const { both, price } = now
      recorded.add(both.recorded)
      shown.add(both.shown)
      const recallsBefore = sums.recalls
      charges.request(both.shown.usage.cacheRead === 0, (after) => isRewritten(replayed, after))
      charges.charge(outcomes, 0, replayed.shown.view.at(-1)?.id)
      if (both.isReported) sums.reported += 1
      if (both.account === null) sums.unpriced += 1
      else {
        sums.rewritten += both.account.rewritten
        sums.recallTool += both.account.recallTool
        divide(both.account.removed, replayed, both, price, saved)
      }
      const hour = Math.floor(replayed.step.at / 3_600_000)
      const bucket = getOrMake(hours, hour, () => ({ recorded: 0, shown: 0 }))
      bucket.recorded += both.recorded.cost?.dollars ?? 0
      bucket.shown += (both.shown.cost?.dollars ?? 0) + sums.recalls - recallsBefore
    },
    total: (withPrompts: boolean): OwnAccount => ({
      recorded: recorded.total(withPrompts),
      shown: shown.total(withPrompts),
      recallCount: charges.counts().recalls,
      ...sums,
      saved: Object.fromEntries(saved),
      hours: session.hasTimes ? [...hours].map(([hour, sum]) => [hour, sum.recorded, sum.shown] as const) : [],
    }),
  }
}

/** Counted tokens that a set adds to every request. Reports on Plimsoll's own sessions include its recall tool. */
export function addedTokens({ format }: RecordedSession, set: PolicySet, tokens: Tokenizer): number {
  return format === 'plimsoll' ? 0 : overheadOf(set, tokens) - overheadTokens
}

/** How many messages a view has in common with the one before it; null if it only continues it, or the agent itself compacted. */
export function commonMessages({ prompt, step }: ReplayedStep, before: StepBefore | null): number | null {
  if (before === null || before.step.segment !== step.segment || prompt.same >= before.prompt.length) return null
  const place = prompt.ends.findIndex((end) => end >= prompt.same)
  return place < 0 ? prompt.ends.length : place
}

/** Whether a set that keeps the cache alive did so since the request before. */
export function isKept({ keepAlive }: PolicySet, { uses }: ReplayedStep): boolean {
  return keepAlive === true && (uses[0]?.read ?? 0) > 0
}

/** Divides what a request saved among the policies, by the tokens that their edits removed and what those would have cost. */
function divide(
  dollars: number,
  { originals, shown }: ReplayedStep,
  both: BothSides,
  price: Price | null,
  saved: Map<string, number>,
): void {
  if (shown.edits.length === 0 || price === null) return
  const unread = new Set(originals.slice(both.readMessages).map(({ id }) => id))
  const fresh = price.cacheWrite > price.input ? price.cacheWrite : price.input
  const weights = new Map<string, number>()
  let all = 0
  for (let index = 0; index < shown.edits.length; index += 1) {
    const { policy, message, tokensBefore, tokensAfter } = shown.reported[index] as (typeof shown.reported)[number]
    const weight = Math.max(0, tokensBefore - tokensAfter) * (unread.has(message) ? fresh : price.cacheRead)
    weights.set(policy, (weights.get(policy) ?? 0) + weight)
    all += weight
  }
  if (all > 0) for (const [policy, weight] of weights) saved.set(policy, (saved.get(policy) ?? 0) + (dollars * weight) / all)
}

function createSide() {
  const parts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  const prompts: number[] = []
  let [tokens, peak] = [0, 0]
  return {
    add({ usage: { input, cacheRead, cacheWrite }, cost }: BothSides['recorded']): void {
      for (const name of ['input', 'cacheRead', 'cacheWrite', 'output'] as const) parts[name] += cost?.parts[name] ?? 0
      const prompt = input + cacheRead + cacheWrite
      tokens += prompt
      peak = Math.max(peak, prompt)
      prompts.push(prompt)
    },
    total: (withPrompts: boolean): AccountSide => ({
      parts,
      dollars: parts.input + parts.cacheRead + parts.cacheWrite + parts.output,
      tokens,
      peak,
      prompts: withPrompts ? prompts : [],
    }),
  }
}
