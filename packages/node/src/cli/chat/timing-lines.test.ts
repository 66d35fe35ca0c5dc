import { priceOf } from '@plimsoll/core/bill'
import type { TimingAccount } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { timingLines } from './context-lines.ts'

const waits: TimingAccount = {
  decision: 'waits',
  cold: null,
  waitingTokens: 12_345,
  debt: 2500,
  price: 40_000,
  rewritten: 0,
  bank: 100_000,
  lifetimeSeconds: 300,
}
const price = priceOf('claude-opus-5.5')

function lines(next: TimingAccount | null, last: TimingAccount | null = null, given = price, columns = 80, locale = 'en') {
  const strings = stringsFor(locale)
  const screen = { strings: strings.view, paint: (_tint: string, text: string) => text, columns, endless: false }
  return timingLines(next, last, given, strings.chat.timing, screen)
}

describe('the lines about pending edits', () => {
  it('give amounts in dollars', () => {
    expect(lines(waits, { ...waits, decision: 'cold', cold: 'idle' })).toEqual([
      'What waits',
      '  It waits: changing it now would cost more than carrying it has cost so far.',
      '  waiting                      12,345 tokens',
      '  cost of carrying it so far   $0.010 (2,500 tokens)',
      '  cost of changing it now      $0.160 (40,000 tokens)',
      '  saved so far by trimming     $0.400 (100,000 tokens)',
      '  the provider keeps a prompt  about 5 min',
      '  last request                 All that the rules propose takes effect,',
      '                               because the provider has none of it cached.',
      '                               (the provider has forgotten the conversation)',
    ])
  })

  it('give amounts in tokens if the price is unknown', () => {
    expect(lines({ ...waits, decision: 'bank', bank: -20, lifetimeSeconds: null }, null, null)).toEqual([
      'What waits',
      '  It waits: what was saved so far does not cover changing it.',
      '  waiting                      12,345 tokens',
      '  cost of carrying it so far   2,500 tokens',
      '  cost of changing it now      40,000 tokens',
      '  saved so far by trimming     -20 tokens',
      '  the provider keeps a prompt  not known how long',
    ])
  })

  it('are short if nothing is pending, and absent if timing does not depend on cost', () => {
    expect(lines({ ...waits, decision: 'nothing', waitingTokens: 0, debt: 0, price: 0 })).toEqual([
      'What waits',
      '  Nothing waits: all that the rules propose is in force.',
      '  waiting                      0 tokens',
      '  saved so far by trimming     $0.400 (100,000 tokens)',
      '  the provider keeps a prompt  about 5 min',
    ])
    expect(lines(null)).toEqual([])
  })

  it.each(['en', 'zh'])('fit a narrow terminal (%s)', (locale) => {
    const shown = lines(waits, waits, price, 48, locale)
    expect(shown.filter((line) => displayWidth(line) > 48)).toEqual([])
  })
})
