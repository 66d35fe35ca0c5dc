import { describe, expect, it } from 'vitest'
import { changeFigure, percentFigure, shareFigure, shortFigure } from './report-table.ts'

describe('figures', () => {
  it.each([
    [0, '0'],
    [-0.1864, '-18.6'],
    [0.0004, '0'],
    [0.0006, '+0.1'],
    [-0.00004, '0'],
    [8.12, '+812'],
    [0.99949, '+99.9'],
    [0.9996, '+100'],
  ])('writes a change of %s as %s', (change, text) => expect(changeFigure(change)).toBe(text))

  it.each([
    [1, '1'],
    [0, '0'],
    [0.9634, '.963'],
    [0.9999, '.999'],
    [0.0001, '.001'],
    [0.05, '.050'],
  ])('writes a share of %s as %s', (share, text) => expect(shareFigure(share)).toBe(text))

  it.each([
    [0, '0'],
    [0.034, '.03'],
    [1.24, '1.2'],
    [0.996, '1.0'],
    [15.4, '15'],
    [1204, '1204'],
  ])('writes %s in four characters as %s', (value, text) => expect(shortFigure(value)).toBe(text))

  it('writes percentages with one digit', () => expect(percentFigure(0.4567)).toBe('45.7'))
})
