import type { Price, Usage } from '@plimsoll/core/bill'
import { costOfTurn, priceOf } from '@plimsoll/core/bill'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPromptCache } from '../../replay/bill/prompt-cache.ts'
import { type CounterfactualRequest, createCounterfactual, type PromptBlock } from './counterfactual.ts'

const price = priceOf('claude-opus-5.5') as Price
const block = (id: string, tokens: number): PromptBlock => ({ id, tokens })
/** A provider that counts a quarter more tokens than we do. */
const vocabulary = 1.25

/** A provider that keeps to its rules, and reports what it read and wrote. */
function createProvider({ cache } = price) {
  const kept = createPromptCache(cache)
  const keys = new Map<string, number>()
  return (blocks: readonly PromptBlock[], at: number): Usage => {
    for (const { id } of blocks) if (!keys.has(id)) keys.set(id, keys.size)
    const { read, write, fresh } = kept.send({
      keys: blocks.map(({ id }) => keys.get(id) as number),
      tokens: blocks.map(({ tokens }) => tokens * vocabulary),
      breakpoints: [blocks.length - 1],
      at,
    })
    return { input: fresh, cacheRead: read, cacheWrite: write, output: 500 }
  }
}

const withoutWrites = ({ input, cacheWrite, ...rest }: Usage): Usage => ({ ...rest, input: input + cacheWrite, cacheWrite: 0 })
const dollars = (usage: Usage): number => costOfTurn(usage, price)?.dollars ?? 0
const request = (
  rest: Pick<CounterfactualRequest, 'untrimmed' | 'trimmed' | 'usage' | 'at'> & Partial<CounterfactualRequest>,
): CounterfactualRequest => ({ model: 'claude-opus-5.5', price, ...rest })

/** The cost of a conversation with a real provider, trimmed and untrimmed, and our estimate of the latter. */
function run(
  turns: readonly { readonly untrimmed: readonly PromptBlock[]; readonly trimmed: readonly PromptBlock[]; readonly at: number }[],
) {
  const counterfactual = createCounterfactual()
  const [real, other] = [createProvider(), createProvider()]
  let paid = 0
  let said = 0
  let truth = 0
  for (const { untrimmed, trimmed, at } of turns) {
    const usage = real(trimmed, at)
    paid += dollars(usage)
    truth += dollars(other(untrimmed, at))
    said += counterfactual.note(request({ untrimmed, trimmed, usage, at })).cost?.dollars ?? Number.NaN
  }
  return { paid, said, truth }
}

const system = block('system', 20_000)
const result = (index: number): PromptBlock => block(`result ${index}`, 4000)
const stub = (index: number): PromptBlock => block(`stub ${index}`, 50)
const growing = (turns: number, shown: (index: number, turn: number) => PromptBlock) =>
  Array.from({ length: turns }, (_, turn) => ({
    at: turn * 10_000,
    untrimmed: [system, ...Array.from({ length: turn + 1 }, (_block, index) => result(index))],
    trimmed: [system, ...Array.from({ length: turn + 1 }, (_block, index) => shown(index, turn))],
  }))

