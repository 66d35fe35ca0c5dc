import { handleOf, type Message, type ToolCallPart, type ToolResultPart } from '@plimsoll/core'
import { type Cost, costOfTurn, knownPrices, type Price, promptTotal, sumCosts, type Usage } from '@plimsoll/core/bill'
import type { ToolKind } from '@plimsoll/core/policies'
import { countMessage, estimator, pathKey } from '@plimsoll/core/text'
import { type OwnPrices, priceOfModel } from '../../model/price-of-model.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import type { OverviewCategory } from '../../strings/english/replay.ts'
import { contextAfter, type OtherUsage, type ReadSession } from '../log-reader.ts'
import { type Carried, type CarriedSum, carryingWeight, createCarrier } from './carried.ts'
import { type MeasuredPart, measuredPart } from './measured-part.ts'

export interface Amount extends Carried {
  readonly count: number
  readonly tokens: number
}

/** Reads of files. A file counts as read before until the earlier read is compacted, or the agent plainly changes the file. */
export interface ReadCounts {
  readonly reads: number
  readonly again: Amount
  /** Those of them that returned the same text as an earlier read. */
  readonly same: Amount
  /** The files whose repeated reads cost most. */
  readonly files: readonly ReadFile[]
}

/** `tokens` and what was carried are those of the reads that repeated an earlier one. */
export interface ReadFile extends Carried {
  readonly file: string
  readonly reads: number
  readonly repeats: number
  readonly tokens: number
}

export interface BigResult extends Carried {
  readonly tool: string | null
  readonly kind: ToolKind
  readonly about: string | null
  readonly tokens: number
}

export const maxBiggest = 8

/**
 * What the provider reported for an answer, and when it was written. The model is a position in a list of names; the id is a number made of
 * the provider's name for the answer, and the cost is in dollars. What the log does not have is 0.
 */
export type AnswerUsage = readonly [
  at: number | null,
  model: number,
  input: number,
  cacheRead: number,
  cacheWrite: number,
  output: number,
  cacheWriteHour: number,
  id: number,
  cost: number,
  reasoning: number,
  webSearches: number,
]

export type SessionMeasure = ReturnType<typeof measureSession>

/** Measures a conversation; its messages may have been made slim as they were read. All values survive JSON. */
export function measureSession(session: ReadSession, platform: string) {
  const { messages, usages, otherUsages = [], root } = session
  const tokens = { system: 0, user: 0, assistant: 0, reasoning: 0, calls: 0, results: 0, images: 0, summaries: 0 }
  const carried: Partial<Record<OverviewCategory, CarriedSum>> = {}
  const results = new Map<ToolKind, ReturnType<typeof newAmount>>()
  const carrier = createCarrier()
  const reads = countReads(root, platform)
  const calls = new Map<string, { readonly call: ToolCallPart; readonly measured: MeasuredPart }>()
  const times = new Map<string, number>()
  let biggest: (BigResult & CarriedSum)[] = []
  let answers = 0
  let context: Message[] = []

  function addTokens(message: Message, category: OverviewCategory, count: number): void {
    if (count === 0) return
    tokens[category] += count
    carrier.add(message.id, count, (carried[category] ??= { written: 0, read: 0 }))
  }

  function addResult(message: Message, part: ToolResultPart, measured: MeasuredPart): void {
    const asked = part.callId === null ? undefined : calls.get(part.callId)
    const kind = asked?.measured.kind ?? measured.kind ?? 'other'
    const own = measured.tokens - measured.mediaTokens
    const sum = results.get(kind) ?? newAmount()
    results.set(kind, sum)
    sum.count += 1
    sum.tokens += own
    carrier.add(message.id, own, sum)
    const tool = asked?.call.tool ?? part.tool
    const big = { tool, kind, about: asked?.measured.about ?? null, tokens: measured.tokens, written: 0, read: 0 }
    biggest.push(big)
    if (biggest.length > 100 * maxBiggest) biggest = biggest.toSorted((a, b) => b.tokens - a.tokens).slice(0, 50 * maxBiggest)
    const repeats = asked === undefined || part.isError === true ? [] : reads.add(message.id, asked.measured, measured)
    carrier.add(message.id, measured.tokens, big, ...repeats)
  }

  for (const message of messages) {
    if (message.at !== undefined) times.set(message.id, message.at)
    if (message.role === 'assistant') {
      answers += 1
      carrier.request()
    }
    if (message.summary === true) {
      context = [...contextAfter(session, message, context)]
      const kept = new Set(context.map(({ id }) => id))
      reads.forgetBut(kept)
      carrier.keepOnly(kept)
    } else context.push(message)
    addTokens(message, frameCategory(message), frame)
    for (const part of message.parts) {
      const measured = measuredPart(part)
      addTokens(message, 'images', measured.mediaTokens)
      const own = measured.tokens - measured.mediaTokens
      if (part.type === 'text') addTokens(message, frameCategory(message), own)
      else if (part.type === 'reasoning') addTokens(message, 'reasoning', own)
      else if (part.type === 'tool-call') {
        addTokens(message, 'calls', own)
        calls.set(part.callId, { call: part, measured })
      } else if (part.type === 'tool-result') {
        addTokens(message, 'results', own)
        addResult(message, part, measured)
      }
    }
  }
  carrier.finish()
  const [first, last] = spanOf(times.values())
  const requests = Math.max(answers, usages.length) + otherUsages.filter((one) => one.answers === undefined).length
  return {
    id: session.id,
    title: withoutKeys(session.title),
    root: root ?? null,
    compactions: session.compactions,
    requests,
    tokens,
    carried: carried as Readonly<Partial<Record<OverviewCategory, Carried>>>,
    results: [...results].map(([kind, amount]) => ({ kind, ...amount })),
    reads: reads.counts(),
    biggest: largest(biggest).map((big) => ({ ...big, about: withoutKeys(big.about) })),
    badUsages: session.badUsages ?? 0,
    first,
    last,
    /** Of `answers`, those of the conversation itself, in order. */
    ownAnswers: usages.length,
    ...answersOf(session, times),
  }
}

