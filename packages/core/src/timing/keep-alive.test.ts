import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CacheTerms } from '../facts.ts'
import { keepAliveAfter, keptAlive, settleKept, wasHeld } from './keep-alive.ts'
import { emptyLedger, type Ledger } from './ledger.ts'
import type { Moment } from './moment.ts'

const terms: CacheTerms = { read: 0.05, write: 1.25, lifetimeSeconds: 300 }
const rich: Ledger = { ...emptyLedger, bank: 1e9, untrimmed: 1e9 }

describe('keepAliveAfter', () => {
  it.each<[name: string, given: Partial<CacheTerms>, times: number]>([
    ['for cached reads at a tenth', { read: 0.1 }, 3],
    ['for cached reads at a twentieth', {}, 5],
    ['for cached reads at a fortieth', { read: 0.025 }, 12],
    ['for free cached reads', { read: 0 }, 12],
    ['once for expensive cached reads', { read: 0.25 }, 1],
    ['not if a cached read costs too much', { read: 0.4 }, 0],
    ['not if reads cost as much as writes', { read: 1, write: 1 }, 0],
    ['for a shorter time if that needs more requests', { lifetimeSeconds: 160 }, 6],
    ['not for an unspecified lifetime', { lifetimeSeconds: null }, 0],
    ['not for a lifetime of an hour', { lifetimeSeconds: 3600 }, 0],
    ['not for a lifetime under a minute', { lifetimeSeconds: 59 }, 0],
    ['not for an unknown price', { read: Number.NaN }, 0],
    ['not for an invalid lifetime', { lifetimeSeconds: Number.NaN }, 0],
  ])('sends a prompt again %s', (_name, given, times) => {
    const asked = { ...terms, ...given }
    const after = (sent: number) => keepAliveAfter({ ledger: rich, terms: asked, tokens: 1000, released: 0, times: sent })
    let sent = 0
    while (sent < 50 && after(sent) !== null) sent += 1
    expect(sent).toBe(times)
    if (times > 0) expect(after(0)).toBe((asked.lifetimeSeconds ?? 0) - 20)
  })

  it.each<[name: string, ledger: Partial<Ledger>, released: number, expected: number | null]>([
    ['savings and half a percent of the bill cover it', { bank: 50, untrimmed: 10_000 }, 0, 280],
    ['savings do not', { bank: 49, untrimmed: 10_000 }, 0, null],
    ['the conversation has not lasted', { bank: 50, untrimmed: 9_999 }, 0, null],
    ['earlier pauses paid for it', { bank: 50, untrimmed: 0, kept: { balance: 50, carried: 0 } }, 0, 280],
    ['earlier pauses cost too much', { bank: 5000, untrimmed: 10_000, kept: { balance: -1, carried: 0 } }, 0, null],
    ['an expired prompt would be written much shorter', { bank: 50, untrimmed: 10_000 }, 500, null],
    ['the savings are not a number', { bank: Number.NaN, untrimmed: 10_000 }, 0, null],
    ['the account is not a number', { bank: 50, untrimmed: 10_000, kept: { balance: Number.NaN, carried: 0 } }, 0, null],
  ])('asks what it risks: %s', (_name, ledger, released, expected) => {
    expect(keepAliveAfter({ ledger: { ...emptyLedger, ...ledger }, terms, tokens: 1000, released, times: 0 })).toBe(expected)
  })

  it('never spends more than the savings, nor more than half a percent of the bill beyond what it brought', () =>
    fc.assert(
      fc.property(
        fc.record({ bank: fc.nat(10_000), untrimmed: fc.nat(2_000_000), balance: fc.integer({ min: -5000, max: 5000 }) }),
        fc.array(fc.record({ tokens: fc.nat(200_000), released: fc.nat(1000), read: fc.constantFrom(0.02, 0.05, 0.1) }), {
          maxLength: 20,
        }),
        ({ bank, untrimmed, balance }, pauses) => {
          let ledger: Ledger = { ...emptyLedger, bank, untrimmed, kept: { balance, carried: 0 } }
          for (const [times, { tokens, released, read }] of pauses.entries()) {
            const own = { ...terms, read }
            if (keepAliveAfter({ ledger, terms: own, tokens, released, times: times % 3 }) !== null)
              ledger = keptAlive(ledger, times, tokens, own)
          }
          expect(ledger.bank).toBeGreaterThanOrEqual(0)
          expect(ledger.kept?.balance).toBeGreaterThanOrEqual(Math.min(balance, -untrimmed * 0.005 - 1e-6))
        },
      ),
      { numRuns: 200 },
    ))
})

describe('the account of prompts that were kept alive', () => {
  const warm: Moment = { lastSent: 3, coldFrom: 9, reason: null, terms, changedFrom: 9, idleSeconds: 10 }

  it('subtracts the cost from the savings, counts as a request, and remembers when the pause began', () => {
    const ledger = { ...emptyLedger, bank: 80, debts: { 'a.0': 3 }, at: 1 }
    const once = keptAlive(ledger, 9, 1000, terms)
    expect(once).toEqual({ ...ledger, bank: 30, at: 9, kept: { balance: -50, carried: 0, since: 1 } })
    expect(keptAlive(once, 20, 400, terms).kept).toEqual({ balance: -70, carried: 0, since: 1 })
  })

  it.each<[name: string, since: number | undefined, moment: Partial<Moment>, expected: boolean]>([
    ['the user was away for longer than the lifetime', 0, {}, true],
    ['the user was back in time', 100_001, {}, false],
    ['nothing was kept alive in this pause', undefined, {}, false],
    ['it expired all the same', 0, { reason: 'idle' }, false],
    ['it never expires', 0, { terms: { ...terms, lifetimeSeconds: null } }, false],
  ])('knows whether the prompt would have expired: %s', (_name, since, moment, expected) => {
    const kept = { balance: 0, carried: 0, ...(since === undefined ? {} : { since }) }
    expect(wasHeld({ ...emptyLedger, kept }, { ...warm, ...moment }, 400_000)).toBe(expected)
  })

  it('is credited with the cost of writing it again, and charged for what would have been trimmed for free', () => {
    const before: Ledger = { ...emptyLedger, bank: 100, untrimmed: 5000, kept: { balance: -50, carried: 0, since: 1 } }
    const own = { ledger: { ...before, bank: 150, untrimmed: 5100 }, tokens: 1000 }
    const expired = { ledger: { ...before, bank: -800, untrimmed: 5100 }, tokens: 800 }
    // The request cost 50; an expired one would have cost 1,000.
    const held = settleKept(before, own, warm, 0, expired)
    expect(held).toEqual({ ...own.ledger, kept: { balance: 900, carried: 200 } })
    const next = { ledger: held, tokens: 1000 }
    expect(settleKept(held, next, warm, 0, null).kept).toEqual({ balance: 890, carried: 200 })
    expect(settleKept(held, next, warm, 30, null).kept).toEqual({ balance: 860, carried: 200 })
    expect(settleKept(held, next, { ...warm, reason: 'idle' }, 0, null).kept).toEqual({ balance: 900, carried: 0 })
    const none = { ledger: emptyLedger, tokens: 0 }
    expect(settleKept(emptyLedger, none, warm, 5, null)).toBe(emptyLedger)
  })
})
