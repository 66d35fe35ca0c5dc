import type { Coverage } from './coverage.ts'
import { createFrontier } from './frontier.ts'
import { minimise } from './minimise.ts'
import { mutate } from './mutate.ts'
import { createRandom } from './random.ts'
import type { FuzzInput, Target } from './target.ts'
import { type Failure, tryInput } from './try-input.ts'

/** Duration and seed. */
export interface FuzzOptions {
  readonly seed: number
  /** Maximum number of executions of a target that is not slow, not counting those that minimise a find. */
  readonly runs: number
  readonly seconds: number
  /** Whether inputs that reach new branches are kept and changed further. Default: true. */
  readonly isGuided?: boolean
  /** Whether to start only from seeds of the project, so that the result is the same everywhere. Default: false. */
  readonly isOwnOnly?: boolean
  /** Inputs of an earlier run, tried with the seeds. */
  readonly earlier?: readonly FuzzInput[]
  /** Called with each input before it is tried, in case it never returns. */
  readonly trying?: (input: FuzzInput) => void
  /** Called with the progress from time to time. */
  readonly progress?: (so: Omit<FuzzResult, 'finds' | 'corpus'> & { readonly finds: number }) => void
}

/** A minimised input that breaks a law. */
export interface Find extends Failure {
  readonly input: FuzzInput
}

/** The result of fuzzing one target. */
export interface FuzzResult {
  readonly target: string
  readonly executions: number
  readonly seconds: number
  /** Branches of the covered files: all of them, those reached by the seeds, and those reached at the end. */
  readonly branches: number
  readonly bySeeds: number
  readonly reached: number
  /** The number of inputs kept because they reached new branches. */
  readonly kept: number
  /** Maximum number of branches per character, for texts of some length. */
  readonly steps: number
  readonly corpus: readonly FuzzInput[]
  readonly finds: readonly Find[]
}

const maxFinds = 12
const triesToMinimise = 3000

/** Runs one target on its seeds, then on mutations of them, keeping inputs that reach new branches. */
export async function fuzz(target: Target, coverage: Coverage, options: FuzzOptions): Promise<FuzzResult> {
  const random = createRandom(options.seed, target.name)
  const covered = coverage.of(target.covers)
  const frontier = createFrontier(coverage.counters, covered)
  const words = [...new Set([...(target.words ?? []), ...covered.words])]
  const corpus: FuzzInput[] = []
  const finds = new Map<string, Find>()
  const started = performance.now()
  const secondsSoFar = () => (performance.now() - started) / 1000
  let executions = 0
  let steps = 0
  let bySeeds = 0

  const execute = async (input: FuzzInput, isSeed: boolean): Promise<void> => {
    options.trying?.(input)
    coverage.reset()
    const failure = await tryInput(target, input)
    executions += 1
    const seen = frontier.look()
    const length = target.lengthOf?.(input.text) ?? input.text.length
    if (length >= 64) steps = Math.max(steps, seen.steps / length)
    const slow = failure === null && isTooMany(seen.steps, input, target) ? tooManySteps : null
    const problem = failure ?? slow
    if (problem !== null && finds.size < maxFinds && !finds.has(problem.key)) {
      const small = await minimise(input, (smaller) => failsAlike(smaller, problem.key), triesToMinimise)
      finds.set(problem.key, { ...problem, input: small })
    }
    if (isSeed || (seen.isNew && options.isGuided !== false)) corpus.push(input)
  }

  const failsAlike = async (input: FuzzInput, key: string): Promise<boolean> => {
    coverage.reset()
    const failure = await tryInput(target, input)
    return (failure?.key ?? (isTooMany(frontier.steps(), input, target) ? tooManySteps.key : null)) === key
  }

  const so = () => ({
    target: target.name,
    executions,
    seconds: secondsSoFar(),
    branches: covered.branches,
    bySeeds,
    reached: frontier.reached(),
    kept: corpus.length,
    steps: Math.round(steps),
  })

  const choices = Array.from({ length: target.choices }, () => 64)
  const recorded = options.isOwnOnly === true ? [] : (target.recorded?.() ?? [])
  const seeds = [...target.seeds(), ...recorded].map((text) => ({ text: text.slice(0, target.longest), choices }))
  for (const input of seeds) await execute(input, true)
  bySeeds = frontier.reached()
  for (const input of options.earlier ?? []) await execute(input, true)
  const runs = Math.ceil(options.runs / (target.slowness ?? 1))
  const isOver = () => executions >= runs || secondsSoFar() >= options.seconds
  for (let told = 0; !isOver(); ) {
    // Every other time one of the latest, because its neighbourhood is still unexplored.
    const latest = Math.max(0, corpus.length - 1 - random.below(20))
    const from = corpus[random.oneIn(2) ? latest : random.below(corpus.length)] as FuzzInput
    await execute(mutate(from, random.pick(corpus), target, { random, words }), false)
    if (executions % 256 === 0 && secondsSoFar() - told > 5) {
      told = secondsSoFar()
      options.progress?.({ ...so(), finds: finds.size })
    }
  }
  return { ...so(), corpus, finds: [...finds.values()] }
}

const tooManySteps: Failure = {
  key: 'takes time in proportion to the text',
  message: 'took more branches than the length of the text allows',
}

function isTooMany(steps: number, { text }: FuzzInput, { maxSteps, lengthOf }: Target): boolean {
  return maxSteps !== undefined && steps > maxSteps * ((lengthOf?.(text) ?? text.length) + 200)
}