/** Prompts and commands may hold keys. */
function withoutKeys(text: string | null): string | null {
  return text === null ? null : redactSecrets(text)
}

function answersOf({ usages, otherUsages = [], model: sessionModel }: ReadSession, times: ReadonlyMap<string, number>) {
  const models: (string | null)[] = []
  const places = new Map<string | null, number>()
  const all = [...usages.map((one) => ({ ...one, at: times.get(one.after) ?? null })), ...otherUsages.flatMap(singleAnswers)]
  const answers = all.map((one): AnswerUsage => {
    const { at, usage, cost = 0, reasoning = 0, webSearches = 0, model: own, answer } = one
    const model = (own ?? sessionModel)?.slice(0, maxModelLength) ?? null
    const place = places.get(model) ?? models.push(model) - 1
    places.set(model, place)
    const id = answer === undefined ? 0 : Number.parseInt(handleOf(answer), 16)
    const { input, cacheRead, cacheWrite, output, cacheWriteHour = 0 } = usage
    return [at, place, input, cacheRead, cacheWrite, output, cacheWriteHour, id, cost, reasoning, webSearches]
  })
  return { models, answers }
}

/** A sum of several answers as that many equal ones: the price of an answer may depend on its length. */
function singleAnswers(one: OtherUsage): readonly OtherUsage[] {
  const { answers = 1, usage, answer = '' } = one
  if (answers === 1) return [one]
  return Array.from({ length: answers }, (_, index) => {
    const share = (tokens: number) => Math.floor((tokens * (index + 1)) / answers) - Math.floor((tokens * index) / answers)
    const { input, cacheRead, cacheWrite, output } = usage
    const own = { input: share(input), cacheRead: share(cacheRead), cacheWrite: share(cacheWrite), output: share(output) }
    return { ...one, usage: own, answer: `${answer}/${index}`, reasoning: share(one.reasoning ?? 0) }
  })
}

const maxModelLength = 200

const frame = countMessage({ id: '', role: 'user', parts: [] }, estimator)

function frameCategory({ role, summary }: Message): OverviewCategory {
  if (summary === true) return 'summaries'
  return role === 'tool' ? 'results' : role
}

/** The results that cost most to carry. Repeated calls are reported once, with the most expensive result. */
function largest(results: readonly BigResult[]): BigResult[] {
  const told = new Set<string>()
  return results
    .toSorted((a, b) => carryingWeight(b) - carryingWeight(a) || b.tokens - a.tokens)
    .filter(({ tool, about }) => {
      const asked = JSON.stringify([tool, about])
      const isNew = about === null || !told.has(asked)
      told.add(asked)
      return isNew
    })
    .slice(0, maxBiggest)
}

