import { describe, expect, it } from 'vitest'
import { promptFile, promptFileInResult } from './model-prompt.ts'

const bytes = new Uint8Array([1, 2])
const file = (data: unknown, mediaType = 'image/png') => ({ type: 'file', mediaType, data })
let nested: unknown = 'AAAA'
for (let depth = 0; depth < 50_000; depth += 1) nested = { type: 'data', data: nested }

describe('promptFile', () => {
  it.each([
    ['base64', file('AAAA'), file({ type: 'data', data: 'AAAA' })],
    ['bytes', file(bytes), file({ type: 'data', data: bytes })],
    ['an address', file('https://example.com/a.png'), file({ type: 'url', url: new URL('https://example.com/a.png') })],
    ['data in an address', file('data:image/png;base64,AAAA'), file({ type: 'data', data: 'AAAA' })],
    ['what already says what it is', file({ type: 'data', data: 'AAAA' }), file({ type: 'data', data: 'AAAA' })],
    [
      'an address that was stored',
      file({ type: 'url', url: 'https://example.com/a' }),
      file({ type: 'url', url: new URL('https://example.com/a') }),
    ],
    ['an image of the older kind', { type: 'image', image: 'AAAA' }, file({ type: 'data', data: 'AAAA' }, 'image')],
    ['nothing', file(null), { type: 'text', text: '[image/png]' }],
    ['no address', file({ type: 'url', url: '::' }), { type: 'text', text: '[image/png]' }],
    ['something endless', file(nested), { type: 'text', text: '[image/png]' }],
    ['a text', { type: 'text', text: 'So.' }, { type: 'text', text: 'So.' }],
    ['no block at all', 7, 7],
  ])('takes %s', (_name, block, expected) => expect(promptFile(block)).toEqual(expected))
})

describe('promptFileInResult', () => {
  it.each([
    ['an image', { type: 'image-data', data: 'AAAA', mediaType: 'image/png' }, file({ type: 'data', data: 'AAAA' })],
    [
      'an address',
      { type: 'image-url', url: 'https://example.com/a' },
      file({ type: 'url', url: new URL('https://example.com/a') }, 'image'),
    ],
    ['a file', file({ type: 'data', data: 'AAAA' }, 'application/pdf'), file({ type: 'data', data: 'AAAA' }, 'application/pdf')],
    ['what is kept elsewhere', { type: 'file-id', fileId: 'f' }, { type: 'text', text: '[file-id]' }],
    ['no block at all', null, { type: 'text', text: '' }],
  ])('takes %s', (_name, block, expected) => expect(promptFileInResult(block)).toEqual(expected))
})
