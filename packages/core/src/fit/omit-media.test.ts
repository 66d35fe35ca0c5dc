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
    ['a kind that holds anything', media('image/\n[p/n\u0000g]'), line('image/p/ng')],
    ['a kind without end', media(`image/${'x'.repeat(100)}`), line(`image/${'x'.repeat(54)}`)],
    [
      'an image beside a text that calls itself one',
      answer([{ ...said, mediaType: 'image/png' } as TextPart, media('image/png')]),
      answer([{ ...said, mediaType: 'image/png' } as TextPart, line('image/png')]),
    ],
    ['images in a result', answer([said, media('image/png'), said]), answer([said, line('image/png'), said])],
  ])('%s', (_name, part, expected) => expect(omitMedia(part, '0123456789ab')).toEqual(expected))

  it.each<[name: string, part: unknown]>([
    ['what was said', said],
    ["a vendor's own block", media('vendor/server_tool')],
    ['a block of no kind', { ...media(''), mediaType: undefined }],
    ['a block of a kind that only looks like one', { ...media(''), mediaType: ['image/png'] }],
    ['a text that calls itself an image', { ...said, mediaType: 'image/png' }],
    ['a result of text', { ...answer([]), content: said }],
    ['a result without images', answer([said, media('vendor/server_tool')])],
    ['a call', { type: 'tool-call', callId: 'c', tool: 'Screenshot', input: {}, content: answer([media('image/png')]).content }],
  ])('is not used for %s', (_name, part) => expect(omitMedia(part as Part, '0123456789ab')).toBe(null))
})
