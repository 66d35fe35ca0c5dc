import { describe, expect, it } from 'vitest'
import { modelStrings as strings } from '../strings/specification.ts'
import { handleOf } from '../text/hash.ts'
import { type Limit, truncate } from './truncate.ts'

const limit = (maxChars: number, maxLines: number | null = null): Limit => ({
  maxChars,
  maxLines,
  by: 'cap',
  strategy: 'collapse',
  strings,
})

describe('truncate, collapsing first', () => {
  it.each([
    ['leaves a text unchanged that fits, noise included', 'a\na\n10%\r20%', limit(100), 'a\na\n10%\r20%'],
    [
      'equal lines become one with a count',
      `start\n${'waiting for the server\n'.repeat(100)}end\n`,
      limit(200),
      'start\nwaiting for the server (x100)\nend\n',
    ],
    [
      'progress becomes its last state',
      `${Array.from({ length: 101 }, (_, n) => `${n}%\r`).join('')}\ndone`,
      limit(100),
      '100%\ndone',
    ],
    ['colours go', '\u001b[31mred\u001b[0m '.repeat(20), limit(100), 'red '.repeat(20)],
    ['lines are counted after folding', `${'same line\n'.repeat(50)}last`, limit(1000, 10), 'same line (x50)\nlast'],
    [
      'short lines are not folded into longer ones',
      `${'a\na\n'.repeat(1)}${'b'.repeat(200)}`,
      limit(100),
      `a\na\n${'b'.repeat(96)}`,
    ],
  ] as const)('%s', (_, text, given, expected) => {
    expect(truncate(text, given).text).toBe(expected)
  })

  it('cuts text that is still too long, with the counts, line numbers and handle of the original', () => {
    const rows = (from: number) => Array.from({ length: 200 }, (_, index) => `row ${from + index}`).join('\n')
    const text = `${'waiting\n'.repeat(100)}${rows(101)}\nerror: gave up\n${rows(302)}\n${'bye for now\n'.repeat(50)}`
    const cut = truncate(text, limit(1000)).text
    expect(cut.startsWith('waiting (x100)\nrow 101\n')).toBe(true)
    expect(cut).toContain(`\n301: error: gave up\n[shown 1-138, 465-551; recall ${handleOf(text)}]\n`)
    expect(cut.endsWith('row 501\nbye for now (x50)\n')).toBe(true)
    expect(cut).toContain(`... [截断了 ${text.length - 640} 字符 / 325 行] ...`)
  })

  it('passes on a line in pieces if it is too long for memory', () => {
    const text = `${'x'.repeat(200_000)}\n${'y'.repeat(200_000)}`
    expect(truncate(text, limit(1000)).text).toBe(
      `${'x'.repeat(320)}\n\n... [截断了 399361 字符 / 1 行] ...\n\n${'y'.repeat(320)}`,
    )
  })
})
