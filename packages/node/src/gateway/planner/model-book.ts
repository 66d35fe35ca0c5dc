import {
  type CacheTerms,
  cacheTermsOf,
  type Price,
  type WindowLimits,
  withModelWindow,
  withOutputLimit,
} from '@plimsoll/core/bill'
import { type Config, outputReserve } from '@plimsoll/core/policies'
import { modelKnowledge } from '../../model/model-knowledge.ts'
import type { PlannerSettings } from '../planner.ts'

export interface KnownModel {
  /** The configuration with the model's window. The same object for the same model. */
  readonly config: Config
  readonly limits: WindowLimits
  readonly price: Price | null
  /** The terms of caching for the provider's default lifetime, and for an hour. */
  readonly terms: CacheTerms
  readonly hourTerms: CacheTerms
}

export function createModelBook(
  { config, isWindowSet }: Pick<PlannerSettings, 'config' | 'isWindowSet'>,
  day: string,
): (model: string | null) => KnownModel {
  const known = new Map<string, KnownModel>()
  return (model) => {
    const name = (model ?? '').slice(0, maxName)
    let found = known.get(name)
    if (found === undefined) {
      found = lookUp(name)
      if (known.size < maxModels) known.set(name, found)
    }
    return found
  }

  function lookUp(name: string): KnownModel {
    const model = name.slice(name.indexOf('/') + 1)
    const knowledge = modelKnowledge(name, { provider: '', model, server: null }, config, day)
    const fitted =
      isWindowSet && !knowledge.isWindowSet ? withOutputLimit(config, knowledge.facts) : withModelWindow(config, knowledge.facts)
    const { price, cacheTerms: terms } = knowledge
    return {
      config: fitted,
      limits: { window: fitted.context_window, reserve: outputReserve(fitted) },
      price,
      terms,
      hourTerms: price === null || terms.write <= terms.read ? terms : cacheTermsOf(price, 'hour'),
    }
  }
}

const maxModels = 1000
const maxName = 200
