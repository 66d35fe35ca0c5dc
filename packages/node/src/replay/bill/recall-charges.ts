import type { Tokenizer } from '@plimsoll/core'
import type { NeedOutcome } from '../needs/need.ts'
import type { CacheBill } from './cache-bill.ts'

/** When recalled text leaves the prompt again, in requests since then; besides when the cache is cold, which is free. Default: never. */
export interface RecallLasts {
  /** The set's own rule hides it then. */
  readonly recallLasts?: number
  /** From then on its rules remove it as soon as the prompt before it is written again for other reasons. */
  readonly recallStays?: number
}

/** Charges and counts recalls of needs that were not in view. Recalled text stays in the prompt, and serves later needs, until it can be removed. */
export function createRecallCharges(
  bill: Pick<CacheBill, 'recall' | 'carry'>,
  tokenizer: Tokenizer,
  { recallLasts = Number.POSITIVE_INFINITY, recallStays = Number.POSITIVE_INFINITY }: RecallLasts = {},
) {
  let carried = new Map<string, Carried>()
  let carriedTokens = 0
  let request = 0
  const times = new Map<string, number>()
  let recalls = 0
  return {
    /** Records a request: recalled text is sent along, or removed. `isRewritten` tells whether the prompt after a message had to be written again. */
    request(isCold: boolean, isRewritten: (after: string) => boolean = () => false): void {
      request += 1
      if (isCold) {
        carried = new Map()
        carriedTokens = 0
      }
      for (const [key, { since, after, tokens }] of carried) {
        const age = request - since
        if (age <= recallLasts && (age < recallStays || !isRewritten(after))) continue
        carried.delete(key)
        carriedTokens -= tokens
      }
      if (carriedTokens > 0) bill.carry(carriedTokens)
    },
    /** Charges one recall for each needed part that is not in view. `after` is the last message of the prompt. */
    charge(outcomes: readonly NeedOutcome[], promptTokens: number, after = ''): void {
      const asked = new Map<string, string>()
      const tried = new Map<string, string>()
      for (const { need, state, supplier, recalled, tried: before } of outcomes) {
        if (state === 'view' || supplier === null) continue
        const key = `${supplier.message}.${supplier.part}`
        if (carried.get(key)?.text.includes(need.text) === true) continue
        // One answer serves all needs of a step; the longest is charged.
        if ((asked.get(key)?.length ?? -1) < recalled.length) asked.set(key, recalled)
        if (before !== undefined) tried.set(key, before)
      }
      const bring = (text: string) => {
        const tokens = tokenizer.count(text)
        recalls += 1
        bill.recall(promptTokens + carriedTokens, tokens)
        carriedTokens += tokens
        return tokens
      }
      for (const [key, text] of asked) {
        const before = tried.get(key)
        const tokens = (before === undefined ? 0 : bring(before)) + bring(text)
        times.set(key, (times.get(key) ?? 0) + 1)
        carried.set(key, { text, tokens: tokens + (carried.get(key)?.tokens ?? 0), since: request, after })
      }
    },
    counts: () => ({
      recalls,
      recalled: times.size,
      recalledAgain: [...times.values()].filter((count) => count > 1).length,
    }),
  }
}

interface Carried {
  readonly text: string
  readonly tokens: number
  readonly since: number
  readonly after: string
}
