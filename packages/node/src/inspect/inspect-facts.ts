import { type WindowLimits, withModelWindow, withOutputLimit } from '@plimsoll/core/bill'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import type { ReadProblem } from '../files/problem.ts'
import { type ModelKnowledge, modelKnowledge, offlineProvider } from '../model/model-knowledge.ts'
import { offlineModelName } from '../model/offline/offline-model.ts'
import { priceDay } from '../model/price-of-model.ts'

/** Plain data that can be sent to another thread. */
export interface InspectSettings {
  readonly config: Config
  /** Whether the user set `context_window`; else it is the model's, if known. */
  readonly isWindowSet: boolean
  /** The day whose prices apply to requests without a time, such as 2026-01-05. */
  readonly day: string
}

/** Windows and prices by the names of models and days; each is looked up once. */
export function createInspectFacts({ config, isWindowSet, day }: InspectSettings) {
  const known = new Map<string, ModelKnowledge>()
  const knowledgeOf = (name: string, on: string = day): ModelKnowledge => {
    const key = `${on} ${name}`
    let found = known.get(key)
    if (found === undefined) {
      const slash = name.indexOf('/')
      const provider = name === offlineModelName ? offlineProvider : name.slice(0, Math.max(0, slash))
      found = modelKnowledge(name, { provider, model: name.slice(slash + 1), server: null }, config, on)
      // A log may name any number of models.
      if (known.size < maxModels) known.set(key, found)
    }
    return found
  }
  return {
    limitsOf: (model: string | null): WindowLimits => {
      const { facts, isWindowSet: isModelSet } = knowledgeOf(model ?? '')
      const fitted = isWindowSet && !isModelSet ? withOutputLimit(config, facts) : withModelWindow(config, facts)
      return { window: fitted.context_window, reserve: outputReserve(fitted) }
    },
    /** The terms of caching for the provider's default lifetime. */
    termsOf: (model: string) => knowledgeOf(model).cacheTerms,
    /** The price on the day of a time in milliseconds. */
    priceOf: (model: string, at: number | null) => knowledgeOf(model, priceDay(at)).price,
  }
}

const maxModels = 10_000

export type InspectProblem =
  | 'no-such-request'
  | 'no-such-edit'
  | 'no-such-session'
  | 'no-such-blob'
  | 'cannot-read'
  | 'cannot-replay'

/** Thrown if part of a session cannot be shown; the message is the code. */
export class InspectError extends Error {
  override readonly name = 'InspectError'
  readonly code: InspectProblem
  /** The problem with the file, if there is one. */
  readonly problem: ReadProblem | null

  constructor(code: InspectProblem, problem: ReadProblem | null = null, options?: ErrorOptions) {
    super(code, options)
    this.code = code
    this.problem = problem
  }
}

/** Limits the number of sentences; the last one says how many more there are. */
export function problemSentences(sentences: readonly string[]): readonly string[] {
  if (sentences.length <= maxShown) return sentences
  return [...sentences.slice(0, maxShown), `… +${sentences.length - maxShown}`]
}

const maxShown = 100
