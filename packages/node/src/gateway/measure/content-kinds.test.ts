import type { Message, Part } from '@plimsoll/core'
import { countMessage, estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { workingSessions } from '../../../../core/src/testing/working-sessions.ts'
import { contentKinds, kindsOfMessage, kindsOfText } from './content-kinds.ts'

const largest = (text: string) => {
  const kinds = kindsOfText(text)
  return contentKinds[kinds.indexOf(Math.max(...kinds))]
}
const message = (part: Part): Message => ({ id: 'm', role: 'user', parts: [part] })

describe('kindsOfText', () => {
  it.each([
    ['prose', 'The gateway stores the messages of a conversation, and removes what no one needs.'],
    ['mixed', 'Run npm test -- first, then read the output and the file called "settings".'],
    ['code', 'export const settings = readSettings({ path: join(root, name), isStrict: true })'],
    ['margin', Array.from({ length: 9 }, (_, line) => `${String(line + 97).padStart(6)}\t}`).join('\n')],
    ['digits', '1762 99182 77163 00012 88172 66152'],
    ['packed', 'aGVsbG8gd29ybGQhIQ'.repeat(20)],
    ['packed', 'sha512-8TzqJBQDzB3pNdJOkBhpFzmYd1vKCBZLbhVhbGc0aHVuZ0NhbGxlZEl0NjRiaXRzT3JTbzEyMw=='],
    ['mixed', 'packages/core/src/gateway/content-kinds-and-provider-tokens of the gateway'],
    ['foreign', '\u7f51\u5173\u4fdd\u5b58\u5bf9\u8bdd'.repeat(5)],
  ])('finds mostly %s', (kind, text) => expect(largest(text)).toBe(kind))

  it('counts packed data apart from the line it is in', () => {
    const kinds = kindsOfText(`The image follows here ${'aGVsbG8gd29ybGQhIQ'.repeat(20)} and that was it.`)
    expect(
      [kinds[contentKinds.indexOf('packed')], kinds[contentKinds.indexOf('prose')]].every((tokens) => (tokens ?? 0) > 5),
    ).toBe(true)
  })
})

describe('kindsOfMessage', () => {
  it('adds up to the tokens of the message', () => {
    fc.assert(
      fc.property(workingSessions, (messages) => {
        for (const each of messages)
          expect(kindsOfMessage(each).reduce((sum, tokens) => sum + tokens, 0)).toBeCloseTo(countMessage(each, estimator), 6)
      }),
      { numRuns: 5 },
    )
  })

  it('counts images as other content', () => {
    const kinds = kindsOfMessage(message({ type: 'media', mediaType: 'image/png', data: { url: 'x' } }))
    expect(kinds[contentKinds.indexOf('other')]).toBeGreaterThan(1000)
  })
})
