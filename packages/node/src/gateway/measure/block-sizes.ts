import { contentKinds, type KindTokens, noKinds } from './content-kinds.ts'
import type { PromptBlock } from './counterfactual.ts'
import type { ProviderTokens } from './provider-tokens.ts'

export type BlockSizes = ReturnType<typeof createBlockSizes>

/**
 * Measures the blocks of one conversation in the provider's tokens, by what it counts from one request to the next: added and removed
 * blocks account for the difference. Several blocks that were added together share it by how uncertain their sizes are, as in a Kalman
 * filter that ignores correlations. Blocks that were never sent are predicted by kind of content.
 */
export function createBlockSizes(tokens: ProviderTokens) {
  const known = new Map<string, MeasuredBlock>()
  let last: { readonly blocks: readonly PromptBlock[]; readonly total: number } | null = null

  function measuredOf(block: PromptBlock, isFirst: boolean): MeasuredBlock {
    let found = known.get(block.id)
    if (found === undefined) {
      const predicted = tokens.predict(kindsOf(block))
      found = { tokens: predicted, predicted, variance: varianceOf(block, isFirst), isOpen: isFirst }
      known.set(block.id, found)
    }
    return found
  }

  /** A conversation of normal length never reaches this: each message has few versions. */
  function forgetOld(blocks: readonly PromptBlock[]): void {
    const max = 10 * blocks.length + 1000
    if (known.size <= max) return
    const current = new Set(blocks.map(({ id }) => id))
    for (const id of known.keys()) if (known.size > max / 2 && !current.has(id)) known.delete(id)
  }

  return {
    /** Takes the blocks of a prompt and its count, in order. If it is known, the model is not learned from it again. */
    measure(blocks: readonly PromptBlock[], total: number, isKnown = false): void {
      if (!(total > 0)) return
      const before = last ?? { blocks: [], total: 0 }
      const added = without(blocks, before.blocks)
      const removed = without(before.blocks, blocks)
      const difference = total - before.total
      const first = blocks[0]
      const weight = last === null || added[0] === first ? 0.1 : 1
      if (!isKnown) tokens.learn(sumKinds(added, removed), difference, { weight })
      last = { blocks, total }
      const signed = [
        ...added.map((block) => ({ sign: 1, size: measuredOf(block, block === first) })),
        ...removed.map((block) => ({ sign: -1, size: measuredOf(block, false) })),
      ]
      let variance = rounding
      let rest = difference
      for (const { sign, size } of signed) {
        variance += size.variance
        rest -= sign * size.tokens
      }
      for (const { sign, size } of signed) {
        const share = size.variance / variance
        size.tokens = nearPrediction(size.tokens + sign * share * rest, size)
        size.variance *= 1 - share
      }
      forgetOld(blocks)
    },
    /** The size of a block: measured if it was sent, else predicted, given the size of its replacement. */
    of(block: PromptBlock, shown?: PromptBlock): number {
      const found = known.get(block.id)
      if (found !== undefined) return found.tokens
      const predicted = tokens.predict(kindsOf(block))
      const instead = shown === undefined ? undefined : known.get(shown.id)
      if (shown === undefined || instead === undefined) return predicted
      // The removed part of a block mostly has the same kind of content as the rest.
      const left = tokens.predict(kindsOf(shown))
      if (!(left > 0)) return predicted
      const trust = (instead.tokens / (instead.tokens + minAlike)) * Math.max(0, 1 - instead.variance / left)
      const ratio = Math.min(Math.max(1 + trust * (instead.tokens / left - 1), 1 / 4), 4)
      return Math.max(instead.tokens + (predicted - left) * ratio, 0)
    },
    /** By how many tokens that size may be off, because the provider counted little of such content. */
    doubtOf(block: PromptBlock, shown?: PromptBlock): number {
      if (known.has(block.id)) return 0
      return tokens.doubt(shown === undefined ? kindsOf(block) : removedKinds(block, shown))
    },
  }
}

