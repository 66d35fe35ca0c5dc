import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelStrings as strings } from '../strings/specification.ts'
import { handleOf } from '../text/hash.ts'
import { countCodePoints, countLines } from '../text/lines.ts'
import { createTruncator, type Limit, truncate } from './truncate.ts'

// Lines of many kinds: plain, salient, coloured, astral, half characters, forged markers and notices.
const line = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 30 }) },
  fc.nat(99).map((n) => `TypeError: thing ${n} is not a function`),
  fc.nat(99).map((n) => `    at run (src/file.ts:${n}:1)`),
  fc.constantFrom(
    '3 failed, 10 passed',
    'warning: unused',
    '0 errors',
    'Expected: 1',
    '\u001b[31mFAIL\u001b[0m x',
    '10%\r20%\rerror: late',
    '',
    '',
  ),
  fc.string({ unit: fc.constantFrom('😀', 'a', '\ud83d', '\ude00', '中'), maxLength: 20 }),
  fc
    .array(fc.constantFrom('row', 'error: x', 'FAIL "y"'), { maxLength: 9 })
    .map((inner) => JSON.stringify({ stdout: inner.join('\n') })),
  fc.tuple(fc.nat(99), fc.nat(99)).map(([a, b]) => strings.cutByCap(a, b)),
  fc.nat(99).map((n) => strings.cutByLines(n)),
  fc.tuple(fc.nat(9), fc.nat(99), fc.nat(99)).map(([a, b, n]) => `[shown 1-${a}, ${b}-${n}; recall ${handleOf('x')}]`),
)
const text = fc.oneof(
  fc.array(line, { maxLength: 80 }).map((lines) => lines.join('\n')),
  fc.array(line, { minLength: 20, maxLength: 300 }).map((lines) => `${lines.join('\n')}\n`),
  fc.tuple(line, fc.nat(400)).map(([piece, times]) => `${piece} `.repeat(times)),
)
const limit: fc.Arbitrary<Limit> = fc.record({
  maxChars: fc.oneof(fc.nat(60), fc.integer({ min: 100, max: 2500 })),
  maxLines: fc.oneof(fc.constant(null), fc.nat(12), fc.integer({ min: 5, max: 120 })),
  by: fc.constantFrom('cap' as const, 'tool' as const),
  strategy: fc.constantFrom(
    'head_tail' as const,
    'head_tail' as const,
    'head_only' as const,
    'summarize' as const,
    'collapse' as const,
    'structured' as const,
  ),
  strings: fc.constant(strings),
})