/** Clocks go backwards, so times are not in order; impossible ones do not count. */
function spanOf(times: Iterable<number>): readonly [number | null, number | null] {
  let first: number | null = null
  let last: number | null = null
  for (const time of times) {
    if (time < 0 || time > Date.UTC(2100, 0)) continue
    first = Math.min(first ?? time, time)
    last = Math.max(last ?? time, time)
  }
  return [first, last]
}

function newAmount() {
  return { count: 0, tokens: 0, written: 0, read: 0 }
}

/** A hostile log may read any number of files. */
const maxFiles = 100_000

function countReads(root: string | undefined, platform: string) {
  /** The texts of each file, each with the last message that has it. */
  const seen = new Map<string, Map<string | null, string>>()
  const again = newAmount()
  const same = newAmount()
  const files = new Map<string, { readonly file: string; reads: number; readonly repeated: ReturnType<typeof newAmount> }>()
  let reads = 0
  const keysOf = (paths: readonly string[]) =>
    [...new Set(paths.map((file) => pathKey(file, root, platform)))].filter((key) => key !== '')
  return {
    /** Counts a result if it is a read. Returns the sums of repeated reads that it belongs to. */
    add(message: string, { files: named, changes }: MeasuredPart, { tokens, text }: MeasuredPart): readonly CarriedSum[] {
      for (const key of keysOf(changes)) seen.delete(key)
      const keys = keysOf(named)
      if (keys.length === 0) return []
      reads += 1
      for (const key of keys) {
        const file = files.get(key) ?? { file: key, reads: 0, repeated: newAmount() }
        if (files.size < maxFiles) files.set(key, file)
        file.reads += 1
      }
      const known = keys.flatMap((key) => seen.get(key) ?? [])
      const isSame = text !== null && known.length === keys.length && known.every((texts) => texts.has(text))
      const repeated = files.get(keys.find((key) => seen.has(key)) ?? '')?.repeated
      for (const key of keys) seen.set(key, (seen.get(key) ?? new Map<string | null, string>()).set(text, message))
      const sums = [
        ...(known.length > 0 ? [again] : []),
        ...(isSame ? [same] : []),
        ...(repeated === undefined ? [] : [repeated]),
      ]
      for (const sum of sums) {
        sum.count += 1
        sum.tokens += tokens
      }
      return sums
    },
    /** Forgets all reads except those of messages that are still in the context. */
    forgetBut(messages: ReadonlySet<string>) {
      for (const [key, texts] of seen) {
        for (const [text, message] of texts) if (!messages.has(message)) texts.delete(text)
        if (texts.size === 0) seen.delete(key)
      }
    },
    counts: (): ReadCounts => ({
      reads,
      again,
      same,
      files: [...files.values()]
        .filter(({ repeated }) => repeated.count > 0)
        .toSorted((a, b) => carryingWeight(b.repeated) - carryingWeight(a.repeated) || b.repeated.tokens - a.repeated.tokens)
        .slice(0, maxBiggest)
        .map(({ file, reads: all, repeated: { count, ...amount } }) => ({
          file: redactSecrets(file).slice(0, maxFileLength),
          reads: all,
          repeats: count,
          ...amount,
        })),
    }),
  }
}

const maxFileLength = 300

export interface UsageSum extends Usage {
  readonly requests: number
  /** Output tokens of reasoning, as far as logs have them. */
  readonly reasoning: number
  /** Searches by the provider's own tool. */
  readonly webSearches: number
  /** The share of the prompts that was read from a cache; null if nothing was sent. */
  readonly hitRatio: number | null
}

/** Counts each answer once: a session that was split, resumed or archived is in several logs, and a sub-agent's answer too. */
export function createBill(own: OwnPrices = {}) {
  const priceFor = createPrices(own)
  const whole = createBillSum()
  const memory = createAnswerMemory()
  let repeated = 0
  return {
    whole,
    /** Adds the cost of a session's answers to the total and to the sums they belong to; returns how many were counted before. */
    add({ models, answers }: Pick<SessionMeasure, 'models' | 'answers'>, sumsFor: SumsFor): number {
      let before = 0
      for (const answer of answers) {
        const same = memory.find(answer)
        if (same !== null) before += 1
        // A log that was written while the answer came has only its beginning.
        if (same !== null && answer[5] <= same.answer[5]) continue
        if (same !== null) for (const sum of same.sums) sum.add(same, -1)
        const model = models[answer[1]] ?? null
        const sums = [whole, ...sumsFor(answer, model)]
        const counted = { answer, model, cost: costOf(answer, model, priceFor), sums }
        for (const sum of sums) sum.add(counted)
        memory.note(counted)
      }
      repeated += before
      return before
    },
    repeated: () => repeated,
  }
}

