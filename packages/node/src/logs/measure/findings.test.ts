import { describe, expect, it } from 'vitest'
import { findingsIn } from './findings.ts'
import type { Overview } from './overview.ts'

const amount = (count: number, dollars: number | null) => ({ count, tokens: 10, dollars })
const place = { agent: 'pi', session: 's', title: 'T', file: '/logs/a' }
const loss = (cause: 'pause' | 'model', tokens: number, dollars: number) => ({
  at: null,
  pauseSeconds: null,
  cause,
  tokens,
  dollars,
  ...place,
})
const overview = {
  reads: {
    reads: 9,
    again: amount(4, 2),
    same: amount(0, null),
    files: [{ path: 'cart.ts', reads: 5, repeats: 3, tokens: 7, written: 0, read: 0, dollars: 1.5, ...place }],
  },
  cacheLosses: {
    pause: amount(2, 3),
    model: amount(1, 0.5),
    change: amount(1, null),
    rows: [loss('pause', 100, 2.5), loss('model', 20, 0.5)],
  },
} satisfies Pick<Overview, 'reads' | 'cacheLosses'>

describe('findingsIn', () => {
  it('has what cost most first, with the most expensive place of each kind', () => {
    const worst = { file: '/logs/a', title: 'T' }
    expect(findingsIn(overview, 3)).toEqual([
      { kind: 'pause', count: 2, dollars: 3, worst: { ...worst, dollars: 2.5, amount: 100, about: '' } },
      { kind: 'reads', count: 4, dollars: 2, worst: { ...worst, dollars: 1.5, amount: 3, about: 'cart.ts' } },
      { kind: 'model', count: 1, dollars: 0.5, worst: { ...worst, dollars: 0.5, amount: 20, about: '' } },
    ])
    expect(findingsIn(overview, 1)).toHaveLength(1)
  })

  it('has no place if the list of the most expensive has none', () => {
    const cacheLosses = { ...overview.cacheLosses, rows: [] }
    expect(findingsIn({ ...overview, cacheLosses }, 1)).toEqual([{ kind: 'pause', count: 2, dollars: 3, worst: null }])
  })
})
