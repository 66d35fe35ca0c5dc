import { isRecord } from '@plimsoll/core/text'
import { contentKinds, type KindTokens } from './content-kinds.ts'

export type ProviderTokens = ReturnType<typeof createProviderTokens>

/**
 * Learns how a provider counts the tokens of one model, as multiples of our estimate for each kind of content. Until something is learned, the provider counts about what we estimate. From then on, a kind that was seen rarely
 * is taken to be counted like the rest. Ridge regression around the ratio of everything seen. Counting everything in other units changes the
 * answers by the same factor, but for packed data that was never seen.
 */
export function createProviderTokens() {
  const size = contentKinds.length
  // The normal equations, and the two sums of the overall ratio.
  const matrix = contentKinds.map(() => contentKinds.map(() => 0))
  const vector = contentKinds.map(() => 0)
  let estimated = 0
  let counted = 0
  let ratios: KindTokens | null = null
  let inverse: readonly KindTokens[] | null = null

  const overall = () => (estimated > 0 && counted > 0 ? counted / estimated : 1)
  const withPrior = () =>
    matrix.map((row, index) => row.map((value, column) => value + (column === index ? at(priorWeights, index) : 0)))

  function solved(): KindTokens {
    if (ratios !== null) return ratios
    const expected = contentKinds.map((kind) => usualRatio(kind, overall()))
    const right = vector.map((value, index) => value - predictWith(expected, matrix[index] as readonly number[]))
    // A ratio that no tokenizer has is a coincidence.
    const [low, high] = [overall() / 4, overall() * 4]
    ratios = solve(withPrior(), right).map((difference, index) => Math.min(Math.max(at(expected, index) + difference, low), high))
    return ratios
  }

  function varianceOf(kinds: KindTokens): number {
    const unit = (index: number) => contentKinds.map((_, column) => (column === index ? 1 : 0))
    inverse ??= contentKinds.map((_, index) => solve(withPrior(), unit(index)))
    const spread = inverse.map((row) => predictWith(row, kinds))
    return Math.max(predictWith(spread, kinds), 0)
  }

  function changed(): void {
    ratios = null
    inverse = null
  }

  return {
    /** Content that was removed between two requests counts below zero. The weight is the trust in the count, from 0 to 1. */
    learn(kinds: KindTokens, tokens: number, { weight = 1 } = {}): void {
      const moved = kinds.reduce((sum, amount) => sum + Math.abs(amount), 0)
      const net = kinds.reduce((sum, amount) => sum + amount, 0)
      if (!(moved >= minLearned && Number.isFinite(tokens) && weight > 0)) return
      const expected = predictWith(solved(), kinds)
      // Providers drop reasoning and scale images. A count far from any tokenizer's is about something else.
      if (estimated > 0 && Math.abs(tokens - expected) > farOff * (counted / estimated) * moved) return
      const row = weight / (noise * moved + (misfit * moved) ** 2)
      for (let index = 0; index < size; index += 1) {
        const amount = kinds[index] as number
        if (amount === 0) continue
        vector[index] = (vector[index] as number) + row * amount * tokens
        const line = matrix[index] as number[]
        for (let column = 0; column < size; column += 1)
          line[column] = (line[column] as number) + row * amount * (kinds[column] as number)
      }
      if (net > moved / 2 && tokens > 0) {
        estimated += net * weight
        counted += tokens * weight
      }
      changed()
      if (estimated > maxRemembered) forgetHalf()
    },
    predict: (kinds: KindTokens) => predictWith(solved(), kinds),
    /** By how many tokens a prediction may be off, because little of such content was counted: half of it if none was. */
    doubt: (kinds: KindTokens) => Math.sqrt(varianceOf(kinds)) * overall(),
    state: () => ({ kinds: contentKinds, matrix: matrix.map((row) => [...row]), vector: [...vector], estimated, counted }),
    /** Adds what was learned elsewhere, as `state` returned it. Anything else is ignored. */
    add(state: unknown): void {
      const known = soundState(state)
      if (known === null) return
      for (const [index, row] of known.matrix.entries())
        for (const [column, value] of row.entries()) (matrix[index] as number[])[column] = at(matrix[index], column) + value
      for (const [index, value] of known.vector.entries()) vector[index] = at(vector, index) + value
      estimated += known.estimated
      counted += known.counted
      changed()
    },
  }

  /** Providers change how they count, so older counts weigh less and less. */
  function forgetHalf(): void {
    for (const row of matrix) for (const [column, value] of row.entries()) row[column] = value / 2
    for (const [index, value] of vector.entries()) vector[index] = value / 2
    estimated /= 2
    counted /= 2
  }
}

