import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CacheMatch } from '../facts.ts'
import { knownPrices, type Price, priceOf } from './prices.ts'

const named = (model: string, day?: string): string | null => priceOf(model, knownPrices, day)?.model ?? null

describe('priceOf', () => {
  it.each([
    ['claude-opus-5.5', 'claude-opus-5.5'],
    ['Claude-Opus-5-5', 'claude-opus-5.5'],
    ['claude-opus-5-5-20261001', 'claude-opus-5.5'],
    ['claude-opus-5-5@20261001', 'claude-opus-5.5'],
    ['claude-opus-5-5-latest', 'claude-opus-5.5'],
    ['anthropic/claude-opus-5', 'claude-opus-5'],
    ['us.anthropic.claude-opus-5-20260801-v1:0', 'claude-opus-5'],
    ['openrouter/openai/gpt-6.1-sol', 'gpt-6.1-sol'],
    ['gpt-6-sol-2026-09-30', 'gpt-6-sol'],
    ['models/gemini-3.1-pro-preview', 'gemini-3.1-pro-preview'],
    ['deepseek-flash', 'deepseek-flash'],
  ])('knows %s as %s', (model, expected) => expect(named(model)).toBe(expected))

  it.each([
    'gpt-5.5-mini',
    'gpt-5.5-v2',
    'gpt-6.1-sol:free',
    'claude-opus',
    'claude-opus-55',
    'claude-opus-6',
    'my-claude-opus-5.5',
    'deepseek-chat',
    'llama3',
    '',
    '/',
    'x'.repeat(1_000_000),
  ])('has no price for %.30s', (model) => expect(priceOf(model)).toBeNull())

  it.each([
    ['2026-11-30', 2],
    ['2026-12-01', 4],
  ])('returns the price of the day: %s', (day, input) => expect(priceOf('gemini-4-argon', knownPrices, day)?.input).toBe(input))

  it('prefers a row of the caller to its own, and a complete name to a part of one', () => {
    const own: Price = { ...(priceOf('gpt-5.5') as Price), model: 'relay/gpt-5.5', input: 7, source: 'quoted' }
    const prices = { date: '2027-01-01', models: [own, ...knownPrices.models] }
    expect([priceOf('relay/gpt-5.5', prices)?.input, priceOf('gpt-5.5', prices)?.input]).toEqual([7, 5])
  })

  it('never takes one model for another of the same family', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...knownPrices.models),
        fc.stringMatching(/^[-.:][a-km-z]{1,8}[0-9]{0,3}$/),
        ({ model }, suffix) => {
          expect(priceOf(`${model}${suffix}`)).toBeNull()
        },
      ),
    ))

  it('answers any name', () =>
    fc.assert(
      fc.property(fc.string(), (model) => {
        expect(priceOf(model)).toBeNull()
      }),
    ))
})

describe('knownPrices', () => {
  it('has a date and only valid amounts, with cached input never more expensive than input', () => {
    expect(knownPrices.date).toMatch(/^\d{4}-\d{2}-\d{2}$/)
    for (const { input, cacheRead, cacheWrite, output } of knownPrices.models) {
      expect(0 < cacheRead && cacheRead <= input && input <= cacheWrite && input < output).toBe(true)
    }
  })

  // The table these were taken from may be in a folder next to the repository.
  const file = fileURLToPath(new URL('../../../../../shared/prices.json', import.meta.url))
  it.skipIf(!existsSync(file))('agrees with the table it was taken from', () => {
    const { models } = JSON.parse(readFileSync(file, 'utf8')) as { readonly models: readonly Row[] }
    const rows = models.filter(({ id }) => !id.startsWith('self-hosted'))
    expect(rows.length).toBeGreaterThan(10)
    for (const row of rows) {
      const price = priceOf(row.id.split(' ')[0] ?? '')
      expect({
        ...price,
        model: row.id,
        cacheWrite: rounded(price?.cacheWrite),
        cacheWriteHour: rounded(price?.cacheWriteHour),
      }).toMatchObject({
        input: row.in,
        output: row.out,
        cacheRead: row.read,
        cacheWrite: rounded(row.write5m ?? row.in * (row.writeMult ?? 1)),
        cacheWriteHour: rounded(row.write1h),
        longPrompt: row.tier === undefined ? null : { above: row.tier.above, input: row.tier.mult_in, output: row.tier.mult_out },
        busy: row.peakMult ?? null,
        cache: {
          match: matches[row.match],
          minPrefix: row.minPrefix ?? 0,
          lifetimeSeconds: row.ttl_s ?? null,
          step: row.quantum ?? 1,
        },
      })
    }
  })
})

const matches: Readonly<Record<string, CacheMatch>> = {
  breakpoint: 'breakpoints',
  'breakpoint-latest80': 'latest-breakpoints',
  lcp: 'longest-prefix',
  'lcp-best-effort': 'best-effort',
  'prefix-unit': 'prefix-units',
}

interface Row {
  readonly id: string
  readonly in: number
  readonly out: number
  readonly read: number
  readonly write5m?: number
  readonly write1h?: number
  readonly writeMult?: number
  readonly peakMult?: number
  readonly match: string
  readonly minPrefix?: number
  readonly ttl_s?: number | null
  readonly quantum?: number
  readonly tier?: { readonly above: number; readonly mult_in: number; readonly mult_out: number }
}

function rounded(value: number | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value.toFixed(6))
}
