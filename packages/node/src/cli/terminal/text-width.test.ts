import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutToWidth, displayWidth, fitWidth, wrapText } from './text.ts'

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['港口', 4],
    ['한글', 4],
    ['ｆｕｌｌ', 8],
    ['é', 1],
    ['😀', 2],
    ['👨‍👩‍👧', 2],
    ['→…└░', 4],
    ['\x1b[31mred\x1b[0m', 3],
    ['', 0],
  ])('%s takes %i columns', (text, width) => expect(displayWidth(text)).toBe(width))
})

describe('cutToWidth, fitWidth and wrapText', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', ' ', '港', '，', '😀', 'e\u0301', 'word ', '、') })

  it('keep to the width', () => {
    let cut = 0
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 30 }), (text, columns) => {
        if (displayWidth(text) > columns) cut += 1
        expect(displayWidth(cutToWidth(text, columns))).toBeLessThanOrEqual(columns)
        expect(displayWidth(fitWidth(text, columns))).toBe(columns)
        expect(displayWidth(fitWidth(text, columns, 'right'))).toBe(columns)
      }),
    )
    expect(cut).toBeGreaterThan(10)
  })

  it('wrapping keeps every character but blanks at the ends of lines', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 12, max: 30 }), (text, columns) => {
        expect(wrapText(text, columns).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      }),
    )
  })

  it.each([
    ['a few words in a row', 10, ['a few', 'words in a', 'row']],
    ['该结果没有对应的调用；服务商', 10, ['该结果没有', '对应的调', '用；服务商']],
    ['unbreakableword', 6, ['unbrea', 'kablew', 'ord']],
    ['保留最近几轮（默认）', 14, ['保留最近几轮', '（默认）']],
  ])('wrap %s in %i columns', (text, columns, lines) => expect(wrapText(text, columns)).toEqual(lines))

  it.each([
    ['conversation', 6, 'conve…'],
    ['港口日志', 5, '港口…'],
    ['港口日志', 4, '港…'],
    ['short', 9, 'short'],
    ['gone', 0, ''],
  ])('cut %s to %i columns', (text, columns, cut) => expect(cutToWidth(text, columns)).toBe(cut))
})
