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

const { title, decisions, cold, rows, lifetime } = stringsFor('en').chat.timing
/** The rows as drawn, without their alignment. */
const loose = (drawn: readonly string[]) => drawn.map((line) => line.trim().replace(/ {2,}/g, '  '))

describe('the lines about pending edits', () => {
  it('give amounts in dollars', () => {
    expect(loose(lines(waits, { ...waits, decision: 'cold', cold: 'idle' }, price, 200))).toEqual([
      title,
      decisions.waits,
      `${rows.waiting}  12,345 tokens`,
      `${rows.debt}  $0.010 (2,500 tokens)`,
      `${rows.price}  $0.160 (40,000 tokens)`,
      `${rows.bank}  $0.400 (100,000 tokens)`,
      `${rows.lifetime}  ${lifetime('5')}`,
      `${rows.last}  ${cold.idle}`,
    ])
  })

  it('give amounts in tokens if the price is unknown', () => {
    expect(loose(lines({ ...waits, decision: 'bank', bank: -20, lifetimeSeconds: null }, null, null))).toEqual([
      title,
      decisions.bank,
      `${rows.waiting}  12,345 tokens`,
      `${rows.debt}  2,500 tokens`,
      `${rows.price}  40,000 tokens`,
      `${rows.bank}  -20 tokens`,
      `${rows.lifetime}  ${lifetime(null)}`,
    ])
  })

  it('are short if nothing is pending, and absent if timing does not depend on cost', () => {
    expect(loose(lines({ ...waits, decision: 'nothing', waitingTokens: 0, debt: 0, price: 0 }))).toEqual([
      title,
      decisions.nothing,
      `${rows.waiting}  0 tokens`,
      `${rows.bank}  $0.400 (100,000 tokens)`,
      `${rows.lifetime}  ${lifetime('5')}`,
    ])
    expect(lines(null)).toEqual([])
  })

  it.each(['en', 'zh'])('are aligned and fit a narrow terminal (%s)', (locale) => {
    const shown = lines(waits, waits, price, 48, locale)
    expect(shown.filter((line) => displayWidth(line) > 48)).toEqual([])
    const numbers = lines(waits, null, price, 80, locale).filter((line) => /\$/.test(line))
    expect(new Set(numbers.map((line) => displayWidth(line.slice(0, line.indexOf('$'))))).size).toBe(1)
  })
})
