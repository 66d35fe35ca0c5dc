import { describe, expect, it } from 'vitest'
import { change, grouped, percent, shortNumber, tildePath } from './text.ts'

it.each([
  ['/home/sam', '/home/sam', '~'],
  ['/home/sam/shop', '/home/sam', '~/shop'],
  ['C:\\Users\\sam\\shop', 'C:\\Users\\sam', '~\\shop'],
  ['/home/samantha/shop', '/home/sam', '/home/samantha/shop'],
  ['/srv/shop', null, '/srv/shop'],
  ['/srv/shop', '/', '/srv/shop'],
])('shortens %s with home folder %s to %s', (path, home, text) => expect(tildePath(path, home)).toBe(text))

describe('formatted numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567.4, '1,234,567'],
  ])('group the digits of %d', (number, text) => expect(grouped(number)).toBe(text))

  it.each([
    [0, '0.0 %'],
    [0.1234, '12.3 %'],
    [1, '100.0 %'],
  ])('show the share %d in percent', (share, text) => expect(percent(share)).toBe(text))

  it.each([
    [100, 100, '0 %'],
    [0, 0, '0 %'],
    [0, 17, '0 %'],
    [100, 41, '-59.0 %'],
    [100, 101, '+1.0 %'],
    [1_000_000, 1, '-99.9 %'],
    [100, 0, '-100.0 %'],
  ])('show the change from %d to %d', (before, after, text) => expect(change(before, after)).toBe(text))
})

it.each([
  [0, '0'],
  [9412, '9,412'],
  [9999, '9,999'],
  [10_000, '10.0k'],
  [99_940, '99.9k'],
  [99_960, '100k'],
  [999_499, '999k'],
  [999_500, '1.0M'],
  [45_000_000, '45.0M'],
  [2_400_000_000, '2.4B'],
  [3e15, '3,000T'],
])('shortens %i to %s', (number, text) => expect(shortNumber(number)).toBe(text))