/** The sums that an answer belongs to. */
type SumsFor = (answer: AnswerUsage, model: string | null) => readonly AnswerSum[]

export interface PricedAnswer {
  readonly answer: AnswerUsage
  readonly model: string | null
  /** As the log recorded it, else at API prices; null if neither is known. */
  readonly cost: BilledCost | null
}

/** Its dollars include those for web searches, which are no part of the others. */
interface BilledCost extends Cost {
  readonly searchDollars: number
}

interface CountedAnswer extends PricedAnswer {
  readonly sums: readonly AnswerSum[]
}

function costOf(answer: AnswerUsage, model: string | null, priceFor: ReturnType<typeof createPrices>): BilledCost | null {
  // By index: an overview has very many answers, and taking a long list apart is slow.
  const usage = { input: answer[2], cacheRead: answer[3], cacheWrite: answer[4], cacheWriteHour: answer[6], output: answer[5] }
  const [recorded, webSearches] = [answer[8], answer[10]]
  const price = priceFor(model, answer[0])
  const estimate = costOfTurn(usage, price)
  if (recorded > 0) return { ...recordedCost(recorded, usage, estimate), searchDollars: 0 }
  const searchDollars = webSearches === 0 ? 0 : (webSearches * (price?.webSearch ?? 0)) / 1000
  return estimate === null ? null : { dollars: estimate.dollars + searchDollars, parts: estimate.parts, searchDollars }
}

/** Logs record one sum; its parts are in the proportion of the prices, or of usual ones. */
function recordedCost(dollars: number, usage: Usage, estimate: Cost | null): Cost {
  const { input, cacheRead, cacheWrite, output } = usage
  const usual = { input, cacheRead: cacheRead / 10, cacheWrite: cacheWrite * 1.25, output: output * 5 }
  const parts = estimate === null || estimate.dollars === 0 ? usual : estimate.parts
  const sum = parts.input + parts.cacheRead + parts.cacheWrite + parts.output
  const share = (part: number) => (sum === 0 ? 0 : (dollars * part) / sum)
  return {
    dollars,
    parts: {
      input: sum === 0 ? dollars : share(parts.input),
      cacheRead: share(parts.cacheRead),
      cacheWrite: share(parts.cacheWrite),
      output: share(parts.output),
    },
  }
}

/** Finds an answer by its id, else by its time and usage. One without an id and a time is never the same as another. */
function createAnswerMemory() {
  const byId = new Map<number, CountedAnswer>()
  // Hardly two answers have the same time, and comparing numbers is quicker than joining them to a text.
  const byTime = new Map<number, CountedAnswer>()
  const byUsage = new Map<string, CountedAnswer>()
  // Of two copies one may lack the cost.
  const keyOf = (answer: AnswerUsage) => [answer[0], ...answer.slice(2, 8)].join()
  return {
    find(answer: AnswerUsage): CountedAnswer | null {
      const id = answer[7]
      if (id !== 0) return byId.get(id) ?? null
      const [at] = answer
      const same = at === null ? undefined : byTime.get(at)
      if (same === undefined) return null
      if (answer.slice(2, 8).every((tokens, index) => tokens === same.answer[index + 2])) return same
      return byUsage.get(keyOf(answer)) ?? null
    },
    note(counted: CountedAnswer): void {
      const { answer } = counted
      const [at] = answer
      if (answer[7] !== 0) byId.set(answer[7], counted)
      else if (at !== null && !byTime.has(at)) byTime.set(at, counted)
      else if (at !== null) byUsage.set(keyOf(answer), counted)
    },
  }
}

export type AnswerSum = Pick<ReturnType<typeof createBillSum>, 'add'>

