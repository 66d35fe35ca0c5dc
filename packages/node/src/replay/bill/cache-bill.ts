import type { PriceRow } from './price-rows.ts'
import { type CacheUse, createPromptCache, type PromptCache, type SentPrompt } from './prompt-cache.ts'

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
  const { output, read, write } = row
  const rules = row.isWarm ? { ...row.rules, lifetimeSeconds: null } : row.rules
  const cache: PromptCache = createPromptCache(rules)
  const sums = { read: 0, write: 0, fresh: 0, output: 0, keepAlive: 0, recalls: 0, readTokens: 0, promptTokens: 0 }
  const factors = (promptTokens: number) => factorsOf(row, promptTokens)
  return {
    send(prompt, answerTokens) {
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

/** What one request costs at a price row, in dollars. */
export function costOfUse(
  row: PriceRow,
  use: CacheUse,
  answerTokens: number,
): Pick<BillSums, 'read' | 'write' | 'fresh' | 'output'> {
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
