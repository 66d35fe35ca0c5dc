import { describe, expect, it } from 'vitest'
import type { MediaPart, Part, TextPart, ToolResultPart } from '../message.ts'
import { omitMedia } from './shrink-parts.ts'

const media = (mediaType: string): MediaPart => ({ type: 'media', mediaType, data: 'x'.repeat(1022) })
const line = (name: string): TextPart => ({ type: 'text', text: `[${name} omitted, 1.0 KB; recall 0123456789ab]` })
const answer = (items: readonly (TextPart | MediaPart)[]): ToolResultPart => ({
  type: 'tool-result',
  callId: 'c',
  tool: 'Screenshot',
  content: { type: 'list', items },
})
const said: TextPart = { type: 'text', text: 'said' }

describe('Q-24 a line instead of media', () => {
  it.each<[name: string, part: Part, expected: Part]>([
    ['an image', media('image/png'), line('image/png')],
    ['a document', media('application/pdf'), line('application/pdf')],
    ['a type with control characters', media('image/\n[p/n\u0000g]'), line('image/p/ng')],
    ['a very long type', media(`image/${'x'.repeat(100)}`), line(`image/${'x'.repeat(54)}`)],
    [
      'an image next to a text that claims to be one',
      answer([{ ...said, mediaType: 'image/png' } as TextPart, media('image/png')]),
      answer([{ ...said, mediaType: 'image/png' } as TextPart, line('image/png')]),
    ],
    ['images in a result', answer([said, media('image/png'), said]), answer([said, line('image/png'), said])],
  ])('%s', (_name, part, expected) => expect(omitMedia(part, '0123456789ab')).toEqual(expected))

  it.each<[name: string, part: unknown]>([
    ['a text', said],
    ["a vendor's own block", media('vendor/server_tool')],
    ['a block without a type', { ...media(''), mediaType: undefined }],
    ['a block whose type is a list', { ...media(''), mediaType: ['image/png'] }],
    ['a text that claims to be an image', { ...said, mediaType: 'image/png' }],
    ['a result of text', { ...answer([]), content: said }],
    ['a result without images', answer([said, media('vendor/server_tool')])],
    ['a call', { type: 'tool-call', callId: 'c', tool: 'Screenshot', input: {}, content: answer([media('image/png')]).content }],
  ])('is not used for %s', (_name, part) => expect(omitMedia(part as Part, '0123456789ab')).toBe(null))
})