export function createBillSum() {
  const sum = { requests: 0, input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0, webSearches: 0 }
  const models = new Map<string | null, ReturnType<typeof newModelSum>>()
  return {
    /** Adds an answer, or takes it out again with -1. */
    add({ answer, model: named, cost }: PricedAnswer, times: 1 | -1 = 1) {
      // A hostile log may name any number of models.
      const model = models.size < 500 || models.has(named) ? named : null
      sum.requests += times
      sum.input += times * answer[2]
      sum.cacheRead += times * answer[3]
      sum.cacheWrite += times * answer[4]
      sum.output += times * answer[5]
      sum.reasoning += times * answer[9]
      sum.webSearches += times * answer[10]
      const known = models.get(model) ?? newModelSum()
      models.set(model, known)
      known.requests += times
      if (cost === null || (model === null && answer[8] === 0)) known.unpriced += times
      else {
        for (const name of costParts) known.parts[name] += times * cost.parts[name]
        known.searchDollars += times * cost.searchDollars
      }
      if (answer[8] === 0) return
      known.recorded += times
      known.recordedDollars += times * answer[8]
    },
    usage: (): UsageSum | null => {
      const prompt = promptTotal(sum)
      return sum.requests === 0 ? null : { ...sum, hitRatio: prompt === 0 ? null : sum.cacheRead / prompt }
    },
    money() {
      const costs = [...models].map(([model, sums]) => {
        const cost = sumCosts([{ dollars: 0, parts: sums.parts }])
        const dollars = sums.unpriced === sums.requests ? null : cost.dollars + sums.searchDollars
        return { cost, row: { model, requests: sums.requests, dollars, ...originOf([sums]) } }
      })
      const rows = costs.map(({ row }) => row)
      const priced = rows.some(({ dollars }) => dollars !== null)
      const { dollars, parts } = sumCosts(costs.map(({ cost }) => cost))
      const unpriced = [...models.values()].reduce((count, model) => count + model.unpriced, 0)
      const searchDollars = [...models.values()].reduce((total, model) => total + model.searchDollars, 0)
      return {
        dollars: priced ? dollars + searchDollars : null,
        parts,
        // For web searches by providers' own tools; it is part of the dollars, and of none of the parts.
        searchDollars,
        unpriced,
        ...originOf([...models.values()]),
        priceDate: knownPrices.date,
        models: rows.toSorted((a, b) => (b.dollars ?? -1) - (a.dollars ?? -1) || b.requests - a.requests),
      }
    },
  }
}

const costParts = ['input', 'cacheRead', 'cacheWrite', 'output'] as const

function newModelSum() {
  return {
    requests: 0,
    unpriced: 0,
    recorded: 0,
    recordedDollars: 0,
    searchDollars: 0,
    parts: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  }
}

/** Where a cost is from. */
export interface CostOrigin {
  /** Recorded by the agents, estimated at API prices, or both; null without a cost. */
  readonly basis: 'recorded' | 'estimated' | 'mixed' | null
  /** How many dollars of it the agents recorded. */
  readonly recordedDollars: number
}

function originOf(sums: readonly ReturnType<typeof newModelSum>[]): CostOrigin {
  const total = (name: 'requests' | 'unpriced' | 'recorded' | 'recordedDollars') => sums.reduce((sum, one) => sum + one[name], 0)
  const [priced, recorded] = [total('requests') - total('unpriced'), total('recorded')]
  const basis = priced === 0 ? null : recorded === 0 ? 'estimated' : recorded === priced ? 'recorded' : 'mixed'
  return { basis, recordedDollars: recorded === 0 ? 0 : total('recordedDollars') }
}

/** Prices on the day of an answer. Days are compared as numbers: an overview has many answers. */
export function createPrices(own: OwnPrices) {
  const prices = new Map<string, Map<number | null, Price | null>>()
  return (model: string | null, at: number | null): Price | null => {
    if (model === null) return null
    const day = at === null || at < 0 || at > Date.UTC(2100, 0) ? null : Math.floor(at / millisecondsOfDay)
    const days = prices.get(model) ?? new Map<number | null, Price | null>()
    if (prices.size < 1000) prices.set(model, days)
    const known = days.get(day)
    if (known !== undefined) return known
    const date = day === null ? undefined : new Date(day * millisecondsOfDay).toISOString().slice(0, 10)
    const price = priceOfModel(model, date, own)
    if (days.size < 1000) days.set(day, price)
    return price
  }
}

const millisecondsOfDay = 86_400_000
