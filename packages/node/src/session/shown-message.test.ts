import type { Message } from '@plimsoll/core'
import type { MediaPart } from '@plimsoll/core/wire'
import { describe, expect, it } from 'vitest'
import { shownMedia } from '../shared/inspection/inspection.ts'
import { blobOf } from './blob-store.ts'
import { shownContent, shownMessage } from './shown-message.ts'

const small = Buffer.alloc(60, 1)
const large = Buffer.alloc(5000, 2)

/** The same bytes as each vendor writes them. */
const forms: readonly [name: string, write: (base64: string) => unknown][] = [
  ['a plain text', (data) => data],
  ['a data URL', (data) => `data:image/png;base64,${data}`],
  ['the AI SDK', (data) => ({ type: 'file', mediaType: 'image/png', data: { type: 'data', data } })],
  ['OpenAI', (data) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${data}`, detail: 'low' } })],
  ['Anthropic', (data) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } })],
  ['Gemini', (data) => ({ inlineData: { mimeType: 'image/png', data } })],
]

const part = (data: unknown): MediaPart => ({ type: 'media', mediaType: 'image/png', data })
const message = (data: unknown): Message => ({ id: '1', role: 'user', parts: [part(data)] })

function shown(given: Message) {
  const [first] = shownMessage(given).parts
  return first?.type === 'media' ? shownMedia(first.data) : first
}

describe('an image', () => {
  it.each(forms)('in the form %s is named by the hash of its bytes', (_name, write) =>
    expect(shown(message(write(large.toString('base64'))))).toEqual({ blob: { sha256: blobOf(large).sha256, bytes: 5000 } }),
  )

  it.each(forms)('in the form %s is a data URL if it is too small for a blob', (_name, write) =>
    expect(shown(message(write(small.toString('base64'))))).toEqual({ url: `data:image/png;base64,${small.toString('base64')}` }),
  )

  it('is named by its hash if it is bytes', () =>
    expect(shown(message(new Uint8Array(large)))).toEqual({ blob: { sha256: blobOf(large).sha256, bytes: 5000 } }))

  it.each(['https://evil.example/a.png', { type: 'image_url', image_url: { url: 'http://127.0.0.1/a.png' } }, null, 7, 'short'])(
    'is not shown if it is remote or not an image: %j',
    (data) => expect(shown(message(data))).toEqual({ none: true }),
  )

  it('in a result is named too, and the text stays', () => {
    const text = { type: 'text', text: large.toString('base64') } as const
    const content = { type: 'list', items: [text, part(large.toString('base64'))] } as const
    const given: Message = { id: '1', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: 't', content }] }
    const blob = { sha256: blobOf(large).sha256, bytes: 5000 }
    expect(shownMessage(given).parts).toEqual([
      { type: 'tool-result', callId: 'c', tool: 't', content: { type: 'list', items: [text, part({ blob })] } },
    ])
  })

  it('in a live result is complete', () => {
    const data = large.toString('base64')
    expect(shownContent({ type: 'list', items: [part(data)] })).toEqual({
      type: 'list',
      items: [part({ url: `data:image/png;base64,${data}` })],
    })
  })
})

it('a message without images stays the same object', () => {
  const given: Message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'x'.repeat(10_000) }] }
  expect(shownMessage(given)).toBe(given)
})
