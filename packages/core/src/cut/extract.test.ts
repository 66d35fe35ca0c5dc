import { describe, expect, it } from 'vitest'
import { resultText, type ToolResultPart } from '../message.ts'
import { deepFreeze } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { utf8Length } from '../text/lines.ts'
import { createExtractor, extractOf, wholeOf } from './extract.ts'

function partOf(content: ToolResultPart['content']): ToolResultPart {
  return deepFreeze({ type: 'tool-result', callId: 'c', tool: 'x', status: 'ok', content })
}

describe('an extract', () => {
  it.each<[string, ToolResultPart['content']]>([
    ['text', { type: 'text', text: 'some words of it\n'.repeat(70_000) }],
    ['one line', { type: 'text', text: 'x'.repeat(1_000_001) }],
    ['half a character', { type: 'text', text: `${'x'.repeat(1_000_001)}\ud800` }],
    ['two halves in the wrong order', { type: 'text', text: '\udc00\ud800'.repeat(300_000) }],
    ['JSON', { type: 'json', value: { rows: Array.from({ length: 100_000 }, (_, n) => ({ n, a: null })) } }],
    ['a JSON text', { type: 'json', value: 'y'.repeat(1_000_001) }],
    [
      'a list',
      {
        type: 'list',
        items: [
          { type: 'media', mediaType: 'a', data: 1 },
          { type: 'text', text: 'z'.repeat(1_000_001) },
          { type: 'media', mediaType: 'b', data: 2 },
          { type: 'text', text: '' },
        ],
      },
    ],
  ])('of %s is short, names the whole, and gives it back', (_, content) => {
    const part = partOf(content)
    const extract = extractOf(part)
    if (extract === null) throw new Error('expected an extract')
    expect(extract.handle).toBe(handleOf(resultText(part)))
    expect([...resultText(extract.part)].length).toBeLessThan(64_100)
    expect(resultText(extract.part)).toContain(`recall ${extract.handle}]`)
    expect({ ...extract.part, content: null }).toEqual({ ...part, content: null })
    expect(extract.whole.isWellFormed()).toBe(true)
    expect(wholeOf(extract.part, extract.whole, extract.form)).toEqual(content)
    expect(extractOf({ ...extract.part, blob: { sha256: 'x', bytes: 1 } })).toBeNull()
  })

  it('is not made for small results or values without JSON', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    expect(extractOf(partOf({ type: 'text', text: 'a'.repeat(1_000_000) }))).toBeNull()
    expect(extractOf(partOf({ type: 'text', text: '四'.repeat(333_333) }))).toBeNull()
    expect(extractOf(partOf({ type: 'text', text: '四'.repeat(333_334) }))).not.toBeNull()
    expect(extractOf({ type: 'tool-result', callId: null, tool: null, content: { type: 'json', value: cycle } })).toBeNull()
  })

  it.each(['json', 'texts', 'quoted', 'other'])('is rejected if the stored text does not match: %s', (form) => {
    const part = partOf({ type: 'text', text: 'x' })
    expect(wholeOf(part, '{"a":', form)).toBeNull()
    if (form !== 'json') expect(wholeOf(part, '[null]', form)).toBeNull()
  })
})

it.each(['', 'abc', 'é', '四', '🛟', '\ud800', '\udc00\ud800', 'a\u07ff\u0800\uffff🛟z'])(
  'counts the bytes of %j as they are written',
  (text) => expect(utf8Length(text)).toBe(Buffer.byteLength(text)),
)

describe('an extract of a text that comes in pieces', () => {
  it.each<[string, string]>([
    ['lines', 'some words of it\n'.repeat(70_000)],
    ['lines, one of which matters', `${'fine\n'.repeat(150_000)}Error: it broke\n${'fine\n'.repeat(150_000)}`],
    ['one line', 'x'.repeat(1_500_000)],
    ['letters of three bytes', '漢字\n'.repeat(200_000)],
  ])('Q-9 is the same as that of the whole text: %s', (_, text) => {
    const whole = extractOf(partOf({ type: 'text', text }))
    for (const size of [777, 65_536, text.length]) {
      const extractor = createExtractor()
      for (let start = 0; start < text.length; start += size) extractor.write(text.slice(start, start + size))
      const { text: extract, handle } = extractor.end()
      expect(handle).toBe(handleOf(text))
      expect(whole !== null && resultText(whole.part) === extract).toBe(true)
    }
  })
})
