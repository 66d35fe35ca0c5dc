import {
  believedLifetime,
  type CacheRules,
  type Cost,
  type CostOptions,
  cacheTermsOf,
  costOfTurn,
  learnLifetime,
  maxTokens,
  type Price,
  promptTotal,
  type Usage,
  usualRules,
  usualTerms,
} from '@plimsoll/core/bill'
import { createPromptCache, type PromptCache } from '../../replay/bill/prompt-cache.ts'
import { addNewest } from '../planner/known-messages.ts'
import { type BlockSizes, createBlockSizes, untrimmedRead } from './block-sizes.ts'
import type { KindTokens } from './content-kinds.ts'
import { createLearnedModels, type LearnedModel, type LearnedModels } from './kept-models.ts'

/** A piece of a prompt: blocks with the same id have the same bytes. */
export interface PromptBlock {
  readonly id: string
  readonly tokens: number
  /** The same by kind of content. Default: all of one kind. */
  readonly kinds?: KindTokens
}

/** A request that was sent, and the same request untrimmed. */
export interface CounterfactualRequest {
  readonly at: number
  /** When it was sent again, trimmed, so that it stays cached. Default: it was not. */
  readonly keptAt?: number
  readonly model: string | null
  readonly price: Price | null
  readonly usage: Usage | null
  /** All blocks of the prompt, starting before the messages, as the client sent them and as they went out: one for one. */
  readonly untrimmed: readonly PromptBlock[]
  readonly trimmed: readonly PromptBlock[]
  /** Places of blocks that the client marked for the cache, ascending. Default: the last one. */
  readonly breakpoints?: readonly number[]
  readonly cacheLifetime?: CostOptions['cacheLifetime']
  /** Whether the model was learned from it before, so that only the sizes of its blocks are new. Default: no. */
  readonly isKnown?: boolean
}

export interface UntrimmedRequest {
  readonly usage: Usage | null
  readonly cost: Cost | null
  /** By how many dollars the cost may be off, because it includes content that the provider never counted, or little of it. */
  readonly doubt: number
}

export type Counterfactual = ReturnType<typeof createCounterfactual>

/**
 * Computes what the requests of a conversation would have cost untrimmed. Sizes are in the provider's own tokens: measured where two
 * requests differ by known blocks, else predicted by kind of content. Two caches with the provider's rules get the prompts as they went
 * out and as the client sent them. The difference between what the first predicts and what the provider reported corrects the second. So
 * if nothing is trimmed, the result is exactly what was paid, and a provider that counts differently or forgets early does not look like
 * a saving. Answers are assumed to be equal.
 */
