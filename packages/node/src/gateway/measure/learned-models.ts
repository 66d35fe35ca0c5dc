import { type LearnedLifetime, learnLifetime } from '@plimsoll/core/bill'
import { isRecord } from '@plimsoll/core/text'
import { createProviderTokens, type ProviderTokens } from './provider-tokens.ts'

/** What requests have shown about a model: how its provider counts tokens, and how long it keeps a prompt. */
export interface LearnedModel {
  readonly tokens: ProviderTokens
  /** Null while nothing is known. */
  lifetime: LearnedLifetime | null
}

/** What was learned about all models. */
export interface LearnedModels {
  /** What is known about a model, to be added to. */
  readonly of: (model: string | null) => LearnedModel
  /** Everything that was learned, as plain JSON. */
  readonly state: () => LearnedState
  /** Adds what was learned elsewhere, as `state` returned it. Anything else is ignored. */
  readonly add: (state: unknown) => void
}

/** What was learned, by model. Holds nothing of any conversation. */
export type LearnedState = Readonly<Record<string, unknown>>

/** Learns each model separately. Of many models, those that were not used for the longest time are forgotten. */
export function createLearnedModels(): LearnedModels {
  const models = new Map<string, LearnedModel>()

  function of(name: string): LearnedModel {
    const found = models.get(name) ?? { tokens: createProviderTokens(), lifetime: null }
    models.delete(name)
    models.set(name, found)
    const [oldest] = models.keys()
    if (models.size > mostLearned && oldest !== undefined) models.delete(oldest)
    return found
  }

  return {
    of: (model) => of(model ?? ''),
    state: () =>
      Object.fromEntries([...models].map(([name, { tokens, lifetime }]) => [name, { tokens: tokens.state(), lifetime }])),
    add(state) {
      if (!isRecord(state)) return
      for (const [name, learned] of Object.entries(state).slice(-mostLearned)) {
        if (!isRecord(learned)) continue
        const model = of(name)
        model.tokens.add(learned['tokens'])
        if (model.lifetime === null && isRecord(learned['lifetime'])) model.lifetime = soundLifetime(learned['lifetime'])
      }
    },
  }
}

/** Clients can name any number of models. */
const mostLearned = 100

/** Learning from a request that says nothing leaves what is sound. */
function soundLifetime(lifetime: object): LearnedLifetime {
  const usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  const known = learnLifetime(lifetime as LearnedLifetime, { gapSeconds: 0, expectedTokens: 0, usage })
  return { ...known, zeroReads: 0 }
}
