import { describe, expect, it } from 'vitest'
import { createBlockSizes } from './block-sizes.ts'
import type { PromptBlock } from './counterfactual.ts'
import { createProviderTokens } from './provider-tokens.ts'

const block = (id: string, tokens: number): PromptBlock => ({ id, tokens })
const [system, one, two, stub] = [block('system', 3000), block('one', 1000), block('two', 1000), block('stub', 20)]

describe('createBlockSizes', () => {
  it('measures a block by what it adds to the count', () => {
    const sizes = createBlockSizes(createProviderTokens())
    sizes.measure([system], 3300)
    sizes.measure([system, one], 3300 + 700)
    sizes.measure([system, one, two], 3300 + 700 + 1350)
    expect(Math.abs(sizes.of(one) - 700)).toBeLessThan(3)
    expect(Math.abs(sizes.of(two) - 1350)).toBeLessThan(3)
  })

  it('keeps the size of a block that was replaced', () => {
    const sizes = createBlockSizes(createProviderTokens())
    sizes.measure([system], 3300)
    sizes.measure([system, one], 4000)
    sizes.measure([system, stub], 3320)
    expect(Math.abs(sizes.of(one) - 700)).toBeLessThan(3)
    expect(Math.abs(sizes.of(stub) - 20)).toBeLessThan(3)
  })

  it('gives what the provider adds to a prompt to its first block', () => {
    const sizes = createBlockSizes(createProviderTokens())
    sizes.measure([system, one], 9000)
    expect(sizes.of(system) + sizes.of(one)).toBeCloseTo(9000, 0)
    expect(sizes.of(one)).toBeLessThan(2600)
  })

  it('predicts a block that was never sent from its trimmed version', () => {
    const tokens = createProviderTokens()
    const sizes = createBlockSizes(tokens)
    sizes.measure([system], 3000)
    const kept = block('kept', 900)
    sizes.measure([system, kept], 3000 + 1200)
    const alike = sizes.of(block('never sent', 10_000), kept)
    expect(alike).toBeGreaterThan(sizes.of(block('never sent', 10_000)))
  })

  it('learns nothing from an empty report', () => {
    const sizes = createBlockSizes(createProviderTokens())
    sizes.measure([system], 0)
    expect(sizes.of(system)).toBe(3000)
  })
})