interface MeasuredBlock {
  tokens: number
  readonly predicted: number
  variance: number
  /** Whether the provider may add hidden content to it. */
  readonly isOpen: boolean
}

/** Tokens by which any count may be off. */
const rounding = 2
/** A remainder of this many tokens says half of what a whole block would. */
const minAlike = 400
const otherPlace = contentKinds.indexOf('other')

function varianceOf(block: PromptBlock, isFirst: boolean): number {
  // The first block has tool definitions, and providers add their own instructions. Images and reasoning are guesses.
  return isFirst ? 4 * block.tokens + 1000 : block.tokens + 4 * (block.kinds?.[otherPlace] ?? 0)
}

function nearPrediction(value: number, { predicted, isOpen }: MeasuredBlock): number {
  return isOpen ? Math.max(value, predicted / 4) : Math.min(Math.max(value, predicted / 4), predicted * 4)
}

function kindsOf({ tokens, kinds }: PromptBlock): KindTokens {
  return kinds ?? [tokens, ...noKinds.slice(1)]
}

function removedKinds(block: PromptBlock, shown: PromptBlock): KindTokens {
  const left = kindsOf(shown)
  return kindsOf(block).map((amount, index) => Math.max(amount - (left[index] as number), 0))
}

function sumKinds(added: readonly PromptBlock[], removed: readonly PromptBlock[]): KindTokens {
  const sum = noKinds.slice()
  for (const block of added) for (const [index, amount] of kindsOf(block).entries()) sum[index] = (sum[index] as number) + amount
  for (const block of removed)
    for (const [index, amount] of kindsOf(block).entries()) sum[index] = (sum[index] as number) - amount
  return sum
}

function without(blocks: readonly PromptBlock[], other: readonly PromptBlock[]): readonly PromptBlock[] {
  let start = 0
  while (start < blocks.length && start < other.length && blocks[start]?.id === other[start]?.id) start += 1
  const counts = new Map<string, number>()
  for (const { id } of other.slice(start)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return blocks.slice(start).filter(({ id }) => {
    const count = counts.get(id) ?? 0
    counts.set(id, count - 1)
    return count <= 0
  })
}

/** A prompt as it went out and as the client sent it, in tokens block for block, with what the cache model predicts to be read of each. */
interface ReadComparison {
  readonly trimmed: readonly number[]
  readonly untrimmed: readonly number[]
  readonly predicted: { readonly trimmed: number; readonly untrimmed: number }
  /** Tokens of the trimmed one that the provider read from its cache. */
  readonly real: number
}

/**
 * How much of an untrimmed prompt would have been read, given how much of the trimmed one was. If that is about what was predicted, the
 * prediction for the other is used as well. If the provider had lost the prompt, it had lost both. If it had more than predicted, it had
 * that of both, up to the same block.
 */
export function untrimmedRead({ trimmed, untrimmed, predicted, real }: ReadComparison): number {
  // How many tokens of the untrimmed blocks come before the place that this many tokens of the trimmed ones reach.
  const place = (tokens: number): number => {
    let left = tokens
    let sum = 0
    for (let index = 0; index < untrimmed.length; index += 1) {
      const whole = untrimmed[index] as number
      const size = trimmed[index] ?? 0
      if (left < size) return sum + (whole * left) / size
      left -= size
      sum += whole
    }
    return sum
  }
  const within = (tokens: number) => Math.min(Math.max(tokens, 0), place(Number.POSITIVE_INFINITY))
  const same = place(real)
  const off = real - predicted.trimmed
  if (Math.abs(off) <= predicted.trimmed * looseness + slack) return within(predicted.untrimmed + same - place(predicted.trimmed))
  return within(off < 0 ? Math.min(predicted.untrimmed, same) : Math.max(predicted.untrimmed, same))
}

/** Sizes of blocks differ by this much along a prompt, and providers round. */
const looseness = 0.1
const slack = 1024
