import { modelFacts } from '@plimsoll/core'
import { type CacheTerms, knownPrices, type ModelFacts, priceOf } from '@plimsoll/core/bill'
import type { Config, ModelOverride } from '@plimsoll/core/policies'
import type { FoundModel } from './choose-model.ts'
import { offlineModelName, offlineWindow } from './offline/offline-model.ts'
import { ownPriceOf, priceOfModel, priceWith } from './price-of-model.ts'
import { knownTerms } from './prompt-cache.ts'

type ModelSettings = Pick<Config, 'models' | 'prices'>

export type ModelKnowledge = ReturnType<typeof modelKnowledge>

/** Facts about a model: the configuration, by its full name or the provider’s, before the catalogue. `day` is for prices. */
export function modelKnowledge(
  name: string,
  found: Pick<FoundModel, 'provider' | 'model' | 'server'>,
  config: ModelSettings,
  day: string,
) {
  const { provider, model } = found
  const override = overrideIn(name, model, config)
  const facts = knownFacts(provider, model, override)
  // Models on the user's own machine cost nothing per token, whatever others charge for one of that name.
  const isOwn = provider === 'ollama' || provider === 'llamacpp'
  const set = ownPriceOf(name, config.prices) ?? ownPriceOf(model, config.prices)
  const free = provider === offlineProvider ? priceWith(model, { input: 0, output: 0 }) : null
  const price =
    set?.price ?? free ?? (isOwn ? null : (priceOfModel(model, day, config.prices) ?? priceOfModel(name, day, config.prices)))
  return {
    facts,
    price,
    priceKey: set?.key ?? null,
    cacheTerms: knownTerms(found, facts.hasPromptCache, price),
    usesText: override.text_tools === true,
    reasoning: override.reasoning ?? null,
    isWindowSet: override.window !== undefined,
  }
}

/** Cache terms of a model by its name alone. `day` is for prices. */
export function termsByName(name: string, config: ModelSettings, day: string): CacheTerms {
  return modelKnowledge(name, { ...namesIn(name), server: null }, config, day).cacheTerms
}

/** The price of a model by its name alone, where it is from, and its key in the configuration. */
export function knownPriceOf(name: string, config: ModelSettings, day: string) {
  const names = namesIn(name)
  const { price, priceKey: key } = modelKnowledge(name, { ...names, server: null }, config, day)
  if (price === null) return { price, from: null, key }
  const isBuiltIn =
    names.provider === offlineProvider || price.source !== 'list' || priceOf(names.model, knownPrices, day) === price
  return { price, from: key !== null ? 'configuration' : isBuiltIn ? 'table' : 'list', key } as const
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