describe('createCounterfactual', () => {
  it('returns the actual cost if nothing was trimmed', () => {
    const { paid, said, truth } = run(growing(10, result))
    expect([said, truth].map((amount) => amount.toFixed(9))).toEqual([paid.toFixed(9), paid.toFixed(9)])
  })

  it('shows the savings from results that were never sent in full', () => {
    const { paid, said, truth } = run(growing(10, stub))
    expect(said).toBeCloseTo(truth, 6)
    expect(paid).toBeLessThan(said * 0.7)
  })

  it('expires the untrimmed prompt in a pause in which the trimmed one was kept alive', () => {
    const turns = growing(10, stub)
    const counterfactual = createCounterfactual()
    const [real, other] = [createProvider(), createProvider()]
    const pause = 600_000
    for (const [turn, { untrimmed, trimmed, at: early }] of turns.entries()) {
      const at = turn < 9 ? early : early + pause
      const before = turns[turn - 1]
      if (turn === 9 && before !== undefined)
        for (const kept of [280_000, 560_000].map((after) => before.at + after)) {
          real(before.trimmed, kept)
          counterfactual.kept('claude-opus-5.5', kept)
        }
      const truth = other(untrimmed, at)
      const { usage } = counterfactual.note(request({ untrimmed, trimmed, usage: real(trimmed, at), at }))
      expect(usage?.cacheRead).toBeCloseTo(truth.cacheRead, 6)
    }
    expect(other(turns[9]?.untrimmed ?? [], 2 * pause).cacheRead).toBe(0)
  })

  it('shows the loss of a trim that breaks the cache at every request', () => {
    const { paid, said, truth } = run(
      growing(12, (index, turn) => (index >= turn - 3 ? result(index) : block(`worn ${index} ${turn}`, 3900))),
    )
    expect(said).toBeCloseTo(truth, 6)
    expect(paid).toBeGreaterThan(said * 1.5)
  })

  it('is right about a trim that breaks the cache once and is worth it afterwards', () => {
    const { paid, said, truth } = run(growing(40, (index, turn) => (turn >= 20 && index < 18 ? stub(index) : result(index))))
    expect(said).toBeCloseTo(truth, 6)
    expect(paid).toBeLessThan(said)
  })

  it('assumes that a provider that lost its cache lost the untrimmed prompt too', () => {
    const counterfactual = createCounterfactual()
    const [first, second] = growing(2, stub).map(({ untrimmed, trimmed, at }) => ({ untrimmed, trimmed, at }))
    const reported = [first, second].map((turn) => {
      const total = (turn as { trimmed: PromptBlock[] }).trimmed.reduce((sum, { tokens }) => sum + tokens, 0)
      return counterfactual.note(
        request({ ...(turn as NonNullable<typeof turn>), usage: { input: 0, cacheRead: 0, cacheWrite: total, output: 1 } }),
      )
    })
    expect(reported[1]?.usage).toEqual({ input: 0, cacheRead: 0, cacheWrite: 28_000, output: 1 })
  })

  it('extends an unexpected cache hit to the untrimmed prompt, up to the same block', () => {
    const untrimmed = [system, result(0), result(1)]
    const trimmed = [system, stub(0), result(1)]
    const usage = { input: 0, cacheRead: 20_050, cacheWrite: 4000, output: 1 }
    const reported = createCounterfactual().note(request({ untrimmed, trimmed, usage, at: 0 })).usage
    expect(reported).toEqual({ input: 0, cacheRead: 24_000, cacheWrite: 4000, output: 1 })
  })

  it('learns an undocumented cache lifetime from pauses, even if an edit follows the next pause', () => {
    const gemini = priceOf('gemini-3.1-pro-preview') as Price
    const [real, other] = [gemini, gemini].map(({ cache }) =>
      createProvider({ ...gemini, cache: { ...cache, lifetimeSeconds: 1800 } }),
    )
    const counterfactual = createCounterfactual()
    // The first block is too short to be cached alone, and the last request shows the second one differently.
    const blocks = (turn: number) => [block('short', 100), ...Array.from({ length: turn + 1 }, (_, index) => result(index))]
    const times = [0, 10_000, 20_000, 4_000_000, 4_010_000, 8_000_000]
    for (const [turn, at] of times.entries()) {
      const untrimmed = blocks(turn)
      const trimmed = turn === times.length - 1 ? untrimmed.map((each) => (each.id === 'result 0' ? stub(0) : each)) : untrimmed
      const usage = withoutWrites(real?.(trimmed, at) as Usage)
      const truth = withoutWrites(other?.(untrimmed, at) as Usage)
      const reported = counterfactual.note({ model: 'gemini', price: gemini, untrimmed, trimmed, usage, at })
      expect((reported.cost?.dollars ?? 0) / (costOfTurn(truth, gemini)?.dollars ?? 0)).toBeCloseTo(1, 1)
    }
  })

  it('gives each model its own cache', () => {
    const counterfactual = createCounterfactual()
    const blocks = [system, result(0)]
    const usage = { input: 0, cacheRead: 0, cacheWrite: 24_000, output: 1 }
    counterfactual.note(request({ untrimmed: blocks, trimmed: blocks, usage, at: 0 }))
    const next = { untrimmed: [...blocks, result(1)], trimmed: [system, stub(0), result(1)], at: 9, model: 'claude-opus-5' }
    expect(counterfactual.note(request({ ...next, usage })).usage?.cacheRead).toBe(0)
  })

  it('charges for a lifetime of one hour if it was requested, and assumes the prompt is still cached', () => {
    const counterfactual = createCounterfactual()
    const prompt = { untrimmed: [system, result(0)], trimmed: [system, stub(0)] }
    const first = counterfactual.note(
      request({ ...prompt, usage: { input: 0, cacheRead: 0, cacheWrite: 20_050, output: 0 }, at: 0, cacheLifetime: 'hour' }),
    )
    const later = counterfactual.note(
      request({ ...prompt, usage: { input: 0, cacheRead: 20_050, cacheWrite: 0, output: 0 }, at: 1_800_000 }),
    )
    expect([first.cost?.dollars, later.usage?.cacheRead]).toEqual([(24_000 * 8) / 1_000_000, 24_000])
  })

  it('writes the same share for an hour as the trimmed prompt, so that both sides are billed alike', () => {
    const usage = { input: 0, cacheRead: 0, cacheWrite: 20_050, cacheWriteHour: 5_012.5, output: 0 }
    const prompt = { untrimmed: [system, result(0)], trimmed: [system, stub(0)] }
    const { usage: would, cost } = createCounterfactual().note(request({ ...prompt, usage, at: 0, cacheLifetime: 'hour' }))
    expect([would?.cacheWrite, would?.cacheWriteHour]).toEqual([24_000, 6_000])
    expect(cost?.dollars).toBeCloseTo((18_000 * 5 + 6_000 * 8) / 1_000_000, 12)
  })

  it.each<[name: string, rest: Partial<CounterfactualRequest>, expected: unknown]>([
    ['no price', { price: null }, { usage: { input: 0, cacheRead: 0, cacheWrite: 24_000, output: 1 }, cost: null }],
    ['no report', { usage: null }, { usage: null, cost: null }],
    [
      'a report of nothing',
      { usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } },
      { usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 } },
    ],
    ['no blocks', { trimmed: [], untrimmed: [] }, { usage: { input: 0, cacheRead: 0, cacheWrite: 20_050, output: 1 } }],
    [
      'sizes that are none',
      { trimmed: [block('a', Number.NaN)], untrimmed: [block('a', -5)] },
      { usage: { cacheWrite: 20_050 } },
    ],
  ])('with %s', (_name, rest, expected) => {
    const usage = { input: 0, cacheRead: 0, cacheWrite: 20_050, output: 1 }
    const reported = createCounterfactual().note(
      request({ untrimmed: [system, result(0)], trimmed: [system, stub(0)], usage, at: 0, ...rest }),
    )
    expect(reported).toMatchObject(expected as object)
  })

  it('writes nothing to the cache if the provider reports no writes', () => {
    const counterfactual = createCounterfactual()
    const known = priceOf('gpt-6-sol') as Price
    const turns = growing(6, stub).map(({ untrimmed, trimmed, at }) => {
      const usage = { input: trimmed.reduce((sum, { tokens }) => sum + tokens, 0), cacheRead: 0, cacheWrite: 0, output: 1 }
      return counterfactual.note(request({ untrimmed, trimmed, usage, at, model: 'gpt-6-sol', price: known }))
    })
    expect(turns.map(({ usage, cost }) => [usage?.cacheWrite, cost?.parts.cacheWrite])).toEqual(turns.map(() => [0, 0]))
  })

  it('prices reported writes like other input if the provider charges nothing extra', () => {
    const known = priceOf('gpt-5.5') as Price
    const prompt = { untrimmed: [system, result(0)], trimmed: [system, stub(0)], at: 0, model: 'gpt-5.5', price: known }
    const [written, plain] = [
      { input: 0, cacheRead: 0, cacheWrite: 20_050, output: 1 },
      { input: 20_050, cacheRead: 0, cacheWrite: 0, output: 1 },
    ].map((usage) => createCounterfactual().note(request({ ...prompt, usage })).cost?.dollars)
    expect(written).toBeCloseTo(plain ?? Number.NaN, 12)
    expect(written).toBeCloseTo((24_000 * known.input + known.output) / 1_000_000, 9)
  })

  it('writes an untrimmed prompt to the cache if only the trimmed one is too short for it', () => {
    const counterfactual = createCounterfactual()
    const long = [block('a', 2000)]
    counterfactual.note(
      request({ untrimmed: long, trimmed: long, usage: { input: 0, cacheRead: 0, cacheWrite: 2000, output: 1 }, at: 0 }),
    )
    const short = { untrimmed: [block('b', 2000)], trimmed: [block('c', 200)], at: 1000 }
    const reported = counterfactual.note(request({ ...short, usage: { input: 200, cacheRead: 0, cacheWrite: 0, output: 1 } }))
    expect([reported.usage?.input, Math.round(reported.usage?.cacheWrite ?? 0)]).toEqual([0, 2000])
  })

  it('multiplies all tokens by the factor by which a provider counts more', () => {
    const turns = growing(12, (index, turn) => (turn >= 6 && index < 5 ? stub(index) : result(index)))
    fc.assert(
      fc.property(fc.double({ min: 0.5, max: 3, noNaN: true }), (factor) => {
        const [one, other] = [createCounterfactual(), createCounterfactual()]
        const provider = createProvider()
        for (const turn of turns) {
          const usage = provider(turn.trimmed, turn.at)
          const more = {
            input: usage.input * factor,
            cacheRead: usage.cacheRead * factor,
            cacheWrite: usage.cacheWrite * factor,
            output: usage.output,
          }
          const [said, saidMore] = [one, other].map((each, index) =>
            each.note(request({ ...turn, usage: index === 0 ? usage : more })),
          )
          for (const name of ['input', 'cacheRead', 'cacheWrite'] as const)
            expect(saidMore?.usage?.[name] ?? Number.NaN).toBeCloseTo((said?.usage?.[name] ?? Number.NaN) * factor, -2)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('whatever the provider reports, what was not trimmed would have cost what it cost', () => {
    let read = 0
    const turn = fc.record({
      added: fc.array(fc.integer({ min: 0, max: 9000 }), { maxLength: 4 }),
      input: fc.nat(5000),
      cacheRead: fc.nat(90_000),
      cacheWrite: fc.nat(20_000),
      gap: fc.constantFrom(1, 200, 4000),
    })
    fc.assert(
      fc.property(
        fc.constantFrom('claude-opus-5.5', 'gpt-6-sol', 'gpt-5.5', 'deepseek-flash', 'nobody'),
        fc.array(turn, { maxLength: 12 }),
        (model, turns) => {
          const counterfactual = createCounterfactual()
          const known = priceOf(model)
          const blocks: PromptBlock[] = [system]
          let at = 0
          for (const { added, gap, ...usage } of turns) {
            for (const tokens of added) blocks.push(block(`block ${blocks.length}`, tokens))
            at += gap * 1000
            const reported = { ...usage, output: 9 }
            const prompt = { untrimmed: [...blocks], trimmed: [...blocks], usage: reported, at, model, price: known }
            const noted = counterfactual.note(prompt)
            const paid = costOfTurn(reported, known)
            expect(noted.cost === null).toBe(paid === null)
            expect(noted.cost?.dollars ?? 0).toBeCloseTo(paid?.dollars ?? 0, 9)
            if (usage.cacheRead > 0) read += 1
          }
        },
      ),
      { examples: [['claude-opus-5.5', [{ added: [500], input: 3, cacheRead: 9000, cacheWrite: 800, gap: 1 }]]] },
    )
    expect(read).toBeGreaterThan(0)
  })
})
