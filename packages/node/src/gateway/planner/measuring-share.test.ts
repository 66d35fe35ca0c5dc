import { describe, expect, test } from 'vitest'
import { createBusyShare, createMeasuringShare, type Thread } from './measuring-share.ts'

function measuring() {
  const load = { now: 0, busy: 1, waiting: 0 }
  const { isMeasured } = createMeasuringShare({ now: () => load.now, busy: () => load.busy, waiting: () => load.waiting })
  /** How many of `count` requests, `apart` milliseconds apart, are measured. */
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

describe('the share of measured requests', () => {
  test('is all of them while there are idle moments or few requests', () => {
    const { load, measured } = measuring()
    expect(measured(5000, 10)).toBe(5000)
    load.busy = 0.6
    expect(measured(5000, 0.2)).toBe(5000)
  })

  test('is one of 32 after some hundred requests in a short time without an idle moment', () => {
    const { measured } = measuring()
    expect(measured(255, 0.5)).toBe(255)
    expect(measured(8000, 0.5)).toBe(250)
  })

  test('is one of 32 while many wait for a plan, regardless of how few come', () => {
    const { load, measured } = measuring()
    load.busy = 0
    load.waiting = 15
    expect(measured(80, 50)).toBe(80)
    load.waiting = 16
    expect(measured(640, 50)).toBeLessThan(40)
    load.waiting = 0
    expect(measured(80, 50)).toBe(80)
  })

  test('is all of them again as soon as the load is over', () => {
    const { load, measured } = measuring()
    measured(2000, 0.5)
    load.now += 5000
    expect(measured(3000, 10)).toBe(3000)
    measured(2000, 0.5)
    load.busy = 0.1
    measured(600, 0.5)
    expect(measured(3000, 0.5)).toBe(3000)
  })

  test('stays one of 32 while many requests come, although measuring less reduces the load', () => {
    const { load, measured } = measuring()
    measured(2000, 0.5)
    load.busy = 0.4
    expect(measured(8000, 0.5)).toBe(250)
  })
})

describe('how busy a thread is', () => {
  /** A thread that was active for a part of the milliseconds since it started. */
  const threadAt = (active: number, whole: number): Thread => ({
    eventLoopUtilization: (next, last) => {
      if (next === undefined) return { active, idle: whole - active, utilization: active / whole }
      const spent = next.active - (last?.active ?? 0)
      const idle = next.idle - (last?.idle ?? 0)
      return { active: spent, idle, utilization: spent / (spent + idle) }
    },
  })

  test('covers the time since the last call, separately for each thread', () => {
    let thread: Thread | null = null
    const busy = createBusyShare(() => thread)
    expect(busy()).toBe(0)
    const growing = { active: 50, idle: 50 }
    thread = {
      eventLoopUtilization: (next, last) =>
        threadAt(growing.active, growing.active + growing.idle).eventLoopUtilization(next, last),
    }
    expect(busy()).toBe(0.5)
    growing.active = 140
    growing.idle = 60
    expect(busy()).toBe(0.9)
    thread = threadAt(10, 100)
    expect(busy()).toBe(0.1)
  })
})
