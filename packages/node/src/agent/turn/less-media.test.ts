import type { Message } from '@plimsoll/core'
import type { Failure } from '@plimsoll/core/wire'
import { describe, expect, it } from 'vitest'
import type { LearnedLimits } from '../request/learned-limits.ts'
import { lessMedia } from './recover.ts'

const image = { type: 'media', mediaType: 'image/png', data: 'x'.repeat(100_000) } as const
const messages: readonly Message[] = [
  { id: 'u', role: 'user', parts: [image, image] },
  {
    id: 't',
    role: 'tool',
    parts: [{ type: 'tool-result', callId: 'c', tool: 'Read', content: { type: 'list', items: [image, image] } }],
  },
]
const sent = Buffer.byteLength(JSON.stringify(messages))
const failure = (kind: Failure['kind'], limit: number | null = null): Failure => ({
  kind,
  limit,
  requested: null,
  input: null,
  output: null,
  provider: null,
})

describe('lessMedia', () => {
  it.each<[name: string, failure: Failure, words: string, expected: Partial<LearnedLimits>]>([
    ['as many bytes as are named', failure('payload_bytes', 300_000), '', { maxBytes: 270_000 }],
    ['half of the bytes', failure('payload_bytes'), '', { maxBytes: Math.floor(sent / 2) }],
    ['half, where more is named than was sent', failure('payload_bytes', 9e8), '', { maxBytes: Math.floor(sent / 2) }],
    ['as many images as are named', failure('image_limit'), 'At most 1 image(s) may be provided', { maxImages: 1 }],
    ['half, where more images are named than were sent', failure('image_limit'), 'up to 9 images', { maxImages: 2 }],
    ['half of the images', failure('image_limit'), 'Too many pictures', { maxImages: 2 }],
    ['as many as it takes', failure('image_limit'), 'Request contains more than 2 images', { maxImages: 2 }],
    ['no image where one cannot be read', failure('image_limit'), 'Could not process image', { maxImages: 0 }],
    ['no image to a model without eyes', failure('image_limit'), 'image_url is only supported by some', { maxImages: 0 }],
    ['no image where one is too large', failure('image_limit'), 'image dimensions exceed 8000 pixels', { maxImages: 0 }],
  ])('leaves %s', (_name, refused, words, expected) => expect(lessMedia(refused, words, messages)).toEqual(expected))

  it('learns nothing about images if there are none', () =>
    expect(lessMedia(failure('image_limit'), 'image is too large', [])).toEqual({}))

  it('never takes a server for one that takes next to nothing', () =>
    expect(lessMedia(failure('payload_bytes'), '', [])).toEqual({ maxBytes: 65_536 }))
})
