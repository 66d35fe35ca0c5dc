import { describe, expect, test } from 'vitest'
import { createMeasuringShare } from './measuring-share.ts'

function measuring() {
  const load = { now: 0, busy: 1 }
  const { isMeasured } = createMeasuringShare({ now: () => load.now, busy: () => load.busy })
  /** How many of so many requests, so many milliseconds apart, are measured. */
  const measured = (count: number, apart: number) => {
    let sum = 0
    for (let request = 0; request < count; request += 1) {
      load.now += apart
      if (isMeasured()) sum += 1
    }
    return sum
  }
  return { load, measured }
}

describe('what is measured', () => {
  test('everything, while there are moments without work or few requests', () => {
    const { load, measured } = measuring()
    expect(measured(5000, 10)).toBe(5000)
    load.busy = 0.8
    expect(measured(5000, 0.2)).toBe(5000)
  })

  test('one of eight, once there was no such moment for a thousand requests in a short time', () => {
    const { measured } = measuring()
    expect(measured(1023, 0.5)).toBe(1023)
    expect(measured(8000, 0.5)).toBe(1000)
  })

  test('everything again as soon as it is over', () => {
    const { load, measured } = measuring()
    measured(2000, 0.5)
    load.now += 5000
    expect(measured(8, 0.5)).toBeLessThan(8)
    expect(measured(3000, 10)).toBe(3000)
    measured(2000, 0.5)
    load.busy = 0.5
    measured(600, 0.5)
    expect(measured(3000, 0.5)).toBe(3000)
  })
})
