import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findProofs, numbersIn, readRows, testNames, unproven, updateMap } from '../scripts/specification-map.ts'
import { root } from './source-files.ts'

const page = readFileSync(`${root}/docs/specification.md`, 'utf8')
const rows = readRows(page)
const proofs = findProofs(root)

/** The number of rows of each source document. */
const requirements = { R000: 41, R001: 50, R002: 35, R003: 26, R004: 56 }
const lettered = ['8b', '9b', '9c', '14b', '19b', '21b', '24b', '25b', '27b', '28b', '28c', '43b', '43c']
const numbers = [
  ...Object.entries(requirements).flatMap(([document, count]) => upTo(count).map((index) => `${document}-${index}`)),
  ...upTo(54).flatMap((index) => [
    `Q-${index}`,
    ...lettered.filter((name) => Number.parseInt(name, 10) === index).map((name) => `Q-${name}`),
  ]),
]

describe('docs/specification.md', () => {
  it('lists every number once, in order', () => expect(rows.map((row) => row.number)).toEqual(numbers))

  it('has every number of the source documents, if they are available', () => {
    const source = `${root}/../shared/specification.md`
    const found = existsSync(source) ? numbersIn(readFileSync(source, 'utf8')) : numbers
    expect(new Set(found)).toEqual(new Set(numbers))
  })

  it('lists the tests of each row: `npm run docs:map` updates it', () => expect(updateMap(page, proofs)).toBe(page))

  it('gives a reason for every row without a test', () => {
    const reason =
      /^(?:informative|measured: \[.+\]\(.+\)|open: (?:sessions and history|the agent|real logs and replay|the web app|the gateway|first run and packaging))$/
    const silent = rows.filter((row) => !proofs.has(row.number) && !reason.test(row.proof))
    expect(silent.map((row) => row.number)).toEqual([])
  })

  it('has a row for every number that a test names', () => {
    expect([...proofs].filter(([number]) => !numbers.includes(number))).toEqual([])
  })
})

describe('the rules of the map', () => {
  const table =
    '# Title\n| R000-1 | One | open: the agent |\n| R000-2 | Two `a \\| b` | [old](../old.test.ts) |\n| Q-8b | Three | informative |\nend'

  it('replaces a row’s content with links to the tests that name its number', () => {
    const found = new Map([
      [
        'R000-1',
        [
          { path: 'test/a.test.ts', isLive: true },
          { path: 'packages/core/src/b.test.ts', isLive: false },
        ],
      ],
      ['R000-2', [{ path: 'test/c.test.ts', isLive: false }]],
    ])
    expect(updateMap(table, found)).toBe(
      '# Title\n| R000-1 | One | [a](../test/a.test.ts) (live), [b](../packages/core/src/b.test.ts) |\n| R000-2 | Two `a \\| b` | [c](../test/c.test.ts) |\n| Q-8b | Three | informative |\nend',
    )
  })

  it('keeps a reason, and marks a removed test', () => {
    expect(readRows(updateMap(table, new Map())).map((row) => row.proof)).toEqual(['open: the agent', unproven, 'informative'])
  })

  it('reads the names of tests in all their forms', () => {
    const source = [
      "it('R000-1 R000-2 plain', () => {})",
      'test.each([1])("R000-3 %s", () => {})',
      'describe(`R000-4 group`, () => {',
      "  it.each([['R000-5 a row of a table', 1]])('%s', run)",
      "  it.each(cases)('R000-6 it\\'s %s', run)",
      "  it.skip('R000-7 not run', () => {})",
      "  // it('R000-8 switched off')",
      "  expect(text).toBe('about R000-9')",
      '})',
    ].join('\n')
    expect([...new Set(testNames(source).flatMap(numbersIn))].sort()).toEqual([
      'R000-1',
      'R000-2',
      'R000-3',
      'R000-4',
      'R000-5',
      'R000-6',
    ])
  })

  it('distinguishes a lettered number from a plain one', () =>
    expect(numbersIn('Q-8b and Q-8, xQ-9, R0001-1')).toEqual(['Q-8b', 'Q-8']))
})

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
