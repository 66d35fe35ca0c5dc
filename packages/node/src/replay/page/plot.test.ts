import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeHtml } from './escape-html.ts'
import { scaleOf, unit } from './plot.ts'

describe('scaleOf', () => {
  it('has room for every value between its ends, and few round ticks', () => {
    const values = fc.array(fc.double({ min: -10, max: 1000, noNaN: true }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(values, (list) => {
        const scale = scaleOf(list, 100, 500, [0])
        for (const value of list) {
          expect(scale.at(value)).toBeGreaterThanOrEqual(99.999)
          expect(scale.at(value)).toBeLessThanOrEqual(500.001)
        }
        expect(scale.ticks.length).toBeGreaterThanOrEqual(2)
        expect(scale.ticks.length).toBeLessThanOrEqual(9)
      }),
    )
  })

  it.each([[[]], [[Number.NaN]], [[Number.POSITIVE_INFINITY, 0]], [[0, 0]], [[5e-324, 0]]])('accepts %j', (values) => {
    const { at, ticks } = scaleOf(values, 0, 10)
    expect(Number.isFinite(at(0))).toBe(true)
    expect(ticks.every(Number.isFinite)).toBe(true)
  })
})

it('writes invalid coordinates as 0', () => expect([unit(1 / 3), unit(Number.NaN)]).toEqual(['0.3', '0']))

it('escapes everything in a text that HTML could interpret', () => {
  expect(escapeHtml(`<a href="x" onclick='y'>&\u0000\ud800`)).toBe(
    '&lt;a href=&quot;x&quot; onclick=&#39;y&#39;&gt;&amp;\ufffd\ufffd',
  )
})
