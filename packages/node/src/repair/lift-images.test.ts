import { patchValue } from '@plimsoll/core/wire'
import { describe, expect, it } from 'vitest'
import { findLargeImages } from './lift-images.ts'

const data = 'QUJD'.repeat(10)
const url = `data:image/png;base64,${data}`

describe('findLargeImages', () => {
  it.each([
    ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data } }, { type: 'text', text: 'gone' }],
    ['OpenAI chat', { type: 'image_url', image_url: { url } }, { type: 'text', text: 'gone' }],
    ['OpenAI responses', { type: 'input_image', image_url: url, detail: 'auto' }, { type: 'input_text', text: 'gone' }],
    ['Gemini', { inlineData: { mimeType: 'image/png', data } }, { text: 'gone' }],
    ['pi', { type: 'image', data, mimeType: 'image/png' }, { type: 'text', text: 'gone' }],
    ['AI SDK', { type: 'file', data: url, mediaType: 'image/png' }, { type: 'text', text: 'gone' }],
    ['opencode', { id: 'prt_1', type: 'file', mime: 'image/png', url }, { id: 'prt_1', type: 'text', text: 'gone' }],
    ['Copilot CLI', { type: 'blob', mimeType: 'image/png', data }, { type: 'file', displayName: 'gone', path: 'a/b.png' }],
    ['a copy for the screen', { base64: data, type: 'image/png' }, { base64: 'gone', type: 'image/png' }],
  ])('finds and replaces an image as %s writes it', (_name, block, left) => {
    const value = { content: [{ type: 'text', text: 'Look.' }, block] }
    const found = findLargeImages(value, 40)
    expect(found.map(({ mediaType, base64 }) => [mediaType, base64])).toEqual([['image/png', data]])
    const patches = found.map(({ replacement }) => replacement({ text: 'gone', file: 'a/b.png' }))
    expect(patchValue(value, patches)).toEqual({ content: [{ type: 'text', text: 'Look.' }, left] })
  })

  it.each([
    ['a small image', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'QUJD' } }]],
    ['a signature', [{ type: 'thinking', thinking: '', signature: data }]],
    [
      'encrypted reasoning',
      [
        { type: 'redacted_thinking', data },
        { type: 'reasoning', encrypted_content: data },
      ],
    ],
    ['a URL', [{ type: 'image', image: 'https://example.com/a-long-name-of-a-picture-somewhere.png' }]],
  ])('ignores %s', (_name, value) => expect(findLargeImages(value, 40)).toEqual([]))
})
