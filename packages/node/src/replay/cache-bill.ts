import { type CacheUse, createPromptCache, type PromptCache, type SentPrompt } from '@plimsoll/core'
import type { PriceRow } from './price-row.ts'

/** What one session costs at one price row, added up request by request. */
export interface CacheBill {
  /** Sends a request and says how its prompt was paid for. */
  readonly send: (prompt: SentPrompt, output: number) => CacheUse
  /** Keeps the last prompt alive; tokens read for it, none where it was gone. */
  readonly keepAlive: (at: number) => number
  /** Getting something back: one more request that reads the prompt and writes what came. */
  readonly recall: (promptTokens: number, recalledTokens: number) => void
  /** Carrying something along that was had back. */
  readonly carry: (tokens: number) => void
  readonly sums: () => BillSums
}

/** Dollars by what they were paid for, and tokens. */
export interface BillSums {
  readonly read: number
  readonly write: number
  readonly fresh: number
  readonly output: number
  readonly keepAlive: number
  readonly recalls: number
  readonly readTokens: number
  readonly promptTokens: number
}

/** Tokens of the call that asks for something back. */
const callTokens = 60

const million = 1_000_000

/** A bill with an empty cache. */
export function createCacheBill(row: PriceRow): CacheBill {
  const { input, output, read, write, longPrompt } = row
  const rules = row.isWarm ? { ...row.rules, lifetimeSeconds: null } : row.rules
  const cache: PromptCache = createPromptCache(rules)
  const sums = { read: 0, write: 0, fresh: 0, output: 0, keepAlive: 0, recalls: 0, readTokens: 0, promptTokens: 0 }
  const factors = (promptTokens: number) =>
    longPrompt !== null && promptTokens > longPrompt.above ? longPrompt : { input: 1, output: 1 }
  return {
    send(prompt, answerTokens) {
      const use = cache.send(prompt)
      const promptTokens = use.read + use.write + use.fresh
      const factor = factors(promptTokens)
      sums.read += (use.read * read * factor.input) / million
      sums.write += (use.write * write * factor.input) / million
      sums.fresh += (use.fresh * input * factor.input) / million
      sums.output += (answerTokens * output * factor.output) / million
      sums.readTokens += use.read
      sums.promptTokens += promptTokens
      return use
    },
    keepAlive(at) {
      const tokens = cache.touch(at)
      const factor = factors(tokens)
      if (tokens > 0) sums.keepAlive += (tokens * read * factor.input + output * factor.output) / million
      return tokens
    },
    recall(promptTokens, recalledTokens) {
      const factor = factors(promptTokens + recalledTokens)
      const prompt = promptTokens * read + (callTokens + recalledTokens) * write
      sums.recalls += (prompt * factor.input + callTokens * output * factor.output) / million
    },
    carry(tokens) {
      sums.recalls += (tokens * read) / million
    },
    sums: () => ({ ...sums }),
  }
}