/** Below this many tokens, rounding says more than the content. */
const minLearned = 20
/** How far a count may be from the expected one, as a part of the content. */
const farOff = 1.5
/** The variance of a count for each token of content, and how much the ratio of a kind is tied to the expected one. */
const noise = 1
const priorWeights: KindTokens = contentKinds.map((kind) => (kind === 'margin' ? 16 : 4))
/** Two contents of one kind are still counted differently, by this part of them: one long text does not say everything. */
const misfit = 0.03
/**
 * Before anything is known. Base64 takes 1.04 times our estimate in o200k, 1.07 in the tokenizer of Claude 2, 1.09 in cl100k and Llama 3,
 * and 1.17 in p50k and r50k. It hardly depends on what they count for everything else, 1.0 to 1.3 times our estimate. So it is with the
 * numbers before lines: 1.0 in o200k and cl100k, 0.5 to 0.8 in Claude 2, 0.7 to 0.9 in p50k and 0.8 to 1.4 in r50k.
 */
function usualRatio(kind: (typeof contentKinds)[number], overall: number): number {
  return kind === 'packed' ? 1.09 * Math.sqrt(overall) : kind === 'margin' ? overall ** 0.6 : overall
}

/** Of more tokens than this, the older half is forgotten. */
const maxRemembered = 20_000_000

interface TokensState {
  readonly matrix: readonly (readonly number[])[]
  readonly vector: readonly number[]
  readonly estimated: number
  readonly counted: number
}

/** Null if it was not written for these kinds of content, or could not have been learned. */
function soundState(state: unknown): TokensState | null {
  if (!isRecord(state)) return null
  const { kinds, matrix, vector, estimated, counted } = state
  const size = contentKinds.length
  const isSame = Array.isArray(kinds) && kinds.join() === contentKinds.join()
  if (!isSame || !Array.isArray(matrix) || matrix.length !== size || !isNumbers(vector)) return null
  const rows = matrix as readonly unknown[]
  if (!rows.every((row, index) => isNumbers(row) && at(row, index) >= 0)) return null
  if (!isNumbers([estimated, counted], 2) || (estimated as number) < 0 || (counted as number) < 0) return null
  return state as unknown as TokensState
}

function isNumbers(list: unknown, length: number = contentKinds.length): list is readonly number[] {
  return Array.isArray(list) && list.length === length && list.every((value) => Number.isFinite(value) && Math.abs(value) < 1e12)
}

function at(list: readonly number[] | undefined, index: number): number {
  return list?.[index] ?? 0
}

function predictWith(ratios: KindTokens, kinds: KindTokens): number {
  let tokens = 0
  for (let index = 0; index < kinds.length; index += 1) tokens += (kinds[index] as number) * (ratios[index] as number)
  return tokens
}

/** Solves a small system of equations that is positive definite, by elimination. */
function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  const rows = matrix.map((row, index) => [...row, vector[index] as number])
  const size = rows.length
  for (let pivot = 0; pivot < size; pivot += 1) {
    const base = rows[pivot] as number[]
    for (let index = pivot + 1; index < size; index += 1) {
      const row = rows[index] as number[]
      const factor = (row[pivot] as number) / (base[pivot] as number)
      if (factor === 0) continue
      for (let column = pivot; column <= size; column += 1)
        row[column] = (row[column] as number) - factor * (base[column] as number)
    }
  }
  const result = vector.map(() => 0)
  for (let index = size - 1; index >= 0; index -= 1) {
    const row = rows[index] as number[]
    let value = row[size] as number
    for (let column = index + 1; column < size; column += 1) value -= (row[column] as number) * (result[column] as number)
    result[index] = value / (row[index] as number)
  }
  return result
}
