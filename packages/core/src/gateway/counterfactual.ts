import { type CacheRules, usualRules } from '../bill/cache-rules.ts'
import { cacheTermsOf } from '../bill/cache-terms-of.ts'
import { type Cost, type CostOptions, costOfTurn } from '../bill/cost-of-turn.ts'
import type { Price } from '../bill/prices.ts'
import { createPromptCache, type PromptCache } from '../bill/prompt-cache.ts'
import { mostTokens, promptTotal, type Usage } from '../usage.ts'
import { untrimmedRead } from './untrimmed-read.ts'

/** A piece of a prompt, as a cache sees it: blocks of one id are the same, byte for byte. */
export interface PromptBlock {
  readonly id: string
  readonly tokens: number
}

/** A request that was sent, and the same as it would have been. */
export interface CounterfactualRequest {
  /** When it was sent, in milliseconds. */
  readonly at: number
  readonly model: string | null
  /** Null where nobody knows it. */
  readonly price: Price | null
  /** What the provider reported; null where it did not. */
  readonly usage: Usage | null
  /** All blocks of the prompt, with what stands before the messages, as the client sent them and as they went out: one for one. */
  readonly untrimmed: readonly PromptBlock[]
  readonly trimmed: readonly PromptBlock[]
  /** Places of blocks that the client marked for the cache, ascending. Default: the last one. */
  readonly breakpoints?: readonly number[]
  readonly cacheLifetime?: CostOptions['cacheLifetime']
}

/** What a request would have come to untrimmed. */
export interface UntrimmedRequest {
  /** Null where the provider reported nothing. */
  readonly usage: Usage | null
  /** Null where there is no price. */
  readonly cost: Cost | null
}

/** What has to be remembered of a conversation to go on elsewhere. Plain JSON. */
export interface CounterfactualState {
  readonly model: string | null
  readonly at: number
  readonly untrimmed: readonly PromptBlock[]
  readonly trimmed: readonly PromptBlock[]
  readonly breakpoints: readonly number[]
}

/** Follows one conversation as it is and as it would have been. */
export interface Counterfactual {
  /** Takes note of a request that the provider accepted, in order. */
  readonly note: (request: CounterfactualRequest) => UntrimmedRequest
  /** Null before the first request. */
  readonly state: () => CounterfactualState | null
}

/**
 * Says what the requests of a conversation would have cost untrimmed. Two caches by the provider's rules get the prompts as they went
 * out and as the client sent them; what the first foretells is held against what the provider reported, and the second is put right by
 * the same. So where nothing is trimmed the answer is exactly what was paid, and a provider that counts other tokens or forgets early
 * does not look like a saving. Answers are taken to be equal.
 */
export function createCounterfactual(known: CounterfactualState | null = null): Counterfactual {
  let state = known
  let caches: Caches | null = null
  // A request that writes nothing does not say for how long.
  let lifetime: NonNullable<CostOptions['cacheLifetime']> = 'provider'

  function cachesFor({ model, price }: CounterfactualRequest): Caches {
    const rules = price === null ? usualRules : { ...price.cache, lifetimeSeconds: cacheTermsOf(price, lifetime).lifetimeSeconds }
    if (caches !== null && caches.model === model && sameRules(caches.rules, rules)) return caches
    const fresh = createCaches(model, rules)
    // Who goes on elsewhere, or came to know the price, has one request to begin with. Another model has a cache of its own.
    if (state !== null && state.model === model) fresh.send(state)
    return fresh
  }

  return {
    note(request) {
      const { at, model, usage, price } = request
      const prompt: CounterfactualState = {
        at,
        model,
        untrimmed: request.untrimmed.map(sound),
        trimmed: request.trimmed.map(sound),
        breakpoints: request.breakpoints ?? [],
      }
      if ((usage?.cacheWrite ?? 0) > 0) lifetime = request.cacheLifetime ?? 'provider'
      caches = cachesFor(request)
      const foretold = caches.send(prompt)
      state = prompt
      const would = usage === null ? null : untrimmedUsage(usage, prompt, foretold)
      return { usage: would, cost: would === null ? null : costOfTurn(would, price, { cacheLifetime: lifetime }) }
    },
    state: () => state,
  }
}

interface Caches {
  readonly model: string | null
  readonly rules: CacheRules
  /** Sends both prompts: how much of each is read. */
  readonly send: (prompt: CounterfactualState) => Foretold
}

interface Foretold {
  readonly trimmed: number
  readonly untrimmed: number
}

function createCaches(model: string | null, rules: CacheRules): Caches {
  const trimmedCache = createPromptCache(rules)
  const untrimmedCache = createPromptCache(rules)
  const numbers = new Map<string, number>()
  const keyOf = ({ id }: PromptBlock): number => {
    const number = numbers.get(id) ?? numbers.size
    numbers.set(id, number)
    return number
  }
  const read = (cache: PromptCache, blocks: readonly PromptBlock[], { at, breakpoints }: CounterfactualState): number => {
    const places = [...breakpoints.filter((place) => place < blocks.length - 1), blocks.length - 1]
    return cache.send({ keys: blocks.map(keyOf), tokens: blocks.map(({ tokens }) => tokens), breakpoints: places, at }).read
  }
  return {
    model,
    rules,
    send: (prompt) => ({
      trimmed: read(trimmedCache, prompt.trimmed, prompt),
      untrimmed: read(untrimmedCache, prompt.untrimmed, prompt),
    }),
  }
}

function untrimmedUsage(usage: Usage, { trimmed, untrimmed }: CounterfactualState, foretold: Foretold): Usage {
  const total = promptTotal(usage)
  const sent = sumOf(trimmed)
  const whole = sumOf(untrimmed)
  if (!(total > 0 && sent > 0)) return usage
  // The provider counts by its own vocabulary, and what stands around a prompt.
  const scale = total / sent
  const read = scale * untrimmedRead({ trimmed, untrimmed, foretold, real: usage.cacheRead / scale })
  const rest = Math.max(scale * whole - read, 0)
  const written = total > usage.cacheRead ? usage.cacheWrite / (total - usage.cacheRead) : 0
  return { input: rest * (1 - written), cacheRead: read, cacheWrite: rest * written, output: usage.output }
}

function sumOf(blocks: readonly PromptBlock[]): number {
  let sum = 0
  for (const { tokens } of blocks) sum += tokens
  return sum
}

/** Sizes may be anybody's guess; what is no number of tokens is none. */
function sound(block: PromptBlock): PromptBlock {
  return block.tokens >= 0 && block.tokens <= mostTokens ? block : { ...block, tokens: 0 }
}

function sameRules(one: CacheRules, other: CacheRules): boolean {
  return (
    one === other ||
    (one.match === other.match &&
      one.minPrefix === other.minPrefix &&
      one.lifetimeSeconds === other.lifetimeSeconds &&
      one.step === other.step)
  )
}
