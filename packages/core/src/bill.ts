/** Cost of a request: prices, models, usage as reported by providers, and what fills a window. @packageDocumentation */
export {
  type Cost,
  type CostOptions,
  type CostParts,
  cacheTermsOf,
  costOfTurn,
  sumCosts,
  usualRules,
  usualTerms,
} from './bill/cache-terms-of.ts'
export { believedLifetime, hasNoCache, type LearnedLifetime, learnLifetime } from './bill/learned-lifetime.ts'
export { knownPrices, type Price, priceOf } from './bill/prices.ts'
export type { CacheRules, CacheTerms, Usage } from './facts.ts'
export { knownModels, type ModelFacts } from './models/catalogue.ts'
export { withModelWindow, withOutputLimit } from './models/model-facts.ts'
export type { Load } from './report.ts'
export {
  mainPiece,
  type PartCounter,
  plainCounts,
  rememberedCounts,
  type SizedMessage,
  sizeMessage,
  sizePart,
  type ToolOfCall,
  withSizedPart,
} from './tokens/sized-message.ts'
export { mostTokens, normaliseUsage, promptTotal, usageTotal } from './tokens/usage.ts'
export {
  type CategoryTokens,
  createFillSum,
  type FillSum,
  scaleFill,
  type WindowCategory,
  type WindowFill,
  type WindowLimits,
  windowCategories,
  windowFill,
} from './tokens/window-fill.ts'
