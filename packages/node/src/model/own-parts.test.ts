import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { ownParts } from './tool-request.ts'

const thought = (providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Message => ({
  id: 'a',
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: 'hm', ...(providerOptions === undefined ? {} : { providerOptions }) },
    { type: 'text', text: 'So.' },
  ],
})
const said = { ...thought(), parts: [{ type: 'text', text: 'So.' }] }

describe('ownParts', () => {
  it.each([
    ['its own reasoning', thought({ google: {} }), false, thought({ google: {} })],
    ['its own of several', thought({ google: { a: 1 }, openai: { b: 2 } }), false, thought({ google: { a: 1 } })],
    ['no reasoning of another', thought({ openai: {} }), true, said],
    ['no reasoning of an unknown provider', thought(), false, said],
    ['reasoning of an unknown provider if it accepts that', thought(), true, thought()],
    ['nothing that only looks like its own', thought({ toString: {} }), false, said],
  ])('leaves a provider %s', (_name, message, takesUnknown, expected) => {
    expect(ownParts([message], 'google', takesUnknown)).toEqual([expected])
  })

  it('removes the options of another provider, and keeps the part', () => {
    const message: Message = {
      id: 'a',
      role: 'assistant',
      parts: [{ type: 'tool-call', callId: 'c', tool: 'LS', input: {}, providerOptions: { openai: { itemId: 'fc_1' } } }],
    }
    expect(ownParts([message], 'google', false)[0]?.parts).toEqual([{ type: 'tool-call', callId: 'c', tool: 'LS', input: {} }])
  })

  it.each<[name: string, parts: Message['parts']]>([
    ['nothing', []],
    ['blanks', [{ type: 'text', text: ' \n' }]],
    ['reasoning of another', [{ type: 'reasoning', text: 'hm', providerOptions: { openai: {} } }]],
    ['its own reasoning', [{ type: 'reasoning', text: 'hm', providerOptions: { google: {} } }]],
  ])('omits an answer that consists of %s', (_name, parts) =>
    expect(ownParts([{ id: 'a', role: 'assistant', parts }, said as Message], 'google', true)).toEqual([said]),
  )

  it('returns the same objects each time, and the message itself if nothing is removed', () => {
    const [foreign, plain] = [thought({ openai: {} }), said as Message]
    const first = ownParts([foreign, plain], 'google', false)
    const second = ownParts([foreign, plain], 'google', false)
    expect(second[0]).toBe(first[0])
    expect(second[1]).toBe(plain)
  })
})