export function createCounterfactual(learned: Pick<LearnedModels, 'of'> = createLearnedModels()) {
  // Each model has its own cache and counts its own tokens.
  const followed = new Map<string | null, FollowedModel>()
  // A request that writes nothing does not say for how long.
  let lifetime: NonNullable<CostOptions['cacheLifetime']> = 'provider'

  function follow(name: string | null): FollowedModel {
    let found = followed.get(name)
    if (found === undefined) {
      const model = learned.of(name)
      found = { model, sizes: createBlockSizes(model.tokens), caches: null, last: null, written: 0 }
    }
    addNewest(followed, name, found, maxModels)
    return found
  }

  return {
    /** Takes a request that the provider accepted, in order. */
    note(request: CounterfactualRequest): UntrimmedRequest {
      const { at, model, usage, price } = request
      const prompt: Prompt = {
        at,
        keptAt: request.keptAt ?? at,
        untrimmed: request.untrimmed.map(sound),
        trimmed: request.trimmed.map(sound),
        breakpoints: request.breakpoints ?? [],
        usage,
      }
      if ((usage?.cacheWrite ?? 0) > 0) lifetime = request.cacheLifetime ?? 'provider'
      const current = follow(model)
      if (usage !== null) current.sizes.measure(prompt.trimmed, promptTotal(usage), request.isKnown)
      const stated =
        price === null ? usualRules : { ...price.cache, lifetimeSeconds: cacheTermsOf(price, lifetime).lifetimeSeconds }
      const rules = lifetime === 'hour' || request.isKnown === true ? stated : withLearnedLifetime(current, prompt, stated)
      if (current.caches === null || !sameRules(current.caches.rules, rules)) {
        current.caches = createCaches(rules)
        // When the price becomes known, the last request is all there is to start with.
        if (current.last !== null) current.caches.send(current.last, sizesOf(current.last, current.sizes))
      }
      const sizes = sizesOf(prompt, current.sizes)
      const predicted = current.caches.send(prompt, sizes)
      current.last = prompt
      if (usage === null) return { usage: null, cost: null, doubt: 0 }
      const uncached = promptTotal(usage) - usage.cacheRead
      // A prompt that is too short to be cached says nothing about longer ones.
      if (uncached > 0 && promptTotal(usage) >= rules.minPrefix) current.written = usage.cacheWrite / uncached
      const would = untrimmedUsage(usage, sizes, predicted, current.written)
      const cost = costOfTurn(would, price, { cacheLifetime: lifetime })
      const max = costOfTurn(withDoubt(would, sizes), price, { cacheLifetime: lifetime })
      return { usage: would, cost, doubt: cost === null || max === null ? 0 : Math.max(max.dollars - cost.dollars, 0) }
    },
    /** The last prompt was sent again so that it stays cached. Untrimmed, it would not have been. */
    kept(name: string | null, at: number): void {
      const current = followed.get(name)
      if (current === undefined || current.last === null) return
      current.last = { ...current.last, keptAt: at }
      current.caches?.keep(current.last, sizesOf(current.last, current.sizes))
    },
  }
}

const maxModels = 4

interface Prompt {
  readonly at: number
  /** When the trimmed one was sent last. */
  readonly keptAt: number
  readonly untrimmed: readonly PromptBlock[]
  readonly trimmed: readonly PromptBlock[]
  readonly breakpoints: readonly number[]
  readonly usage: Usage | null
}

interface FollowedModel {
  readonly model: LearnedModel
  readonly sizes: BlockSizes
  caches: Caches | null
  last: Prompt | null
  /** The part of uncached input that was written to the cache. */
  written: number
}

type Caches = ReturnType<typeof createCaches>

type PromptSizes = ReturnType<typeof sizesOf>

function createCaches(rules: CacheRules) {
  const trimmedCache = createPromptCache(rules)
  const untrimmedCache = createPromptCache(rules)
  const numbers = new Map<string, number>()
  // The same block is the same object in every request, and in both prompts unless it was trimmed.
  const known = new WeakMap<PromptBlock, number>()
  const keyOf = (block: PromptBlock): number => {
    let number = known.get(block)
    if (number !== undefined) return number
    number = numbers.get(block.id) ?? numbers.size
    numbers.set(block.id, number)
    known.set(block, number)
    return number
  }
  const read = (
    cache: PromptCache,
    blocks: readonly PromptBlock[],
    tokens: readonly number[],
    at: number,
    { breakpoints }: Prompt,
  ): number => {
    const places = [...breakpoints.filter((place) => place < blocks.length - 1), blocks.length - 1]
    return cache.send({ keys: blocks.map(keyOf), tokens, breakpoints: places, at }).read
  }
  return {
    rules,
    send: (prompt: Prompt, sizes: PromptSizes) => ({
      trimmed: read(trimmedCache, prompt.trimmed, sizes.trimmed, prompt.keptAt, prompt),
      untrimmed: read(untrimmedCache, prompt.untrimmed, sizes.untrimmed, prompt.at, prompt),
    }),
    keep: (prompt: Prompt, sizes: PromptSizes): void =>
      void read(trimmedCache, prompt.trimmed, sizes.trimmed, prompt.keptAt, prompt),
  }
}

