import { createRequire } from 'node:module'
import {
  type CacheRules,
  knownPrices,
  modelNames,
  type Price,
  type PriceTable,
  priceOf,
  usualRules,
  vendorCacheRules,
} from '@plimsoll/core/bill'
import type { Config, OwnPrice } from '@plimsoll/core/policies'
import type { ModelPrice, PriceCalculation } from '@pydantic/genai-prices'

/** The prices of the configuration. */
export type OwnPrices = Config['prices']

/**
 * What a model costs on a day (`YYYY-MM-DD`; default: the day of our own tables): by the user's own prices, else by our own tables, else
 * by a public list with the prices of older models. Null if none of them knows it.
 */
export function priceOfModel(model: string, day: string = knownPrices.date, own: OwnPrices = {}): Price | null {
  const set = ownPriceOf(model, own)
  if (set !== null) return set.price
  const fast = fastPrice(model, day, own)
  if (fast !== null) return fast
  const key = `${day} ${model}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const price = publishedPrice(model, day)
  // A hostile log may name any number of models.
  if (remembered.size < 10_000) remembered.set(key, price)
  return price
}

const remembered = new Map<string, Price | null>()

function publishedPrice(model: string, day: string): Price | null {
  const name = plainName(model)
  if (name.endsWith(':free')) return freePrice(name)
  // Bedrock has its own prices by region.
  const regional = /(?:^|[/.])anthropic\.claude/.test(name)
    ? listedPrice(name, day, [{ modelId: lastName(name), providerId: 'aws' }])
    : null
  return regional ?? priceOf(name, knownPrices, day) ?? priceOf(name, corrections, day) ?? listedPrice(name, day, questions(name))
}

/** Models under OpenRouter's names for those without a price. */
function freePrice(name: string): Price {
  const none = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWriteHour: null, output: 0, longPrompt: null }
  return { model: lastName(name), ...none, busy: null, from: null, until: null, cache: vendorCacheRules.other, source: 'list' }
}

/** Fast mode is the same model at a multiple of its price. Agents and our readers of logs name it with this suffix. */
function fastPrice(model: string, day: string, own: OwnPrices): Price | null {
  const name = plainName(model)
  const factor = name.endsWith('-fast') ? fastFactors.find(([start]) => start.test(lastName(name)))?.[1] : undefined
  const base = factor === undefined ? null : priceOfModel(name.slice(0, -'-fast'.length), day, own)
  if (base === null || factor === undefined) return null
  return {
    ...base,
    model: lastName(name),
    input: factor * base.input,
    cacheRead: factor * base.cacheRead,
    cacheWrite: factor * base.cacheWrite,
    cacheWriteHour: base.cacheWriteHour === null ? null : factor * base.cacheWriteHour,
    output: factor * base.output,
  }
}

const fastFactors: readonly (readonly [start: RegExp, factor: number])[] = [
  [/^claude-opus-4[-.][67]/, 6],
  [/^claude-opus/, 2],
  [/^gpt-5\.5/, 2.5],
  [/^gpt-/, 2],
]

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

interface Question {
  readonly modelId: string
  readonly providerId?: string
}

function listedPrice(model: string, day: string, asked: readonly Question[]): Price | null {
  const timestamp = new Date(`${day}T12:00:00Z`)
  if (Number.isNaN(timestamp.getTime()) || model.length > 300) return null
  for (const { modelId, providerId } of asked) {
    const found = ask(modelId, { timestamp, ...(providerId === undefined ? {} : { providerId }) })
    const price = found === null ? null : priceIn(lastName(model).replace(/[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, ''), found)
    if (price !== null) return price
  }
  return null
}

/** Names from special to general, then the hosts of models. OpenRouter has models whose makers the list has no prices of; their names begin with the maker. */
function questions(whole: string): readonly Question[] {
  const names = [...new Set([whole, lastName(whole), ...modelNames(whole)])]
  return [...directQuestions(whole), ...hosts.flatMap((providerId) => names.map((modelId) => ({ modelId, providerId })))]
}

function directQuestions(whole: string): readonly Question[] {
  const last = lastName(whole)
  const maker = makers.find(([start]) => last.startsWith(start))?.[1]
  const names = [...new Set([whole, last, ...modelNames(whole)])]
  // How long a model may think is no part of its price, nor is the month of a release.
  const short = last.replace(
    /(?: \(\w+\)|-(?:none|minimal|low|medium|high|xhigh|thinking|preview|instruct(?:-\d{4})?|\d{4}))$/,
    '',
  )
  return [
    ...names.map((modelId) => ({ modelId })),
    ...(whole === last
      ? []
      : [
          { modelId: whole.slice(whole.indexOf('/') + 1), providerId: whole.slice(0, whole.indexOf('/')) },
          { modelId: whole.split('/').slice(-2).join('/'), providerId: 'openrouter' },
        ]),
    ...(maker === undefined ? [] : [{ modelId: `${maker}/${last}`, providerId: 'openrouter' }]),
    // Bedrock's names begin with a region or a maker.
    ...(/^[a-z0-9-]+\.[a-z]/.test(last) ? [{ modelId: last, providerId: 'aws' }] : []),
    ...(short === last ? [] : directQuestions(short)),
  ]
}

/** Providers that are asked for names which the list cannot assign to one: makers of models first. */
const hosts = [
  'openai',
  'google',
  'mistral',
  'x-ai',
  'perplexity',
  'groq',
  'cerebras',
  'together',
  'huggingface_novita',
  'fireworks',
]

/** Claude Code asks for a long window by a suffix, OpenRouter for a kind of provider. */
function plainName(model: string): string {
  return model
    .trim()
    .toLowerCase()
    .replace(/\[1m\]$/, '')
    .replace(/:(?:nitro|floor|online|exacto|extended|beta|thinking)$/, '')
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
  ['deepseek', 'deepseek'],
  ['gemini', '~google'],
  ['mimo', 'xiaomi'],
  ['step', 'stepfun'],
]

/** Prices of makers that the public list lacks: for long prompts, since a change, or with the maker instead of a host. */
const corrections: PriceTable = {
  date: knownPrices.date,
  models: [
    ...['claude-sonnet-4', 'claude-sonnet-4-0', 'claude-4-sonnet'].map((model) => ({
      ...corrected(model, 3, 0.3, 15, vendorCacheRules.anthropic, '2025-08-12'),
      cacheWrite: 3.75,
      cacheWriteHour: 6,
      webSearch: 10,
      longPrompt: { above: 200_000, input: 2, output: 1.5 },
    })),
    corrected('gpt-5-codex-mini', 0.25, 0.025, 2, vendorCacheRules.openaiBefore56),
    ...['deepseek-chat', 'deepseek-reasoner'].flatMap((model) => [
      corrected(model, 0.56, 0.07, 1.68, vendorCacheRules.deepseek, '2025-09-05', '2025-09-28'),
      corrected(model, 0.28, 0.028, 0.42, vendorCacheRules.deepseek, '2025-09-29', '2026-04-23'),
      corrected(model, 0.14, 0.0028, 0.28, vendorCacheRules.deepseek, '2026-04-24'),
    ]),
    corrected('deepseek-v3', 0.27, 0.07, 1.1, vendorCacheRules.deepseek),
    corrected('deepseek-v3.1', 0.56, 0.07, 1.68, vendorCacheRules.deepseek),
    corrected('glm-4.5-air', 0.2, 0.03, 1.1),
    corrected('glm-4.6', 0.6, 0.11, 2.2),
    corrected('glm-4.7', 0.6, 0.11, 2.2),
    corrected('glm-5', 1, 0.2, 3.2),
  ],
}

function corrected(
  model: string,
  input: number,
  cacheRead: number,
  output: number,
  cache: CacheRules = vendorCacheRules.other,
  from: string | null = null,
  until: string | null = null,
): Price {
  const rest = { cacheWriteHour: null, longPrompt: null, busy: null, from, until, cache, source: 'provider' } as const
  return { model, input, cacheRead, cacheWrite: input, output, ...rest }
}

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
    // Google's price is for storing.
    cacheWrite: Math.max(input, baseOf(rates, 'cache_write_mtok') ?? input),
    // Bedrock's rows lack it; every host takes twice the price of input.
    cacheWriteHour: baseOf(rates, 'cache_write_1h_mtok') ?? (id.includes('anthropic.claude') ? 2 * input : null),
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
