import { createRequire } from 'node:module'
import { type CacheRules, knownPrices, modelNames, type Price, priceOf, usualRules, vendorCacheRules } from '@plimsoll/core/bill'
import type { Config, OwnPrice } from '@plimsoll/core/policies'
import type { ModelPrice, PriceCalculation } from '@pydantic/genai-prices'

/** The prices of the configuration. */
export type OwnPrices = Config['prices']

/**
 * What a model costs on a day (`YYYY-MM-DD`; default: the day of our own table): by the user's own prices, else by our own table, else by
 * a public list with the prices of older models. Null if none of them knows it.
 */
export function priceOfModel(model: string, day: string = knownPrices.date, own: OwnPrices = {}): Price | null {
  const set = ownPriceOf(model, own)
  if (set !== null) return set.price
  const key = `${day} ${model}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const price = priceOf(model, knownPrices, day) ?? listedPrice(model, day)
  // A hostile log may name any number of models.
  if (remembered.size < 10_000) remembered.set(key, price)
  return price
}

const remembered = new Map<string, Price | null>()

/** The day of a time in milliseconds, for prices; undefined if it is unknown or impossible. */
export function priceDay(at: number | null): string | undefined {
  return at === null || !(at > 0 && at < Date.UTC(2100, 0)) ? undefined : new Date(at).toISOString().slice(0, 10)
}

/** The user's own price of a model, and its key in the configuration. */
export function ownPriceOf(model: string, own: OwnPrices): { readonly key: string; readonly price: Price } | null {
  const key = keyFor(model, own)
  const price = key === null ? undefined : own[key]
  return key === null || price === undefined ? null : { key, price: priceWith(lastName(model), price) }
}

/** Its name, with or without provider and date, else the pattern with the most characters. */
function keyFor(model: string, own: OwnPrices): string | null {
  const keys = Object.keys(own)
  if (keys.length === 0 || model.length > 300) return null
  const names = modelNames(plainName(model))
  const patterns = keys.map((key) => ({ key, pattern: modelNames(key)[0] ?? '' }))
  for (const name of names) {
    const exact = patterns.find(({ pattern }) => pattern === name)
    if (exact !== undefined) return exact.key
  }
  const fitting = patterns.filter(({ pattern }) => names.some((name) => isLike(name, pattern)))
  return fitting.toSorted((a, b) => b.pattern.length - a.pattern.length)[0]?.key ?? null
}

/** Whether a name fits a pattern in which `*` stands for any characters. */
function isLike(name: string, pattern: string): boolean {
  const [start = '', ...pieces] = pattern.split('*')
  const end = pieces.pop()
  if (end === undefined || !name.startsWith(start)) return false
  let from = start.length
  for (const piece of pieces) {
    const at = name.indexOf(piece, from)
    if (at < 0) return false
    from = at + piece.length
  }
  return name.endsWith(end) && from <= name.length - end.length
}

export function priceWith(model: string, price: OwnPrice): Price {
  const known = priceOfModel(model)
  const webSearch = price.web_search ?? known?.webSearch
  return {
    model,
    input: price.input,
    cacheRead: price.cache_read ?? price.input,
    cacheWrite: price.cache_write ?? price.input,
    cacheWriteHour: price.cache_write_hour ?? null,
    output: price.output,
    ...(webSearch === undefined ? {} : { webSearch }),
    longPrompt: null,
    busy: null,
    from: null,
    until: null,
    cache: known?.cache ?? usualRules,
    source: 'configuration',
  }
}

function listedPrice(model: string, day: string): Price | null {
  const timestamp = new Date(`${day}T12:00:00Z`)
  if (Number.isNaN(timestamp.getTime()) || model.length > 300) return null
  for (const { modelId, providerId } of questions(model)) {
    const found = ask(modelId, { timestamp, ...(providerId === undefined ? {} : { providerId }) })
    const price = found === null ? null : priceIn(lastName(model).replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, ''), found)
    if (price !== null) return price
  }
  return null
}

/** Names from special to general. OpenRouter has models whose makers the list has no prices of; their names begin with the maker. */
function questions(model: string): readonly { readonly modelId: string; readonly providerId?: string }[] {
  const whole = model
    .trim()
    .toLowerCase()
    .replace(/\[1m\]$/, '')
  const last = whole.slice(whole.lastIndexOf('/') + 1)
  const maker = makers.find(([start]) => last.startsWith(start))?.[1]
  return [
    ...[...new Set([whole, last, ...modelNames(whole)])].map((modelId) => ({ modelId })),
    ...(whole === last
      ? []
      : [
          { modelId: whole.slice(whole.indexOf('/') + 1), providerId: whole.slice(0, whole.indexOf('/')) },
          { modelId: whole.split('/').slice(-2).join('/'), providerId: 'openrouter' },
        ]),
    ...(maker === undefined ? [] : [{ modelId: `${maker}/${last}`, providerId: 'openrouter' }]),
    // Bedrock's names begin with a region or a maker.
    ...(/^[a-z0-9-]+\.[a-z]/.test(last) ? [{ modelId: last, providerId: 'aws' }] : []),
  ]
}

/** Claude Code asks for a long window by a suffix. */
function plainName(model: string): string {
  return model
    .trim()
    .toLowerCase()
    .replace(/\[1m\]$/, '')
}

function lastName(model: string): string {
  const whole = plainName(model)
  return whole.slice(whole.lastIndexOf('/') + 1)
}

const makers: readonly (readonly [start: string, maker: string])[] = [
  ['qwen', 'qwen'],
  ['glm', 'z-ai'],
  ['kimi', 'moonshotai'],
  ['minimax', 'minimax'],
  ['mistral', 'mistralai'],
  ['devstral', 'mistralai'],
  ['llama', 'meta-llama'],
]

/** Loaded only for a model that our own table does not have: the list takes a while to load. */
let list: Pick<typeof import('@pydantic/genai-prices'), 'calcPrice'> | null = null

function ask(modelId: string, options: { readonly timestamp: Date; readonly providerId?: string }): PriceCalculation | null {
  list ??= createRequire(import.meta.url)('@pydantic/genai-prices') as NonNullable<typeof list>
  try {
    return list.calcPrice({ input_tokens: 1 }, modelId, options)
  } catch {
    // It throws for models that are not priced by token.
    return null
  }
}

function priceIn(model: string, { model_price: rates, model: { id }, provider }: PriceCalculation): Price | null {
  const input = baseOf(rates, 'input_mtok')
  const output = baseOf(rates, 'output_mtok')
  if (input === null || output === null) return null
  const webSearch = baseOf(rates, 'web_searches_kcount')
  return {
    model,
    input,
    cacheRead: baseOf(rates, 'cache_read_mtok') ?? input,
    cacheWrite: baseOf(rates, 'cache_write_mtok') ?? input,
    cacheWriteHour: baseOf(rates, 'cache_write_1h_mtok'),
    output,
    ...(webSearch === null ? {} : { webSearch }),
    longPrompt: longPromptIn(rates, input, output),
    busy: null,
    from: null,
    until: null,
    cache: rulesOf(provider.id, id, rates),
    source: 'list',
  }
}

function baseOf(rates: ModelPrice, key: string): number | null {
  const rate = rates[key]
  const base = typeof rate === 'object' ? rate.base : rate
  return base !== undefined && Number.isFinite(base) && base >= 0 ? base : null
}

/** Of several steps the first: no listed model for text has more. */
function longPromptIn(rates: ModelPrice, input: number, output: number): Price['longPrompt'] {
  const stepOf = (key: string) => (typeof rates[key] === 'object' ? (rates[key].tiers[0] ?? null) : null)
  const [inputStep, outputStep] = [stepOf('input_mtok'), stepOf('output_mtok')]
  const above = (inputStep ?? outputStep)?.start
  if (above === undefined || input === 0 || output === 0) return null
  return { above, input: (inputStep?.price ?? input) / input, output: (outputStep?.price ?? output) / output }
}

/** The list has no cache rules: those of the vendor, and Anthropic's minimum lengths by model. */
function rulesOf(provider: string, model: string, rates: ModelPrice): CacheRules {
  if (model.includes('claude')) {
    const minPrefix = minPrefixes.find(([name]) => name.test(model))?.[1]
    return minPrefix === undefined ? vendorCacheRules.anthropic : { ...vendorCacheRules.anthropic, minPrefix }
  }
  // OpenAI takes a price for writing since its rules changed.
  if (/^(?:openai\/)?(?:gpt|o\d|codex)/.test(model))
    return vendorCacheRules[rates['cache_write_mtok'] === undefined ? 'openaiBefore56' : 'openai']
  return provider === 'google' || provider === 'deepseek' ? vendorCacheRules[provider] : vendorCacheRules.other
}

const minPrefixes: readonly (readonly [name: RegExp, tokens: number])[] = [
  [/opus-4[-.][56]|haiku-4[-.]5/, 4096],
  [/opus-4[-.]7|3[-.]5-haiku|3-haiku/, 2048],
  [/opus-5|fable/, 512],
]
