import type { Tokenizer } from '@plimsoll/core'
import { estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { countTokens, encode } from 'gpt-tokenizer/encoding/o200k_base'
import { beforeAll, describe, expect, it } from 'vitest'
import { sampleTexts } from '../../../../test/sample-texts.ts'
import { createO200kTokenizer } from './tokens.ts'

const asText = { disallowedSpecial: new Set<string>() }
let tokenizer: Tokenizer

beforeAll(async () => {
  tokenizer = await createO200kTokenizer()
})

describe('the o200k tokenizer', () => {
  it('is loaded once', async () => {
    expect(tokenizer.name).toBe('o200k')
    expect(await createO200kTokenizer()).toBe(tokenizer)
  })

  const cases: readonly (readonly [text: string, tokens: number])[] = [
    ['', 0],
    ['hello world', 2],
    ['<|endoftext|>', 7],
    ['<|im_start|>user<|im_sep|>', 13],
    ['\ud800 lone \udfff', 3],
  ]
  it.each(cases)('counts %j as text: %i', (text, tokens) => {
    expect(tokenizer.count(text)).toBe(tokens)
  })

  it('agrees with the library on ordinary text', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'the',
        'quick',
        ' brown',
        '\n\n',
        '    ',
        '{"key": ',
        '中文文本，',
        '<|endoftext|>',
        '0x7f',
        '\u001b[0m',
        '🚀',
        "it's",
        '-----',
      ),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    )
    let special = 0
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const text = words.join('')
        if (text.includes('<|endoftext|>')) special += 1
        expect(tokenizer.count(text)).toBe(encode(text, asText).length)
      }),
    )
    expect(special).toBeGreaterThan(5)
  })

  it('counts the same before and after its cache was emptied', () => {
    const count = () => Object.values(sampleTexts()).map((text) => tokenizer.count(text))
    const before = count()
    const long = 'unfathomableness '.repeat(70_000)
    expect(tokenizer.count(long)).toBe(countTokens(long, asText))
    expect(count()).toEqual(before)
  })

  it('stays near the library where it cuts', () => {
    for (const unit of ['a', '中', ' ', '=', 'x=']) {
      const text = unit.repeat(2000)
      const exact = countTokens(text, asText)
      expect(Math.abs(tokenizer.count(text) - exact)).toBeLessThanOrEqual(2 * Math.ceil(text.length / 256))
    }
  })
})

describe('the estimate against o200k', () => {
  const texts = sampleTexts()
  it.each(Object.keys(texts))('is within 10 %% on %s', (name) => {
    const text = texts[name] ?? ''
    const exact = tokenizer.count(text)
    expect(exact).toBeGreaterThan(500)
    expect(Math.abs(estimator.count(text) / exact - 1)).toBeLessThan(0.1)
  })
})
