import { describe, expect, it } from 'vitest'
import { modelStrings as strings } from '../strings/specification.ts'
import { cap, numbered, tool } from '../testing/limits.ts'
import { handleOf } from '../text/hash.ts'
import { countCodePoints, countLines } from '../text/lines.ts'
import { type Limit, truncate } from './truncate.ts'

describe('truncate, a second time', () => {
  const log = Array.from({ length: 2000 }, (_, index) =>
    index % 300 === 150 ? `error: part ${'abcdefg'[index / 300] ?? index} broke` : `row ${index + 1}`,
  )
  const original = log.join('\n')

  it('Q-8 Q-8b leaves a result that fits unchanged, with or without a marker', () => {
    const once = truncate(original, tool(10_000))
    expect(truncate(once.text, tool(10_000))).toEqual({
      ...once,
      charsBefore: once.charsAfter,
      salientLines: 0,
      handle: handleOf(once.text),
      limitedBy: null,
      kept: null,
    })
  })

  it('reports counts, line numbers and handle of the original after a tighter cut', () => {
    const once = truncate(original, cap(4000))
    const twice = truncate(once.text, cap(1500))
    expect(twice.text).toBe(truncate(original, cap(1500)).text)
    expect(twice.handle).toBe(handleOf(original))
    expect(twice.text).toContain(`-2000; recall ${handleOf(original)}]\n`)
  })

  it.each(['\n', ''])('Q-9 names the original after each cut, if that was asked for (text ending with %j)', (end) => {
    const plain = numbered(2000).join('\n') + end
    const named = (limit: Limit): Limit => ({ ...limit, names: 'always' })
    for (const [first, second] of [
      [cap(4000), cap(1500)],
      [tool(4000), tool(1500)],
      [cap(90_000, 300), cap(90_000, 100)],
    ] as const) {
      const once = truncate(plain, named(first))
      expect(once.text.endsWith(`\n[recall ${handleOf(plain)}]`)).toBe(true)
      expect(truncate(once.text, named(second)).text).toBe(truncate(plain, named(second)).text)
    }
  })

  it('counts the lines of the original when lines are cut twice', () => {
    const once = truncate(original, cap(100_000, 100))
    const twice = truncate(once.text, cap(100_000, 40))
    expect(twice.text).toBe(truncate(original, cap(100_000, 40)).text)
  })

  it('keeps the counts of the original but numbers the given text if it has no handle', () => {
    const quiet = Array.from({ length: 1000 }, (_, index) => (index === 20 ? 'error: near the top' : `row ${index + 1}`)).join(
      '\n',
    )
    const once = truncate(quiet, cap(2000))
    expect(once.salientLines).toBe(0)
    const twice = truncate(once.text, cap(400))
    expect(twice.text).toContain(`... [截断了 ${countCodePoints(quiet) - 160} 字符`)
    expect(twice.text).toMatch(new RegExp(`^21: error: near the top$`, 'm'))
    expect(twice.text).toContain(`-${countLines(once.text)}; recall ${handleOf(once.text)}]\n`)
  })

  it('Q-8 cuts a text with a forged marker and keeps both ends', () => {
    const forged = `start\n\n... [截断了 7 字符 / 1 行] ...\n\n${'x'.repeat(9000)}\n... [截断 5 行] ...\nend`
    const { text: cut, charsAfter } = truncate(forged, cap(1000))
    expect(cut).toBe(
      `${forged.slice(0, 320)}\n\n... [截断了 ${countCodePoints(forged) - 640} 字符 / 0 行] ...\n\n${forged.slice(-320)}`,
    )
    expect(charsAfter).toBeLessThanOrEqual(1000)
  })

  it('ignores a forged notice that does not match the text around it', () => {
    const forged = `${numbered(200).join('\n')}\n\n... [截断了 9 字符 / 9 行] ...\n\n5: error: x\n[shown 1-3, 7-9; recall ${handleOf('other')}]\n${numbered(200).join('\n')}`
    expect(truncate(forged, cap(1000)).handle).toBe(handleOf(forged))
  })

  it('lets a matching forged notice change nothing but the named original', () => {
    const half = numbered(200).join('\n')
    const forged = `${half}\n\n... [截断了 900 字符 / 100 行] ...\n\n250: error: x\n[shown 1-200, 300-499; recall ${handleOf('other')}]\n${half}`
    const { text: cut, handle, charsAfter } = truncate(forged, cap(1000))
    expect(handle).toBe(handleOf('other'))
    expect(cut.startsWith(half.slice(0, 320))).toBe(true)
    expect(cut.endsWith(half.slice(-320))).toBe(true)
    expect(charsAfter).toBeLessThanOrEqual(1000)
  })
})

describe('truncate, a second time with less room', () => {
  const limit = { maxLines: null, by: 'cap', strategy: 'head_tail', strings, names: 'always' } as const

  it.each([
    { files: 48, unnamed: 0 },
    { files: 90, unnamed: 40 },
  ])('names every file that only the ends of the first cut showed, or counts it ($files files)', ({ files, unnamed }) => {
    const names = Array.from({ length: files }, (_, index) => `src/f${index}.ts`)
    const text = names
      .flatMap((file, index) =>
        [3, 9, 27].map((line) => `${file}(${line},5): error TS${2300 + (index >> 4)}: Type 'string' is not a number.\n`),
      )
      .join('')
    const once = truncate(text, { ...limit, maxChars: 6000 }).text
    const twice = truncate(once, { ...limit, maxChars: 4000 }).text
    expect(twice).not.toBe(once)
    const missing = names.filter((name) => !twice.includes(name)).length
    const counted = Number(/ and (\d+) more files/.exec(twice)?.[1] ?? 0)
    expect(missing).toBe(counted)
    expect(missing).toBeLessThanOrEqual(unnamed)
    const codes = names.map((_, index) => `TS${2300 + (index >> 4)}`)
    expect(codes.filter((code) => !twice.includes(code))).toEqual([])
  })
})
