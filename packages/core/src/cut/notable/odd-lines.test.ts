import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oddLines } from './odd-lines.ts'

const names = ['left-pad', 'glob', 'chalk', 'ws', 'zod', 'ky']
const times = (count: number, make: (index: number) => string) => Array.from({ length: count }, (_, index) => make(index))
const installation = times(80, (index) => `Unpacking ${names[index % 6]}${index}x (1.${index}.0) ...`)
const log = times(
  200,
  (index) => `2026-11-16T18:${index % 60}:00Z INFO [worker-${index % 8}] GET /orders/${index} 200 ${index % 50}ms`,
)

/** The odd lines of a text in which one line was added. */
function odd(lines: readonly string[], added: string): readonly string[] {
  const text = [...lines.slice(0, 40), added, ...lines.slice(40)].join('\n')
  return oddLines(text).map(({ start, end, line }) => {
    expect(line).toBe(text.slice(0, start).split('\n').length)
    return text.slice(start, end)
  })
}

describe('oddLines', () => {
  it.each<[line: string, among: readonly string[]]>([
    ['Skipping glob7x (1.7.0) ...', installation],
    ['Kept back: chalk', installation],
    ['Unpacking ws9x (1.9.0) again, its files were changed', installation],
    ['2026-11-16T18:11:00Z NOTICE [worker-1] GET /orders/7 200 3ms', log],
    ['2026-11-16T18:11:00Z INFO [worker-3] GET /orders/7 200 71233ms', log],
    ['2026-11-16T18:11:00Z INFO [worker-1] leader changed to node-4 now ok', log],
  ])('finds "%s"', (line, among) => {
    expect(odd(among, line)).toEqual([line])
  })

  it('finds none where lines differ in names and numbers only', () => {
    expect(odd(installation, 'Unpacking zod999x (1.9.0) ...')).toEqual([])
    expect(odd(log, '2026-11-16T18:11:00Z INFO [worker-3] GET /orders/77777 200 3ms')).toEqual([])
  })

  it('finds none in prose, where every line differs', () => {
    const word = (number: number) => (number * 48_271).toString(36).replaceAll(/\d/g, 'a')
    const prose = times(60, (index) => times((index % 9) + 3, (place) => word(index * 31 + place)).join(' '))
    expect(odd(prose, 'One line more')).toEqual([])
  })

  it('finds the odd segment of one very long line', () => {
    const segments = times(500, (index) => (index === 321 ? 'parrot 321 flew away;' : `widget ${index} is fine;`))
    const text = segments.join(' ')
    expect(oddLines(text).map(({ start, end }) => text.slice(start, end))).toEqual([' parrot 321 flew away;'])
  })

  it('finds odd elements of XML in one line', () => {
    const rows = times(
      500,
      (index) => `<row id="${index}"><state>${index === 301 ? 'degraded' : 'ok'}</state><v>${index % 9}</v></row>`,
    )
    expect(oddLines(`<rows>${rows.join('')}</rows>`).map(({ text }) => text)).toEqual([
      '<rows>',
      '<state>degraded</state>',
      '</rows>',
    ])
  })

  it('finds odd lines far from both ends of a very long text, but not what is frequent there', () => {
    const lines = times(60_000, (index) =>
      index > 25_000 && index < 28_000 ? `rebuilt index ${index}` : `widget ${index} is fine`,
    )
    const at = 26_123
    const text = [...lines.slice(0, at), 'parrot 321 flew away', ...lines.slice(at)].join('\n')
    const start = text.indexOf('parrot')
    expect(oddLines(text)).toEqual([{ line: at + 1, start, end: start + 20, text: 'parrot 321 flew away' }])
  })

  it('reads no short texts', () => {
    expect(odd(installation, 'x'.repeat(10_000))).toEqual([])
    expect(oddLines('a\nb\nc')).toEqual([])
  })

  it('finds a line of its own kind anywhere, and gives lines as they are, in order and numbered, whatever the text', () => {
    const line = fc.oneof({ weight: 20, arbitrary: fc.nat(999).map((n) => `Unpacking package-${n} (1.${n}.0) ...`) }, fc.string({ maxLength: 30 })) // biome-ignore format: one line
    let found = 0
    fc.assert(
      fc.property(fc.array(line, { minLength: 60, maxLength: 200 }), fc.nat(59), (lines, at) => {
        const text = lines.toSpliced(at, 0, 'the parrot flew away').join('\n')
        const odd = oddLines(text)
        if (odd.length > 0) expect(odd.some((one) => one.text === 'the parrot flew away')).toBe(true)
        found += odd.length
        let before = -1
        for (const one of odd) {
          expect(one.start).toBeGreaterThan(before)
          expect(text.slice(one.start, one.end)).toBe(one.text)
          expect(text.slice(0, one.start).split('\n').length).toBe(one.line)
          before = one.start
        }
      }),
      { seed: 6, numRuns: 60 },
    )
    expect(found).toBeGreaterThan(60)
  })
})
