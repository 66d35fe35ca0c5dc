import { describe, expect, it } from 'vitest'
import { noticeAt, writeNotice } from './cut.ts'

const notice = { shown: [[1, 4], [9, 10]], lines: 10, handle: '0123456789ab' } as const // biome-ignore format: two ranges
const line = '[shown 1-4, 9-10; recall 0123456789ab]\n'

describe('noticeAt', () => {
  it('reads what writeNotice wrote', () => {
    expect(`${writeNotice(notice)}\n`).toBe(line)
    expect(noticeAt(`head\n${line}nine\nten`, 5)).toEqual({ notice, end: 5 + line.length })
  })

  it.each([
    ['no notice', 'nothing here'],
    ['a notice further on', `x ${line}`],
    ['a line with more text', `${line.trimEnd()} x\n`],
    ['ranges that run backwards', '[shown 1-9, 4-5; recall 0123456789ab]\n'],
    ['lines counted from nothing', '[shown 1-0, 4-5; recall 0123456789ab]\n'],
    ['an invalid handle', '[shown 1-4, 9-10; recall nonsense]\n'],
  ])('returns null for %s', (_, text) => {
    expect(noticeAt(text, 0)).toBeNull()
  })
})
