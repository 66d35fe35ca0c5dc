import { costOfTurn, knownPrices, type WindowFill, windowCategories } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packColumn, unpackColumn } from './column.ts'
import type { InspectedRequest, Inspection } from './inspection.ts'
import { packInspection, unpackInspection } from './pack-inspection.ts'

const tokens = fc.oneof(fc.nat(9), fc.nat(200_000), fc.nat(1_000_000_000))
const text = fc.oneof(fc.constantFrom('', 'Read', 'Bash', '__proto__', 'constructor', '读取'), fc.string({ unit: 'binary' }))

const fill: fc.Arbitrary<WindowFill> = fc.record({
  tokens,
  categories: fc.dictionary(fc.constantFrom(...windowCategories), tokens, { noNullPrototype: true }),
  results: fc.array(fc.record({ tool: text, tokens }), { maxLength: 4 }),
  source: fc.constantFrom('usage', 'estimate'),
  window: fc.constantFrom(200_000, 1_000_000, 0),
  reserve: tokens,
})

const usage = fc
  .record({ input: tokens, cacheRead: tokens, cacheWrite: tokens, output: tokens, hour: fc.constantFrom(0, 0.25, 1) })
  .map(({ hour, ...rest }) => ({ ...rest, ...(hour === 0 ? {} : { cacheWriteHour: Math.floor(rest.cacheWrite * hour) }) }))
const anyCost = fc.record({
  dollars: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  parts: fc.record({ input: tokens, cacheRead: tokens, cacheWrite: tokens, output: tokens }),
})
const paid = fc.oneof(
  fc.record({ usage: fc.option(usage), cost: fc.option(anyCost) }),
  fc
    .tuple(usage, fc.constantFrom(...knownPrices.models))
    .map(([reported, price]) => ({ usage: reported, cost: costOfTurn(reported, price) })),
)

const request: fc.Arbitrary<InspectedRequest> = fc
  .record({
    id: text,
    at: fc.option(fc.nat(2_000_000_000_000)),
    model: fc.option(text),
    fill,
    last: fc.integer({ min: -1, max: 100_000 }),
    paid,
    edits: tokens,
    saved: fc.integer(),
    waiting: tokens,
    isCompacted: fc.boolean(),
    broken: fc.option(
      fc.record({
        message: fc.option(fc.nat()),
        policy: fc.option(text),
        reason: fc.constantFrom('edit', 'fold', 'model', 'layers', 'rewind', 'idle', 'unknown'),
        tokens,
      }),
    ),
  })
  .map(({ paid: { usage: reported, cost }, ...rest }) => ({ ...rest, usage: reported, cost }))

const message = fc.record({
  id: text,
  role: fc.constantFrom('system', 'user', 'assistant', 'tool'),
  tokens,
  shown: fc.option(tokens),
  category: fc.constantFrom(...windowCategories),
  tool: fc.integer({ min: -1, max: 3 }),
  time: fc.nat(2_000_000_000_000),
})

const inspection: fc.Arbitrary<Inspection> = fc
  .record({
    messages: fc.array(message),
    requests: fc.array(request),
    fill,
    isUnder: fc.boolean(),
    troubles: fc.array(text),
  })
  .map(({ messages, isUnder, ...rest }) => ({
    ...rest,
    session: {
      id: 'one',
      title: null,
      format: 'plimsoll',
      isOwn: true,
      root: null,
      model: null,
      first: null,
      last: null,
      bytes: null,
      cost: { dollars: 0, unpriced: 0 },
      pins: [],
      ...(isUnder ? { under: { policies: 'economy', price: 'r.1' } } : {}),
    },
    messages: {
      ids: messages.map(({ id }) => id),
      roles: messages.map(({ role }) => role),
      tokens: messages.map((one) => one.tokens),
      shown: messages.map((one) => one.shown ?? one.tokens),
      categories: messages.map(({ category }) => category),
      tools: messages.map(({ tool }) => tool),
      toolNames: ['Read', 'Bash', '', '__proto__'],
      times: messages.map(({ time }) => time),
    },
    edits: [],
  }))

it('an inspection that was packed, sent as JSON and unpacked is the same inspection', () => {
  const reached = new Map<string, number>()
  const count = (what: string) => reached.set(what, (reached.get(what) ?? 0) + 1)
  fc.assert(
    fc.property(inspection, (given) => {
      const packed = packInspection(given)
      const { requestCount, ...unpacked } = unpackInspection(JSON.parse(JSON.stringify(packed)))
      expect(unpacked).toEqual(given)
      expect(requestCount).toBe(given.requests.length)
      for (const value of unpackColumn(packed.requests.cost.each)) count(value === null ? 'no cost' : `${typeof value} as cost`)
      if (packed.requests.cost.rates.length > 1) count('several prices')
      if (packed.requests.fill.results.lists.length > 1) count('several lists of tools')
      if (given.requests.some(({ usage: reported }) => reported === null)) count('no usage')
      if (given.requests.some(({ broken }) => broken !== null)) count('break')
      if (given.session.under !== undefined) count('under a policy set')
    }),
    { numRuns: 300 },
  )
  const wanted = [
    'no cost',
    'number as cost',
    'object as cost',
    'several prices',
    'several lists of tools',
    'no usage',
    'break',
    'under a policy set',
  ]
  expect(wanted.filter((what) => (reached.get(what) ?? 0) < 20)).toEqual([])
})

it('a column gives back any list of values, whichever form it takes', () => {
  const reached = new Set<string>()
  const value = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constant(null), fc.boolean(), text, fc.constant(0.1))
  const numbers = fc.array(fc.integer({ min: 1_000_000, max: 1_000_100 }))
  const repeated = fc.array(fc.tuple(value, fc.nat(20))).map((runs) => runs.flatMap(([one, times]) => Array(times).fill(one)))
  fc.assert(
    fc.property(fc.oneof(fc.array(value), numbers, repeated), (values) => {
      const column = packColumn(values)
      for (const form of Object.keys(column)) reached.add(form)
      expect(unpackColumn(JSON.parse(JSON.stringify(column)))).toEqual(values)
    }),
    { numRuns: 300 },
  )
  expect(reached).toEqual(new Set(['list', 'steps', 'runs', 'times']))
})

it.each([0, 1234])('costs of one price are not stored per request, with %i tokens written for an hour', (hour) => {
  const [price = null] = knownPrices.models
  const reported = {
    input: 100,
    cacheRead: 81_234,
    cacheWrite: 1234,
    ...(hour === 0 ? {} : { cacheWriteHour: hour }),
    output: 217,
  }
  const base = { id: 'e1', at: 1, model: 'm', last: 0, edits: 0, saved: 0, waiting: 0, isCompacted: false, broken: null }
  const empty: WindowFill = { tokens: 0, categories: {}, results: [], source: 'usage', window: 1, reserve: 0 }
  const requests = Array.from({ length: 1000 }, (_, index) => {
    const own = { ...reported, cacheRead: reported.cacheRead + index * 37 }
    return { ...base, fill: empty, usage: own, cost: costOfTurn(own, price) }
  })
  const { requests: packed } = packInspection({ ...(fc.sample(inspection, 1)[0] as Inspection), requests })
  expect(packed.cost).toEqual({
    rates: [
      hour === 0
        ? [price?.input, price?.cacheRead, price?.cacheWrite, price?.output]
        : [price?.input, price?.cacheRead, 0, price?.output, price?.cacheWriteHour],
    ],
    each: { runs: [0], times: [1000] },
  })
})
