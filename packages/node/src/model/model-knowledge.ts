import { modelFacts } from '@plimsoll/core'
import { type CacheTerms, knownPrices, type ModelFacts, type Price, priceOf, usualRules } from '@plimsoll/core/bill'
import type { Config, ModelOverride } from '@plimsoll/core/policies'
import type { FoundModel } from './choose-model.ts'
import { offlineModelName, offlineWindow } from './offline/offline-model.ts'
import { priceOfModel } from './price-of-model.ts'
import { knownTerms } from './prompt-cache.ts'

export type ModelKnowledge = ReturnType<typeof modelKnowledge>

/** Facts about a model: the configuration, by its full name or the provider’s, before the catalogue. `day` is for prices. */
export function modelKnowledge(
  name: string,
  found: Pick<FoundModel, 'provider' | 'model' | 'server'>,
  config: Pick<Config, 'models'>,
  day: string,
) {
  const { provider, model } = found
  const override = overrideIn(name, model, config)
  const facts = knownFacts(provider, model, override)
  // Models on the user's own machine cost nothing per token, whatever others charge for one of that name.
  const isOwn = provider === 'ollama' || provider === 'llamacpp'
  const set = override.price ?? (provider === offlineProvider ? { input: 0, output: 0 } : undefined)
  const price = set === undefined ? (isOwn ? null : priceOfModel(model, day)) : priceWith(model, set)
  return {
    facts,
    price,
    cacheTerms: knownTerms(found, facts.hasPromptCache, price),
    usesText: override.text_tools === true,
    reasoning: override.reasoning ?? null,
    isWindowSet: override.window !== undefined,
  }
}

/** Cache terms of a model by its name alone. `day` is for prices. */
export function termsByName(name: string, config: Pick<Config, 'models'>, day: string): CacheTerms {
  return modelKnowledge(name, { ...namesIn(name), server: null }, config, day).cacheTerms
}

/** The price of a model by its name alone, and where it is from. */
export function knownPriceOf(name: string, config: Pick<Config, 'models'>, day: string) {
  const { model } = namesIn(name)
  const isSet = overrideIn(name, model, config).price !== undefined
  const { price } = modelKnowledge(name, { ...namesIn(name), server: null }, config, day)
  if (price === null) return { price, from: null }
  return { price, from: isSet ? 'configuration' : priceOf(model, knownPrices, day) === price ? 'table' : 'list' } as const
}

export function factsByName(name: string, config: Pick<Config, 'models'>): ModelFacts {
  const { provider, model } = namesIn(name)
  return knownFacts(provider, model, overrideIn(name, model, config))
}

function namesIn(name: string): Pick<FoundModel, 'provider' | 'model'> {
  const slash = name.indexOf('/')
  const provider = name === offlineModelName ? offlineProvider : name.slice(0, Math.max(0, slash))
  return { provider, model: name.slice(slash + 1) }
}

function overrideIn(name: string, model: string, config: Pick<Config, 'models'>): ModelOverride {
  return overrideOf(name, config) ?? overrideOf(model, config) ?? {}
}

function knownFacts(provider: string, model: string, { window, output_limit }: ModelOverride): ModelFacts {
  return {
    ...(model === offlineModelName && provider === offlineProvider ? offlineFacts : modelFacts(model)),
    // The input limit in the catalogue belongs to another window.
    ...(window === undefined ? {} : { window, inputLimit: null }),
    ...(output_limit === undefined ? {} : { outputLimit: output_limit }),
  }
}

export const offlineProvider = 'plimsoll'

const offlineFacts: ModelFacts = {
  model: offlineModelName,
  window: offlineWindow,
  inputLimit: null,
  outputLimit: null,
  hasPromptCache: false,
  source: 'provider',
}

export function overrideOf(name: string, { models }: Pick<Config, 'models'>): ModelOverride | undefined {
  return Object.hasOwn(models, name) ? models[name] : undefined
}

function priceWith(model: string, price: NonNullable<ModelOverride['price']>): Price {
  return {
    model,
    input: price.input,
    cacheRead: price.cache_read ?? price.input,
    cacheWrite: price.cache_write ?? price.input,
    cacheWriteHour: null,
    output: price.output,
    longPrompt: null,
    busy: null,
    from: null,
    until: null,
    cache: priceOfModel(model)?.cache ?? usualRules,
    source: 'quoted',
  }
}
