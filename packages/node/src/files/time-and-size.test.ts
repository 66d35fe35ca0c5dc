import { expect, it } from 'vitest'
import { isoTime, timeText } from './time-and-size.ts'

it.each([
  [undefined, '-', null],
  [0, '1970-01-01 00:00', '1970-01-01T00:00:00.000Z'],
  [Date.parse('2026-01-31T10:00:59Z'), '2026-01-31 10:00', '2026-01-31T10:00:59.000Z'],
  [Number.NaN, '-', null],
  [9e15, '-', null],
])('%s is %s', (milliseconds, text, iso) => {
  expect({ text: timeText(milliseconds), iso: isoTime(milliseconds) }).toEqual({ text, iso })
})