describe('truncate, whatever the text and the limit', () => {
  it('Q-7 Q-26 stays within both limits, gets shorter, keeps what fits, and a second time changes nothing', () => {
    const reached = { fits: 0, salient: 0, lines: 0, chars: 0, tiny: 0, astral: 0 }
    fc.assert(
      fc.property(text, limit, (input, given) => {
        const result = truncate(input, given)
        const fitting =
          countCodePoints(input) <= given.maxChars && (given.maxLines === null || countLines(input) <= given.maxLines)
        expect(result.limitedBy === null).toBe(fitting)
        expect(result.kept === null).toBe(fitting)
        expect(result.charsBefore).toBe(countCodePoints(input))
        expect(result.charsAfter).toBe(countCodePoints(result.text))
        if (fitting) {
          reached.fits += 1
          expect(result.text).toBe(input)
          expect(result.handle).toBe(handleOf(input))
          return
        }
        expect(result.charsAfter).toBeLessThanOrEqual(given.maxChars)
        expect(countLines(result.text)).toBeLessThanOrEqual(given.maxLines ?? Number.POSITIVE_INFINITY)
        expect(result.charsAfter).toBeLessThan(result.charsBefore)
        expect(truncate(result.text, given)).toMatchObject({ text: result.text, limitedBy: null })
        expect(truncate(input, given)).toEqual(result)
        if (input.isWellFormed()) expect(result.text.isWellFormed()).toBe(true)
        if (result.salientLines > 0) reached.salient += 1
        if (result.text.includes(' 行] ...') && !result.text.includes('字符')) reached.lines += 1
        if (result.text.includes('字符')) reached.chars += 1
        if (!result.text.includes('截断')) reached.tiny += 1
        if (/[\ud800-\udfff]/.test(result.text)) reached.astral += 1
      }),
      { numRuns: 350, seed: 3 },
    )
    for (const [kind, times] of Object.entries(reached)) expect(times, kind).toBeGreaterThan(10)
  })

  it('Q-7 head and tail of a cut are slices of the text, with one marker between them', () => {
    let cuts = 0
    const plain = fc.array(fc.oneof(fc.string({ unit: 'grapheme-ascii', maxLength: 40 }), fc.constant('error: x')), {
      minLength: 30,
      maxLength: 200,
    })
    fc.assert(
      fc.property(plain, limit, (lines, given) => {
        const input = lines.join('\n')
        const { text: output } = truncate(input, { ...given, strategy: 'head_tail' })
        const marker = /\n\n\.\.\. \[截断[^\]]*\] \.\.\.\n\n|\n?\.\.\. \[截断[^\]]*\] \.\.\.\n/g
        const found = [...output.matchAll(marker)]
        if (found.length === 0) {
          expect(input.startsWith(output)).toBe(true)
          return
        }
        cuts += 1
        expect(found).toHaveLength(1)
        const at = found[0]?.index ?? 0
        expect(input.startsWith(output.slice(0, at))).toBe(true)
        const after = output.slice(at + (found[0]?.[0].length ?? 0))
        const notice = /^(?:\d+: .*\n)+\[shown .*\]\n/.exec(after)?.[0] ?? ''
        const tail = after.slice(notice.length)
        // Cut by lines, the newline at the very end goes.
        expect(input.endsWith(tail) || input.endsWith(`${tail}\n`)).toBe(true)
      }),
      { numRuns: 90, seed: 5 },
    )
    expect(cuts).toBeGreaterThan(20)
  })

  it('a second, tighter cut by the same rule says what the one cut of the original would have said', () => {
    const reached = { salient: 0, plain: 0 }
    const lines = fc.array(
      fc.oneof(
        { weight: 90, arbitrary: fc.lorem({ maxCount: 8 }) },
        fc.nat(999).map((n) => `error: thing ${n} broke`),
      ),
      {
        minLength: 100,
        maxLength: 300,
      },
    )
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 800, max: 3000 }),
        fc.double({ min: 0.4, max: 0.95, noNaN: true }),
        (list, maxChars, share) => {
          const original = list.join('\n')
          const given: Limit = { maxChars, maxLines: null, by: 'cap', strategy: 'head_tail', strings }
          const first = truncate(original, given)
          const tighter = { ...given, maxChars: Math.floor(maxChars * share) }
          if (first.limitedBy === null || first.charsAfter <= tighter.maxChars) return
          const second = truncate(first.text, tighter)
          const direct = truncate(original, tighter)
          const before = (result: string) => result.slice(0, result.indexOf('] ...'))
          expect(before(second.text)).toBe(before(direct.text))
          expect(second.text.slice(-48)).toBe(direct.text.slice(-48))
          if (first.salientLines > 0) {
            reached.salient += 1
            expect(second.handle).toBe(handleOf(original))
            const shown = (result: string) => /^\[shown [\d, -]+/m.exec(result)?.[0]
            expect(shown(second.text)).toBe(shown(direct.text))
            for (const [, number, kept] of second.text.matchAll(/^(\d+): (error: thing \d+ broke)(?: \(x\d+\))*$/gm)) {
              expect(list[Number(number) - 1]).toBe(kept)
            }
          } else reached.plain += 1
        },
      ),
      { numRuns: 90, seed: 11 },
    )
    expect(reached.salient).toBeGreaterThan(25)
    expect(reached.plain).toBeGreaterThan(3)
  })

  it('in pieces it gives the same answer, wherever they end', () => {
    let streamed = 0
    // Long enough that not everything is held before the first look.
    const long = fc
      .tuple(text, fc.constantFrom(1, 1, 40, 3000), fc.constantFrom('', '\n'))
      .map(([piece, times, end]) => (piece + end).repeat(times).slice(0, 700_000))
    fc.assert(
      fc.property(
        long,
        limit,
        fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 5 }),
        (input, given, sizes) => {
          const truncator = createTruncator(given)
          for (let at = 0, turn = 0; at < input.length; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1
            truncator.write(input.slice(at, at + size))
            at += size
          }
          if (input.length > 300_000) streamed += 1
          expect(truncator.end()).toEqual(truncate(input, given))
        },
      ),
      // Shrinking texts this long would take hours.
      { numRuns: 40, seed: 7, endOnFailure: true },
    )
    expect(streamed).toBeGreaterThan(4)
  })

  it.each([
    [
      'a line of JSON that goes on through many pieces',
      `{"stdout":"${'row of output\\nerror: one\\nwarning: two\\n'.repeat(20_000)}"}`,
    ],
    ['a long line with a brace where a piece may begin', `x${'{"error: a\\nwarning: b'.padEnd(64, '{')}`.repeat(10_000)],
    ['a frame as long as the longest piece of a line that is looked at', `Error: x\n    at ${'y'.repeat(8200)}\n`.repeat(50)],
    ['a frame of exactly that length', `${'-'.repeat(300_000)}\nError: x\n${'    at y'.padEnd(4096, 'z')}\nend\n`.repeat(2)],
    [
      'a long line with failures at uneven distances',
      Array.from({ length: 600 }, (_, index) => `${'word '.repeat((index * index) % 211)}error: part ${index} broke `).join(''),
    ],
    [
      'more different failures than are kept',
      Array.from(
        { length: 20_000 },
        (_, index) => `error: ${'abcdefghij'[index % 10]} ${(index * 7919) % 3001} broke\n    at f${index} (x.js:1:2)`,
      ).join('\n'),
    ],
    [
      'a failure in the last line of a piece, with its frames in the next',
      `${'row\n'.repeat(70_000)}Error: x\n    at y (z.js:1:2)\n`.repeat(2),
    ],
  ])('in pieces of any size it sees the same in %s', (_, input) => {
    const given: Limit = { maxChars: 2000, maxLines: null, by: 'cap', strategy: 'head_tail', strings }
    const whole = truncate(input, given)
    expect(whole.salientLines).toBeGreaterThan(0)
    for (const size of [4095, 4097, 12_289, 65_536, 70_001, 250_000]) {
      const truncator = createTruncator(given)
      for (let at = 0; at < input.length; at += size) truncator.write(input.slice(at, at + size))
      expect(truncator.end()).toEqual(whole)
    }
  })

  it.each([
    ['far from both ends with an odd line', `${'row\n'.repeat(300_000)}parr`, `ot flew away\n${'row\n'.repeat(90_000)}`, 1],
    ['with the frames of a failure', `${'row\n'.repeat(70_000)}Error: x\n`, `    at y (z.js:1:2)\n${'row\n'.repeat(70_000)}`, 2],
    [
      'within a line too long to be a frame',
      `${'row\n'.repeat(70_000)}Error: x\n    at ${'y'.repeat(4200)}`,
      `y\n${'row\n'.repeat(70_000)}`,
      3,
    ],
  ])('a piece that begins %s changes nothing', (_, first, second, salientLines) => {
    const given: Limit = { maxChars: 2000, maxLines: null, by: 'cap', strategy: 'head_tail', strings }
    const truncator = createTruncator(given)
    truncator.write(first)
    truncator.write(second)
    expect(truncator.end()).toEqual(truncate(first + second, given))
    expect(truncate(first + second, given).salientLines).toBe(salientLines)
  })

  it('takes half characters cut apart by the pieces for one character', () => {
    const truncator = createTruncator({ maxChars: 1000, maxLines: null, by: 'cap', strategy: 'head_tail', strings })
    const input = '😀'.repeat(200_000)
    for (let at = 0; at < input.length; at += 65_537) truncator.write(input.slice(at, at + 65_537))
    expect(truncator.end()).toMatchObject({
      charsBefore: 200_000,
      text: `${'😀'.repeat(320)}\n\n... [截断了 199360 字符 / 0 行] ...\n\n${'😀'.repeat(320)}`,
    })
  })
})
