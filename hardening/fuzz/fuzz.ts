import type { Coverage } from './coverage.ts'
import { createFrontier } from './frontier.ts'
import { minimise } from './minimise.ts'
import { mutate } from './mutate.ts'
import { createRandom } from './random.ts'
import type { FuzzInput, Target } from './target.ts'
import { type Failure, tryInput } from './try-input.ts'

/** How long, and from which seed. */
export interface FuzzOptions {
  readonly seed: number
  /** The most executions of a target that is not slow; those that make a find smaller come on top. */
  readonly runs: number
  readonly seconds: number
  /** Whether inputs that reach new branches are kept and changed further. Default: true. */
  readonly isGuided?: boolean
  /** Whether only what comes with the project is begun with, so that the outcome is the same everywhere. Default: false. */
  readonly isOwnOnly?: boolean
  /** Inputs of an earlier run, tried with the seeds. */
  readonly earlier?: readonly FuzzInput[]
  /** Told each input before it is tried, in case it never comes back. */
  readonly trying?: (input: FuzzInput) => void
  /** Told from time to time how far it is. */
  readonly progress?: (so: Omit<FuzzResult, 'finds' | 'corpus'> & { readonly finds: number }) => void
}

/** Something that broke a law, as small as it could be made. */
export interface Find extends Failure {
  readonly input: FuzzInput
}

/** What came of it. */
export interface FuzzResult {
  readonly target: string
  readonly executions: number
  readonly seconds: number
  /** Branches of the covered files: all of them, those the seeds reach, and those that were reached in the end. */
  readonly branches: number
  readonly bySeeds: number
  readonly reached: number
  /** How many inputs were kept because they reached something new. */
  readonly kept: number
  /** The most branches taken for a character of a text of some length. */
  readonly steps: number
  readonly corpus: readonly FuzzInput[]
  readonly finds: readonly Find[]
}

const mostFinds = 12
const triesToMinimise = 3000

/** Tries one target on its seeds and then on what comes of changing them, keeping what reaches new branches. */
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
    const trouble = failure ?? slow
    if (trouble !== null && finds.size < mostFinds && !finds.has(trouble.key)) {
      const small = await minimise(input, (smaller) => failsAlike(smaller, trouble.key), triesToMinimise)
      finds.set(trouble.key, { ...trouble, input: small })
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
    // Every other time one of the latest, whose surroundings nobody has looked at yet.
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
  message: 'more branches were taken than the length of the text allows',
}

function isTooMany(steps: number, { text }: FuzzInput, { mostSteps, lengthOf }: Target): boolean {
  return mostSteps !== undefined && steps > mostSteps * ((lengthOf?.(text) ?? text.length) + 200)
}
