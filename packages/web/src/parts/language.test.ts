import { expect, it } from 'vitest'
import { languageFor } from './language.tsx'

it.each([
  [0, '0', '0 B', '$0.00'],
  [999, '999', '999 B', '$999.00'],
  [12_345, '12.3k', '12.3 kB', '$12,345.00'],
  [1_500_000, '1.5M', '1.5 MB', '$1,500,000.00'],
  [0.0123, '0', '0 B', '$0.0123'],
  [-2048, '-2k', '-2 kB', '-$2,048.00'],
])('abbreviates %d', (value, short, bytes, dollars) => {
  const { short: inShort, bytes: asBytes, dollars: asDollars } = languageFor('en')
  expect([inShort(value), asBytes(value), asDollars(value)]).toEqual([short, bytes, dollars])
})

it('uses Chinese for Chinese locales, otherwise English', () => {
  expect(languageFor('zh-CN').sessions.newChat).toBe('新建会话')
  expect(languageFor('fr').sessions.newChat).toBe('New chat')
})

it('shows an hour and more in hours and minutes', () => {
  const { duration } = languageFor('en')
  expect([duration(3_599_400), duration(3_599_600), duration(12_223_000), duration(200_000_000)]).toEqual([
    '59 min 59 s',
    '1 h 0 min',
    '3 h 23 min',
    '2 d 7 h',
  ])
})

it('shows long durations in minutes', () => {
  const { duration } = languageFor('en')
  expect([duration(850), duration(59_949), duration(80_000)]).toEqual(['0.9 s', '59.9 s', '1 min 20 s'])
})

it('shows 60 seconds as one minute', () => {
  const { duration } = languageFor('en')
  expect([duration(59_950), duration(119_499), duration(119_700)]).toEqual(['1 min 0 s', '1 min 59 s', '2 min 0 s'])
})

it('shows a dash for a time that no calendar has', () => {
  const { time } = languageFor('en')
  expect([time(8.64e15 + 1), time(Number.NaN), time(1e300)]).toEqual(['–', '–', '–'])
})

it('abbreviates nothing below a thousand, and shows it without fractions', () => {
  const { short, bytes } = languageFor('en')
  expect([short(979.7), bytes(12.4), short(0)]).toEqual(['980', '12 B', '0'])
})

it('puts a space between sentences where the language does', () => {
  expect(languageFor('en').sentences('One.', null, '', 'Two.')).toBe('One. Two.')
  expect(languageFor('zh-CN').sentences('一。', null, '二。')).toBe('一。二。')
})

it('shortens costs and times for lists', () => {
  const { money, shortTime, time } = languageFor('en')
  expect([0, 0.004, 0.0449, 0.9585, 14.666, 1234.5].map(money)).toEqual(['$0.00', '<$0.01', '$0.04', '$0.96', '$14.67', '$1,235'])
  const year = new Date().getFullYear()
  expect(shortTime(new Date(year, 10, 5, 14, 6).getTime())).toBe('Nov 5, 14:06')
  expect(shortTime(new Date(year - 1, 10, 5, 14, 6).getTime())).toBe(`Nov 5, ${year - 1}`)
  expect(shortTime(Number.NaN)).toBe('–')
  // Elsewhere the hour counts too.
  expect(time(new Date(year, 10, 5, 14, 6).getTime())).toBe('Nov 5, 14:06')
  expect(time(new Date(year - 1, 10, 5, 14, 6).getTime())).toBe(`Nov 5, ${year - 1}, 14:06`)
})

it('gives shares one digit after the point, and progress none', () => {
  const { percent, progress } = languageFor('en')
  expect([0, 0.0004, 0.56, 0.399, 1].map(percent)).toEqual(['0%', '< 0.1%', '56.0%', '39.9%', '100%'])
  expect([0.005, 0.999].map(progress)).toEqual(['0%', '99%'])
})
