import { describe, expect, it } from 'vitest'
import { allLines, coversRange, rangeAsked } from './line-range.ts'

const end = Number.POSITIVE_INFINITY

describe('rangeAsked', () => {
  it.each([
    [{ file_path: 'a' }, allLines],
    [
      { offset: 10, limit: 5 },
      { first: 10, last: 14 },
    ],
    [
      { offset: 0, limit: 5 },
      { first: 1, last: 5 },
    ],
    [{ limit: 5 }, { first: 1, last: 5 }],
    [{ offset: 10 }, { first: 10, last: end }],
    [
      { start_line: 3, end_line: 9 },
      { first: 3, last: 9 },
    ],
    [
      { startLine: '3', endLine: '9' },
      { first: 3, last: 9 },
    ],
    [{ view_range: [3, 9] }, { first: 3, last: 9 }],
    [{ view_range: [3, -1] }, { first: 3, last: end }],
    [{ lines: '3-9' }, { first: 3, last: 9 }],
    [{ lines: 'all' }, null],
    [{ view_range: ['x'] }, null],
    [{ start_line: 9, end_line: 3 }, null],
    [{ offset: Number.NaN }, allLines],
  ])('%j', (input, range) => {
    expect(rangeAsked(input)).toEqual(range)
  })
})

describe('coversRange', () => {
  it.each([
    [allLines, { first: 3, last: 9 }, true],
    [allLines, null, true],
    [{ first: 1, last: 9 }, { first: 3, last: 9 }, true],
    [{ first: 1, last: 9 }, { first: 3, last: 10 }, false],
    [{ first: 4, last: 90 }, { first: 3, last: 10 }, false],
    [{ first: 1, last: 9 }, allLines, false],
    [{ first: 1, last: 9 }, null, false],
    [null, { first: 3, last: 9 }, false],
  ])('%j has %j: %s', (newer, older, covers) => {
    expect(coversRange(newer, older)).toBe(covers)
  })
})
