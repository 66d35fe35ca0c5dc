import type { Message } from '@plimsoll/core'
import { priceOf, promptTotal, type Usage } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import type { RecordedSession, RecordedStep } from '../record-session.ts'
import { makeRow } from '../testing/made-runs.ts'
import { type BothSides, createBothSides, type SidesInput } from './both-sides.ts'

const text = (id: string, size: number): Message => ({ id, role: 'user', parts: [{ type: 'text', text: 'x'.repeat(size) }] })
const sizeOf = ({ parts: [part] }: Message) => (part?.type === 'text' ? part.text.length : 0)
const messages = Array.from({ length: 8 }, (_, index) => text(`m${index}`, 1000))
const price = priceOf('claude-opus-5.5')

/** Requests with one, two, … of the messages. The provider counts 1.5 times as much as we do, and has 4500 tokens before them. */
function sessionOf(usageOf: (prompt: number, index: number) => Usage | null, format = 'made'): RecordedSession {
  const steps = messages.map(
    (_, index): RecordedStep => ({
      segment: 0,
      length: index + 1,
      answer: text('answer', 10),
      at: index * 60_000,
      usage: usageOf(4500 + (index + 1) * 1500, index),
      model: 'claude-opus-5.5',
      output: 100,
    }),
  )
  return { name: 's', format, model: null, segments: [messages], steps, hasTimes: true }
}

function compare(
  session: RecordedSession,
  show: (originals: readonly Message[], index: number) => Partial<SidesInput> = () => ({}),
  added = 0,
) {
  const sides = createBothSides(session, { sizeOf, added, priceOf: () => price, usual: makeRow('r') })
  return session.steps.map((step, index): BothSides => {
    const originals = messages.slice(0, step.length)
    return sides({ step, originals, view: originals, common: null, ...show(originals, index) })
  })
}

const warm = (prompt: number, index: number): Usage => {
  const cacheRead = index === 0 ? 0 : prompt - 1500
  return {
    input: 7,
    cacheRead,
    cacheWrite: prompt - cacheRead - 7,
    cacheWriteHour: Math.round((prompt - cacheRead) / 3),
    output: 90,
  }
}

describe('createBothSides', () => {
  it.each<[name: string, session: RecordedSession]>([
    ['a warm cache', sessionOf(warm)],
    ['a cache that expired', sessionOf((prompt) => ({ input: 5, cacheRead: 0, cacheWrite: prompt - 5, output: 9 }))],
    [
      'a provider that reports no writes',
      sessionOf((prompt, index) => ({ input: prompt - index * 128, cacheRead: index * 128, cacheWrite: 0, output: 9 })),
    ],
    [
      'only the prompt before the messages read',
      sessionOf((prompt) => ({ input: 0, cacheRead: 3000, cacheWrite: prompt - 3000, output: 9 })),
    ],
    ['no reports', sessionOf(() => null)],
    ['some reports', sessionOf((prompt, index) => (index % 2 === 0 ? warm(prompt, index) : null))],
    [
      'reports far from the messages',
      sessionOf((prompt, index) => ({ input: index === 0 ? prompt : 20, cacheRead: 0, cacheWrite: 0, output: 9 })),
    ],
  ])('gives equal tokens and costs for what is not trimmed: %s', (_name, session) => {
    for (const { recorded, shown, account } of compare(session)) {
      expect(shown.usage).toEqual(recorded.usage)
      expect(shown.cost?.dollars).toBe(recorded.cost?.dollars)
      expect(account).toEqual({ removed: 0, rewritten: 0, recallTool: 0 })
    }
  })

  it('scales what is shown as the provider counts what was recorded', () => {
    const sides = compare(sessionOf(warm), (originals) => ({
      view: originals.map((message, index) => (index === 1 ? text('m1', 100) : message)),
    }))
    const less = sides.map(({ recorded, shown }) => promptTotal(recorded.usage) - promptTotal(shown.usage))
    expect(less[0]).toBe(0)
    // The first request tells the size of what comes before the messages, in tokens of the provider: 5000 instead of 3000.
    for (const tokens of less.slice(1)) expect(tokens).toBeGreaterThan(900 * 1.05)
    for (const tokens of less.slice(1)) expect(tokens).toBeLessThanOrEqual(900 * 1.5)
    for (const { account, recorded, shown } of sides)
      expect((recorded.cost?.dollars ?? 0) - (account?.removed ?? 0)).toBeCloseTo(shown.cost?.dollars ?? -1, 12)
  })

  it('keeps the size of what comes before the messages, and scales the messages', () => {
    for (const { hidden, scale } of compare(sessionOf(warm))) expect(hidden * scale).toBeCloseTo(5000, 6)
    expect(compare(sessionOf(warm)).at(-1)?.scale).toBeCloseTo((8 * 1500 + 4500 - 5000) / 8000, 6)
  })

  it('writes again what comes after a change of cached content, and charges it to the change', () => {
    const changed = (originals: readonly Message[]) =>
      originals.map((message, index) => (index === 2 ? text('m2', 100) : message))
    const sides = compare(sessionOf(warm), (originals, index) =>
      index < 5 ? {} : { view: changed(originals), common: index === 5 ? 2 : null },
    )
    const [before, broken, after] = sides.slice(4) as [BothSides, BothSides, BothSides]
    expect(broken.shown.usage.cacheRead).toBeLessThan(before.recorded.usage.cacheRead)
    expect(broken.shown.usage.cacheWrite).toBeGreaterThan(broken.recorded.usage.cacheWrite + 2000)
    expect(broken.account?.rewritten).toBeGreaterThan(0)
    expect([after.account?.rewritten, after.shown.usage.cacheWrite]).toEqual([0, after.recorded.usage.cacheWrite])
  })

  it('costs what the log says that it cost, and the same for what is not trimmed', () => {
    const session = sessionOf(warm)
    const charged = { ...session, steps: session.steps.map((step) => ({ ...step, charged: 0.5 })) }
    for (const { recorded, shown } of compare(charged)) {
      expect(recorded.cost?.dollars).toBeCloseTo(0.5, 9)
      expect(shown.cost?.dollars).toBe(recorded.cost?.dollars)
    }
  })

  it('adds the recall tool to each request, read from the cache like the prompt before the messages', () => {
    for (const { recorded, shown, account, scale } of compare(sessionOf(warm), () => ({}), 400).slice(1)) {
      expect(shown.usage.cacheRead - recorded.usage.cacheRead).toBeCloseTo(400 * scale, -1)
      expect(shown.usage.cacheWrite).toBeCloseTo(recorded.usage.cacheWrite, -1)
      expect(account?.recallTool).toBeCloseTo((400 * scale * 0.2) / 1e6, 6)
    }
  })

  it('does not take reports on trimmed requests of Plimsoll itself for the size of the originals', () => {
    const session = sessionOf(
      (prompt, index) => ({ input: index < 3 ? prompt : 6000, cacheRead: 0, cacheWrite: 0, output: 9 }),
      'plimsoll',
    )
    const sides = compare(session)
    expect(sides[3]?.scale).toBe(sides[2]?.scale)
    expect(promptTotal(sides[7]?.shown.usage as Usage)).toBeGreaterThan(10_000)
  })
})