/** The rules with the lifetime that prompts have shown to have. One that only continues the last shows whether that was still there. */
function withLearnedLifetime({ model, last }: FollowedModel, { at, trimmed, usage }: Prompt, rules: CacheRules): CacheRules {
  if (last?.usage && usage && last.trimmed.every(({ id }, index) => trimmed[index]?.id === id)) {
    const isReported = rules.match === 'breakpoints' || rules.match === 'latest-breakpoints'
    const kept = isReported ? last.usage.cacheRead + last.usage.cacheWrite : promptTotal(last.usage)
    if (kept >= rules.minPrefix)
      model.lifetime = learnLifetime(model.lifetime, { gapSeconds: (at - last.keptAt) / 1000, expectedTokens: kept, usage })
  }
  return { ...rules, lifetimeSeconds: believedLifetime({ ...usualTerms, ...rules }, model.lifetime) }
}

/** Measured or predicted sizes, adjusted so that those of the trimmed prompt add up to what the provider counted. */
function sizesOf({ trimmed, untrimmed, usage }: Prompt, sizes: BlockSizes) {
  const sent = trimmed.map((block) => sizes.of(block))
  const total = usage === null ? 0 : promptTotal(usage)
  const sum = sumOf(sent)
  const scale = total > 0 && sum > 0 ? total / sum : 1
  const whole: number[] = []
  const doubts: number[] = []
  for (let index = 0; index < untrimmed.length; index += 1) {
    const [block, shown] = [untrimmed[index] as PromptBlock, trimmed[index]]
    const isSent = shown === block || shown?.id === block.id
    whole.push((isSent ? (sent[index] as number) : sizes.of(block, shown)) * scale)
    doubts.push(isSent ? 0 : sizes.doubtOf(block, shown) * scale)
  }
  return { trimmed: sent.map((size) => size * scale), untrimmed: whole, doubts }
}

/** The usage if everything in doubt were counted that much higher: what is read from the cache, and the rest. */
function withDoubt(usage: Usage, { untrimmed, doubts }: PromptSizes): Usage {
  let left = usage.cacheRead
  let [read, rest] = [0, 0]
  for (let index = 0; index < untrimmed.length; index += 1) {
    const size = untrimmed[index] as number
    const share = size > 0 ? Math.min(Math.max(left, 0) / size, 1) : 1
    read += share * (doubts[index] as number)
    rest += (1 - share) * (doubts[index] as number)
    left -= size
  }
  const uncached = usage.input + usage.cacheWrite
  const written = uncached > 0 ? usage.cacheWrite / uncached : 0
  return {
    input: usage.input + rest * (1 - written),
    cacheRead: usage.cacheRead + read,
    ...writtenTokens(usage, usage.cacheWrite + rest * written),
    output: usage.output,
  }
}

function untrimmedUsage(
  usage: Usage,
  { trimmed, untrimmed }: PromptSizes,
  predicted: ReturnType<Caches['send']>,
  written: number,
): Usage {
  if (!(promptTotal(usage) > 0 && sumOf(trimmed) > 0)) return usage
  const read = untrimmedRead({ trimmed, untrimmed, predicted, real: usage.cacheRead })
  const rest = Math.max(sumOf(untrimmed) - read, 0)
  const uncached = promptTotal(usage) - usage.cacheRead
  const share = usage.cacheWrite > 0 ? usage.cacheWrite / uncached : sumOf(untrimmed) > promptTotal(usage) ? written : 0
  return { input: rest * (1 - share), cacheRead: read, ...writtenTokens(usage, rest * share), output: usage.output }
}

/** Of what would be written, the same share for an hour as of what was. */
function writtenTokens(usage: Usage, cacheWrite: number): Pick<Usage, 'cacheWrite' | 'cacheWriteHour'> {
  if (usage.cacheWriteHour === undefined || !(usage.cacheWrite > 0)) return { cacheWrite }
  return { cacheWrite, cacheWriteHour: cacheWrite * (usage.cacheWriteHour / usage.cacheWrite) }
}

function sumOf(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0)
}

function sound(block: PromptBlock): PromptBlock {
  return block.tokens >= 0 && block.tokens <= maxTokens ? block : { id: block.id, tokens: 0 }
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
