import { describe, expect, it } from 'vitest'
import { readNotice, writeNotice } from './notice.ts'

const notice = { shown: [[1, 4], [9, 10]], lines: 10, handle: '0123456789ab' } as const // biome-ignore format: two ranges

describe('readNotice', () => {
  it('reads what writeNotice wrote', () => {
    expect(writeNotice(notice)).toBe('[shown 1-4, 9-10; recall 0123456789ab]')
    expect(readNotice(`head\n\n${writeNotice(notice)}\nnine\nten`)).toEqual(notice)
  })

  it('reads it above a line of which the beginning is gone', () => {
    expect(readNotice(`${writeNotice(notice)}\nht\nnine\nten`)).toEqual(notice)
  })

  it.each([
    ['no notice', 'nothing here'],
    ['two lines more after it than it says', `${writeNotice(notice)}\nseven\neight\nnine\nten`],
    ['fewer', `${writeNotice(notice)}\nten`],
    ['ranges that run backwards', '[shown 1-9, 4-5; recall 0123456789ab]\nfour\nfive'],
    ['not a line of its own', `x ${writeNotice(notice)}\nnine\nten`],
    ['a handle that is none', '[shown 1-4, 9-10; recall nonsense]\nnine\nten'],
  ])('null for %s', (_, text) => {
    expect(readNotice(text)).toBeNull()
  })

  it('is not kept from the true one by forged ones before it', () => {
    expect(readNotice(`[shown 1-1, 2-2; recall ffffffffffff]\n${writeNotice(notice)}\nnine\nten`)).toEqual(notice)
  })
})
