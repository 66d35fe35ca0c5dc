import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { modelStrings as strings } from '../../strings/specification.ts'
import type { Candidate } from '../salient.ts'
import { ranks } from '../salient.ts'
import { type Limit, truncate } from '../truncate.ts'
import { fileOfMatch, isMatchBelow, looksLikeSearch, readNames, writeNames } from './file-names.ts'

const named = (text: string, line: number, alike = 0): Candidate => ({
  rank: ranks.name,
  start: line * 10,
  end: line * 10 + 5,
  line,
  text,
  kind: `file ${text}`,
  count: 1,
  alike,
})
const cap: Limit = { maxChars: 8000, maxLines: null, by: 'cap', strategy: 'head_tail', strings }

describe('writeNames', () => {
  it.each<[names: readonly Candidate[], room: number, text: string | null]>([
    [[], 100, null],
    [[named('src/a.ts', 7)], 100, '7: also in src/a.ts\n'],
    [[named('src/a.ts', 7), named('src/b.ts', 9)], 100, '7: also in src/a.ts src/b.ts\n'],
    [[named('src/a.ts', 7), named('src/b.ts', 9), named('src/c.ts', 10)], 38, '7: also in src/a.ts and 2 more files\n'],
    [[named('src/a.ts', 7), named('src/b.ts', 9, 1200)], 100, '7: also in src/a.ts src/b.ts and 1,200 more files\n'],
    [[named('src/a.ts', 7), named('src/b.ts', 9)], 26, '7: also in 2 more files\n'],
    [[named('src/a.ts', 7)], 10, null],
  ])('%j in %i characters', (names, room, text) => {
    expect(writeNames(names, room)?.text ?? null).toBe(text)
  })

  it('names that stand beside each other are no handle', () => {
    expect(writeNames([named('a.recall', 1), named('deadbeef1234.ts', 2)], 100)?.text).not.toMatch(/recall [0-9a-f]{6}/)
  })

  it('is read again, and counts every file', () => {
    const name = fc.stringMatching(/^src\/[a-z]{1,12}\.ts$/)
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 30 }), fc.integer({ min: 40, max: 400 }), (names, room) => {
        const written = writeNames(
          names.map((text, index) => named(text, index + 1)),
          room,
        )
        expect(written?.text.length ?? 0).toBeLessThanOrEqual(room)
        const read = readNames(written?.text.trimEnd().replace(/^1: /, '') ?? '', 1) ?? []
        expect(names.slice(0, read.length)).toEqual(read.map(({ text }) => text))
        if (read.length > 0) expect(read.reduce((sum, { alike }) => sum + 1 + alike, 0)).toBe(names.length)
      }),
      { numRuns: 200, seed: 5 },
    )
  })
})

describe('matches of a search', () => {
  it.each<[line: string, file: string | null]>([
    ['src/a.ts:12:const total = 0', 'src/a.ts'],
    ['C:\\shop\\a.ts:12:const total = 0', 'C:\\shop\\a.ts'],
    ['a.py:3:def f', 'a.py'],
    ['12:30:01 started', null],
    ['localhost:8080:ok', null],
    ['said: 12: x', null],
  ])('"%s" is of %s', (line, file) => {
    expect(fileOfMatch(line)).toBe(file)
  })

  it('stand below the name of their file too', () => {
    expect(['12:x', '12-x', 'x', '1 x'].map((line) => isMatchBelow(line))).toEqual([true, true, false, false])
  })

  it('are most lines of a search', () => {
    expect(looksLikeSearch('src/a.ts:1:x\nsrc/b.ts:2:y\n')).toBe(true)
    expect(looksLikeSearch('one\ntwo\nsrc/b.ts:2:y\n')).toBe(false)
  })

  it.each(['src/f/part-12.ts:7:', 'heading'])('every file of a long search is named, in the form "%s"', (form) => {
    const files = Array.from({ length: 60 }, (_, index) => `src/f/part-${index}.ts`)
    const blocks = files.map((file) =>
      form === 'heading'
        ? [file, ...Array.from({ length: 5 }, (_, line) => `${line + 1}:  const store = open(${line})`), ''].join('\n')
        : Array.from({ length: 5 }, (_, line) => `${file}:${line + 1}:  const store = open(${line})`).join('\n'),
    )
    const cut = truncate(`${blocks.join('\n')}\n`, { ...cap, maxChars: 4500 }).text
    expect(files.filter((file) => !cut.includes(file))).toEqual([])
    // A second cut counts those that it cannot name.
    const again = truncate(cut, { ...cap, maxChars: 2600 }).text
    const missing = files.filter((file) => !again.includes(file)).length
    expect(missing).toBeGreaterThan(0)
    expect(again).toContain(` and ${missing} more files\n`)
  })
})
