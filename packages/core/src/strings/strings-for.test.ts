import { describe, expect, it } from 'vitest'
import { reasonsOf } from '../facts.ts'

describe('reasonsOf', () => {
  it('follows the language of the configuration', () => {
    expect(reasonsOf({ config: { locale: 'zh' } }).repeatedRead(5)).toBe('该文件最新的 5 次读取已保留')
    expect(reasonsOf({}).repeatedRead(5)).toBe('the 5 latest reads of this file are kept')
  })

  const cut = { characters: '42,000', maxCharacters: '8,000', maxLines: '500', kept: 'head-and-tail', salientLines: 0 } as const
  it.each([
    [cut, '42,000 characters, limit 8,000 and 500 lines; kept head and tail'],
    [{ ...cut, salientLines: 1 }, '42,000 characters, limit 8,000 and 500 lines; kept head, tail and 1 salient line'],
    [{ ...cut, maxLines: null, kept: 'head' } as const, '42,000 characters, limit 8,000; kept the head'],
    [
      { ...cut, maxLines: '100', kept: 'matches' } as const,
      '42,000 characters, limit 8,000 and 100 matches; kept the first matches',
    ],
  ])('names how output was cut: %j', (how, sentence) => expect(reasonsOf({}).outputCut(how)).toBe(sentence))
})
