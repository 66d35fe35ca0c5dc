import { describe, expect, it } from 'vitest'
import { allLines, coversRange, rangeAsked } from './command-reads.ts'

const end = Number.POSITIVE_INFINITY

describe('rangeAsked', () => {
  it.each<[input: Readonly<Record<string, unknown>>, first: number, last: number]>([
    [{ file_path: 'a' }, 1, end],
    [{ offset: 10, limit: 5 }, 10, 14],
    [{ offset: 0, limit: 5 }, 1, 5],
    [{ limit: 5 }, 1, 5],
    [{ offset: 10 }, 10, end],
    [{ end_line: 9 }, 1, 9],
    [{ start_line: 3, end_line: 9 }, 3, 9],
    [{ start_line: 3, end_line: 3 }, 3, 3],
    [{ startLine: '3', endLine: '9' }, 3, 9],
    [{ line_start: 3, line_end: 9 }, 3, 9],
    [{ start: 3, end: 9 }, 3, 9],
    [{ start_line_one_indexed: 3, end_line_one_indexed: 9 }, 3, 9],
    [{ start_line: 3, end_line: 9, limit: 2 }, 3, 9],
    [{ offset: 3, line_count: 7 }, 3, 9],
    [{ offset: 3, num_lines: 7 }, 3, 9],
    [{ offset: 3, max_lines: 7 }, 3, 9],
    [{ offset: 3.7, limit: 6.9 }, 3, 8],
    [{ view_range: [3, 9] }, 3, 9],
    [{ view_range: [3, 3] }, 3, 3],
    [{ view_range: [0, 9] }, 1, 9],
    [{ view_range: [3, -1] }, 3, end],
    [{ line_range: ['3', '9'] }, 3, 9],
    [{ lines: '3-9' }, 3, 9],
    [{ lines: ' 3 : 9 ' }, 3, 9],
    [{ pages: '3,9' }, 3, 9],
    [{ view_range: null, pages: null, offset: 3 }, 3, end],
    // Invalid numbers are ignored.
    [{ offset: Number.NaN }, 1, end],
    [{ offset: Number.POSITIVE_INFINITY }, 1, end],
    [{ offset: [7], limit: true }, 1, end],
    [{ offset: '1e3', limit: '-5' }, 1, end],
    [{ startLine: 'x', offset: 3 }, 3, end],
  ])('%j: %d to %d', (input, first, last) => {
    expect(rangeAsked(input)).toEqual({ first, last })
  })

  it.each<[input: Readonly<Record<string, unknown>>]>([
    [{ lines: 'all' }],
    [{ lines: '3-9 and more' }],
    [{ lines: 40 }],
    [{ view_range: [] }],
    [{ view_range: ['x'] }],
    [{ view_range: ['x', 9] }],
    [{ view_range: [3] }],
    [{ start_line: 9, end_line: 3 }],
    [{ view_range: [9, 3] }],
    [{ view_range: [0, 0] }],
    [{ offset: 3, limit: 0 }],
    // Some tools count from the end of the file.
    [{ offset: -50 }],
    [{ view_range: [-50, -1] }],
  ])('%j: unknown', (input) => {
    expect(rangeAsked(input)).toBeNull()
  })
})

describe('coversRange', () => {
  it.each([
    [allLines, { first: 3, last: 9 }, true],
    [allLines, null, true],
    [{ first: 1, last: 9 }, { first: 3, last: 9 }, true],
    [{ first: 3, last: 9 }, { first: 3, last: 9 }, true],
    [{ first: 4, last: end }, { first: 3, last: 9 }, false],
    [{ first: 4, last: end }, null, false],
    [{ first: 1, last: 9 }, { first: 3, last: 10 }, false],
    [{ first: 4, last: 90 }, { first: 3, last: 10 }, false],
    [{ first: 1, last: 9 }, allLines, false],
    [{ first: 1, last: 9 }, null, false],
    [null, { first: 3, last: 9 }, false],
  ])('%j covers %j: %s', (newer, older, covers) => {
    expect(coversRange(newer, older)).toBe(covers)
  })
})
