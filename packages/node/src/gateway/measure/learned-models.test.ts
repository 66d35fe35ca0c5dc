import { describe, expect, it } from 'vitest'
import { contentKinds } from './content-kinds.ts'
import { createLearnedModels } from './kept-models.ts'

const prose = (tokens: number) => contentKinds.map((kind) => (kind === 'prose' ? tokens : 0))
const roundTrip = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('createLearnedModels', () => {
  it('continues from a state learned elsewhere, as JSON', () => {
    const one = createLearnedModels()
    one.of('a').tokens.learn(prose(5000), 6500)
    one.of('a').lifetime = { atLeastSeconds: 400, atMostSeconds: 900, zeroReads: 2 }
    const other = createLearnedModels()
    other.add(roundTrip(one.state()))
    expect(other.of('a').tokens.predict(prose(1000))).toBeCloseTo(one.of('a').tokens.predict(prose(1000)), 9)
    expect(other.of('a').lifetime).toEqual({ atLeastSeconds: 400, atMostSeconds: 900, zeroReads: 0 })
    expect(other.of('b').tokens.predict(prose(1000))).toBe(1000)
  })

  it('adds what was learned elsewhere to what it learned meanwhile', () => {
    const [one, other] = [createLearnedModels(), createLearnedModels()]
    one.of(null).tokens.learn(prose(5000), 6500)
    other.of(null).tokens.learn(prose(5000), 5500)
    other.add(one.state())
    expect(other.of(null).tokens.predict(prose(1000))).toBeCloseTo(1200, 0)
  })

  it.each([
    null,
    7,
    [],
    { a: null },
    { a: { tokens: null, lifetime: 5 } },
    { a: { tokens: { kinds: ['prose'], matrix: [[1]], vector: [1], estimated: 1, counted: 1 } } },
    { a: { tokens: { ...zeros(), vector: [Number.NaN] } } },
    { a: { tokens: { ...zeros(), estimated: -1 } } },
    { a: { tokens: { ...zeros(), matrix: contentKinds.map(() => contentKinds.map(() => -1)) } } },
    { a: { tokens: zeros(), lifetime: { atLeastSeconds: 'x', atMostSeconds: -1, zeroReads: null } } },
  ])('ignores a state that cannot have been learned: %j', (state) => {
    const models = createLearnedModels()
    models.add(state)
    expect(models.of('a').tokens.predict(prose(1000))).toBe(1000)
    expect(models.of('a').lifetime?.atMostSeconds ?? null).toBeNull()
  })

  it('forgets the least recently used models', () => {
    const models = createLearnedModels()
    for (let number = 0; number < 1000; number += 1) {
      models.of(`m${number}`)
      models.of('used')
    }
    const names = Object.keys(models.state())
    expect(names.length).toBeLessThanOrEqual(100)
    expect(names).toContain('used')
    expect(names).toContain('m999')
  })

  it('learns a new way of counting although it has seen much of the old one', () => {
    const { tokens } = createLearnedModels().of('a')
    for (let count = 0; count < 10_000; count += 1) tokens.learn(prose(100_000), 100_000)
    for (let count = 0; count < 1000; count += 1) tokens.learn(prose(100_000), 130_000)
    expect(tokens.predict(prose(1000))).toBeGreaterThan(1250)
  })
})

function zeros() {
  const row = contentKinds.map(() => 0)
  return { kinds: contentKinds, matrix: contentKinds.map(() => row), vector: row, estimated: 0, counted: 0 }
}
