import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRepairingFetch } from './repairing-fetch.ts'

/** The result for an answer that arrives in these pieces. */
async function given(pieces: readonly Uint8Array[], request = '{"messages":[],"stream":true}'): Promise<Buffer> {
  const fetched = createRepairingFetch(() => Promise.resolve(new Response(ReadableStream.from(pieces))))
  const response = await fetched('http://127.0.0.1/', { method: 'POST', body: request })
  return Buffer.from(await response.arrayBuffer())
}

function cut(text: string, places: readonly number[]): readonly Uint8Array[] {
  const bytes = Buffer.from(text, 'utf8')
  const ends = [...new Set([0, ...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return ends.slice(1).map((end, index) => bytes.subarray(ends[index], end))
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}`
const text = (content: string) => data({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })
const last = data({
  choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, prompt_tokens_details: { cached_tokens: 0 } },
})

describe('an answer that is right', () => {
  it('passes byte for byte, however it is cut', async () => {
    let cutCharacters = 0
    const content = fc.string({ unit: 'grapheme', maxLength: 20 })
    const line = fc.oneof(
      content.map(text),
      fc.constantFrom(': ping', 'event: message', 'id: 7', 'data: nonsense', 'data: {"hello":1}'),
    )
    const property = fc.asyncProperty(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat(), { maxLength: 12 }),
      async (lines, newline, places) => {
        const whole = [...lines, last, 'data: [DONE]'].map((one) => `${one}${newline}${newline}`).join('')
        const pieces = cut(whole, places)
        if (pieces.some((piece) => ((piece[0] ?? 0) & 0xc0) === 0x80)) cutCharacters += 1
        // The reader does not wait for anything after the end, not even a blank line.
        expect((await given(pieces)).toString('utf8').trimEnd()).toBe(whole.trimEnd())
      },
    )
    await fc.assert(property)
    expect(cutCharacters).toBeGreaterThan(0)
  })

  it.each([
    ['an error', '{"error":{"message":"no"}}'],
    ['a page', '<html></html>'],
    ['half a body', '{"choices":[{"mess'],
    ['something else', '{"hello":"world"}'],
    ['a list', '[{"error":{"message":"no"}}]'],
    ['nothing', ''],
    ['spaces', ' \n \n'],
    ['lines that end in lone carriage returns', `${text('a')}\r\r${last}\r\r`],
  ])('stays unchanged with %s', async (_name, body) => {
    expect((await given(cut(body, [3, 11]))).toString('utf8')).toBe(body)
  })

  it('is not waited for longer than its own line', async () => {
    const { promise: held, resolve } = Promise.withResolvers<void>()
    async function* slow() {
      yield Buffer.from(`${text('now')}\n\n`)
      await held
      yield Buffer.from('data: [DONE]\n\n')
    }
    const fetched = createRepairingFetch(() => Promise.resolve(new Response(ReadableStream.from(slow()))))
    const response = await fetched('http://127.0.0.1/', { method: 'POST', body: '{"stream":true}' })
    const reader = response.body?.getReader()
    expect(Buffer.from((await reader?.read())?.value ?? []).toString('utf8')).toBe(`${text('now')}\n\n`)
    resolve()
    await reader?.cancel()
  })
})

describe('an answer that is almost right', () => {
  const slip = data({ choices: [{ index: 0, delta: { content: 'é' }, finish_reason: null }], usage: 'a few' })

  it('is the same however it is cut', async () => {
    const whole = `${slip}\n\n${last}\ndata: [DONE]`
    const expected = `${text('é')}\n\n${last}\n\ndata: [DONE]`
    for (let place = 0; place < whole.length; place += 1)
      expect((await given(cut(whole, [place]))).toString('utf8').trimEnd()).toBe(expected)
  })

  it('stays unchanged in a line over the limit', async () => {
    const long = data({ choices: [], usage: 'x'.repeat(5 * 2 ** 20) })
    const pieces = cut(`${long}\n\n${slip}\n\n`, [2 ** 20, 2 ** 21, 3 * 2 ** 20, 4 * 2 ** 20 + 9])
    expect((await given(pieces)).equals(Buffer.from(`${long}\n\n${text('é')}\n\n`))).toBe(true)
  })

  it('stays unchanged if it is nested too deep to be written again', async () => {
    const deep = `data: {"choices":[],"usage":7,"more":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n\n`
    expect((await given([Buffer.from(deep)])).toString('utf8')).toBe(deep)
  })

  it('is repaired in one piece for a caller without a stream', async () => {
    const body = { choices: [{ index: 0, message: { role: 'assistant', content: 'é' }, finish_reason: 'stop' }] }
    const bytes = await given(cut(JSON.stringify({ ...body, usage: [1] }), [9]), '{"messages":[]}')
    expect(JSON.parse(bytes.toString('utf8'))).toEqual(body)
  })
})
