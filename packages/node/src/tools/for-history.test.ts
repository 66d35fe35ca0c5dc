import { describe, expect, it } from 'vitest'
import type { ToolOutcome } from '../shared/event.ts'
import { forHistory } from './summarize-result.ts'
import { told } from './tool.ts'

const blob = { sha256: 'a'.repeat(64), bytes: 3 }
const image = 'A'.repeat(2048)

describe('an outcome as the log keeps it', () => {
  it('Q-18 R002-31 has placeholders for bytes that are stored, and everything else', () => {
    const value = { success: true, output: 'Image saved: a.png', metadata: { imageBase64: image, imagePath: 'a.png' } }
    const outcome: ToolOutcome = Object.freeze({
      content: Object.freeze({ type: 'json', value: Object.freeze(value) }),
      metadata: Object.freeze({ blob, screenshotData: image, imagePath: 'a.png' }),
    })
    expect(forHistory(outcome)).toEqual({
      content: {
        type: 'json',
        value: { ...value, metadata: { imageBase64: '[BINARY_DATA_FILTERED: 2.0KB]', imagePath: 'a.png' } },
      },
      metadata: { blob, screenshotData: '[BINARY_DATA_FILTERED: 2.0KB]', imagePath: 'a.png' },
    })
  })

  it.each<readonly [string, ToolOutcome]>([
    ['bytes that appear nowhere else', { content: { type: 'json', value: { imageBase64: image } } }],
    [
      'bytes with a reference that is none',
      { content: { type: 'json', value: { imageBase64: image } }, metadata: { blob: 'a' } },
    ],
    ['words', told('done', { exitCode: 0 })],
  ])('Q-18 is the same object for %s', (_name, outcome) => {
    expect(forHistory(outcome)).toBe(outcome)
  })

  it('keeps an image in the form of a provider, which the model is meant to see', () => {
    const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: image } }
    const content = { type: 'list', items: [{ type: 'media', mediaType: 'image/png', data: file }] } as const
    expect(forHistory({ content, metadata: { blob } })).toEqual({ content, metadata: { blob } })
  })
})
