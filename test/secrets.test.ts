import { describe, expect, it } from 'vitest'
import { contexts, sampleOf, survives } from '../hardening/secrets/generate.ts'
import { wellKnownKinds } from '../hardening/secrets/kinds.ts'

describe('generated secrets', () => {
  it('are of at least 150 well-known kinds, each different for another seed', () => {
    expect(new Set(wellKnownKinds.map(([name]) => name)).size).toBe(wellKnownKinds.length)
    expect(wellKnownKinds.length).toBeGreaterThanOrEqual(150)
    expect(wellKnownKinds.filter((kind) => sampleOf(kind, 1).text === sampleOf(kind, 2).text)).toEqual([])
  })

  it('are noticed if they stay', () => {
    const kept = wellKnownKinds.filter((kind) => survives(sampleOf(kind), sampleOf(kind).text))
    expect(kept).toEqual(wellKnownKinds)
  })

  it.each(Object.entries(contexts))('99 of 100 are found: %s', (_, look) => {
    const missed = wellKnownKinds.filter((kind) => survives(sampleOf(kind), look(sampleOf(kind)))).map(([name]) => name)
    expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(wellKnownKinds.length / 100)
  })
})
