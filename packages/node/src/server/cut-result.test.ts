import { describe, expect, it } from 'vitest'
import type { ToolOutcome } from '../shared/event.ts'
import { cutResult } from './session-snapshot.ts'

const cut = (result: ToolOutcome, max = 10) => cutResult(result, max)

describe('a result that is too long', () => {
  it('keeps its beginning and reports its length', () =>
    expect(cut({ content: { type: 'text', text: '0123456789abc' }, metadata: { exitCode: 0 } })).toEqual({
      content: { type: 'text', text: '0123456789' },
      metadata: { exitCode: 0, cut: { characters: 13 } },
    }))

  it('becomes the beginning of its text if it is data', () =>
    expect(cut({ content: { type: 'json', value: { a: '0123456789' } } })).toEqual({
      content: { type: 'text', text: '{"a":"0123' },
      metadata: { cut: { characters: 18 } },
    }))

  it('keeps its images', () => {
    const image = { type: 'media', mediaType: 'image/png', data: { url: 'data:image/png;base64,AAAA' } } as const
    const text = { type: 'text', text: 'x'.repeat(20) } as const
    expect(cut({ content: { type: 'list', items: [text, image] } }).content).toEqual({
      type: 'list',
      items: [{ type: 'text', text: 'x'.repeat(10) }, image],
    })
  })

  it('is not cut in the middle of a character', () =>
    expect(cut({ content: { type: 'text', text: `${'x'.repeat(9)}😀 and more` } }).content).toEqual({
      type: 'text',
      text: 'x'.repeat(9),
    }))
})

it.each<ToolOutcome>([
  { content: { type: 'text', text: '0123456789' } },
  { content: { type: 'json', value: { success: true, metadata: { imageBase64: `data:image/png;base64,${'A'.repeat(100)}` } } } },
])('one that is short, and an image that was made, stay the same object', (result) => expect(cut(result)).toBe(result))
