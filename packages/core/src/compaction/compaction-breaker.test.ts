import { describe, expect, it } from 'vitest'
import { type CompactionOutcome, compactionBreaker } from './plan-compaction.ts'

const names: Readonly<Record<string, CompactionOutcome>> = { s: 'success', i: 'ineffective', f: 'failed' }

describe('compactionBreaker', () => {
  it.each<[string, 'ineffective' | 'failed' | null]>([
    ['', null],
    ['i', null],
    ['ii', 'ineffective'],
    ['ff', null],
    ['fff', 'failed'],
    ['fifi', 'ineffective'],
    ['fiff', 'failed'],
    ['iis', null],
    ['ffsf', null],
    ['isi', null],
    ['siffi', 'ineffective'],
  ])('Q-24 stops after two ineffective or three failed attempts since a success: %s', (outcomes, reason) =>
    expect(compactionBreaker([...outcomes].map((letter) => names[letter] as CompactionOutcome))).toEqual({
      stopped: reason !== null,
      reason,
    }),
  )
})
