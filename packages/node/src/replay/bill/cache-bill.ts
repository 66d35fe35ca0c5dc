import type { PriceRow } from './price-rows.ts'
import { type CacheUse, createPromptCache, type SentPrompt } from './prompt-cache.ts'

export type CacheBill = ReturnType<typeof createCacheBill>

/** Dollars, and tokens. */
export interface BillSums {
  readonly read: number
  readonly write: number
  readonly fresh: number
  readonly output: number
  /** Requests that only keep the cache alive. */
  readonly keepAlive: number
  /** Recalling all needs that were not in view. */
  readonly recalls: number
  readonly readTokens: number
  readonly promptTokens: number
}

/** Tokens of the call that recalls something. */
export const callTokens = 60

const million = 1_000_000

/** Adds up the cost of one session at one price row, request by request. */
export function createCacheBill(row: PriceRow) {
  const { output, read, write } = row
  const cache = createPromptCache(row.isWarm ? { ...row.rules, lifetimeSeconds: null } : row.rules)
  const sums = { read: 0, write: 0, fresh: 0, output: 0, keepAlive: 0, recalls: 0, readTokens: 0, promptTokens: 0 }
  return {
    send(prompt: SentPrompt, answerTokens: number): CacheUse {
      const use = cache.send(prompt)
      const cost = costOfUse(row, use, answerTokens)
      sums.read += cost.read
      sums.write += cost.write
      sums.fresh += cost.fresh
      sums.output += cost.output
      sums.readTokens += use.read
      sums.promptTokens += promptTokensOf(use)
      return use
    },
    /** Keeps the last prompt alive. Returns the tokens read for it, 0 if it had expired. */
    keepAlive(at: number): number {
      const tokens = cache.touch(at)
      const factor = factorsOf(row, tokens)
      if (tokens > 0) sums.keepAlive += (tokens * read * factor.input + output * factor.output) / million
      return tokens
    },
    /** Bills one more request, which reads the prompt and writes the recalled text. */
    recall(promptTokens: number, recalledTokens: number): void {
      const factor = factorsOf(row, promptTokens + recalledTokens)
      const prompt = promptTokens * read + (callTokens + recalledTokens) * write
      sums.recalls += (prompt * factor.input + callTokens * output * factor.output) / million
    },
    carry(tokens: number): void {
      sums.recalls += (tokens * read) / million
    },
    sums: (): BillSums => ({ ...sums }),
  }
}

function costOfUse(row: PriceRow, use: CacheUse, answerTokens: number) {
  const factor = factorsOf(row, promptTokensOf(use))
  return {
    read: (use.read * row.read * factor.input) / million,
    write: (use.write * row.write * factor.input) / million,
    fresh: (use.fresh * row.input * factor.input) / million,
    output: (answerTokens * row.output * factor.output) / million,
  }
}

function promptTokensOf({ read, write, fresh }: CacheUse): number {
  return read + write + fresh
}

function factorsOf({ longPrompt }: PriceRow, promptTokens: number): { readonly input: number; readonly output: number } {
  return longPrompt !== null && promptTokens > longPrompt.above ? longPrompt : { input: 1, output: 1 }
}
