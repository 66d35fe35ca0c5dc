import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tellAppliedEdits } from './tell-applied-edits.ts'

const edits = [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 8, cleared_input_tokens: 50_000 }]
const reported = `"context_management":{"applied_edits":${JSON.stringify(edits)}}`

/** The output for a text that arrives in pieces of these sizes, repeated. */
function through(
  bytes: Uint8Array,
  contentType: string,
  { sizes = [bytes.length], contentEncoding = '' }: { sizes?: readonly number[]; contentEncoding?: string } = {},
): Buffer {
  const { write, end } = tellAppliedEdits({ contentType, contentEncoding, edits })
  const out: Uint8Array[] = []
  for (let start = 0, turn = 0; start < bytes.length; turn += 1) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    for (const piece of write(bytes.subarray(start, start + size))) out.push(Buffer.from(piece))
    start += size
  }
  for (const piece of end()) out.push(Buffer.from(piece))
  return Buffer.concat(out)
}
const textThrough = (text: string, type: string, sizes?: readonly number[]): string =>
  through(Buffer.from(text), type, sizes === undefined ? {} : { sizes }).toString()

const delta = '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}'
const tellingDelta = `${delta.slice(0, -1)},${reported}}`
const streamOf = (last: string, end = '\n'): string =>
  [
    'event: message_start',
    'data: {"type":"message_start","message":{"model":"claude","content":[]}}',
    '',
    ': a comment',
    '',
    'event: content_block_delta',
    'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"über 漢字 {\\"type\\":\\"message_delta\\"} \\r\\n"}}',
    '',
    'event: message_delta',
    last,
    '',
    'event: message_stop',
    'data: {"type":"message_stop"}',
    '',
    '',
  ].join(end)

describe('tellAppliedEdits in a stream', () => {
  it.each<[name: string, before: string, after: string]>([
    ['line feeds', streamOf(`data: ${delta}`), streamOf(`data: ${tellingDelta}`)],
    ['returns and feeds', streamOf(`data: ${delta}`, '\r\n'), streamOf(`data: ${tellingDelta}`, '\r\n')],
    ['bare returns', streamOf(`data: ${delta}`, '\r'), streamOf(`data: ${tellingDelta}`, '\r')],
    ['no space after the colon', streamOf(`data:${delta}`), streamOf(`data:${tellingDelta}`)],
    [
      'several data lines',
      streamOf(`data: ${delta.replace(',"usage"', '\ndata: ,"usage"')}\nid: 5`),
      streamOf(`data: ${tellingDelta.replace(',"usage"', '\ndata: ,"usage"')}\nid: 5`),
    ],
    ['a first line with a byte order mark', `\ufeff${streamOf(`data: ${delta}`)}`, `\ufeff${streamOf(`data: ${tellingDelta}`)}`],
    [
      'a field that is left empty',
      streamOf(`data: ${delta.slice(0, -1)},"context_management":null}`),
      streamOf(`data: ${tellingDelta}`),
    ],
  ])('with %s, whatever pieces it comes in', (_name, before, after) => {
    let pieces = 0
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 9 }), (sizes) => {
        expect(textThrough(before, 'text/event-stream; charset=utf-8', sizes)).toBe(after)
        if (sizes.some((size) => size < 5)) pieces += 1
      }),
      { examples: [[[1]], [[10_000]]], numRuns: 40 },
    )
    expect(pieces).toBeGreaterThan(0)
  })

  it.each<[name: string, text: string]>([
    ['tells of edits by itself', streamOf(`data: ${delta.slice(0, -1)},"context_management":{"applied_edits":[]}}`)],
    ['ends with an error', streamOf('data: {"type":"error","error":{"type":"overloaded_error","message":"message_delta"}}')],
    ['is cut in that event', streamOf(`data: ${delta}`).split(',"usage"')[0] as string],
    ['is cut before the blank line', `event: message_delta\ndata: ${delta}`],
    ['cannot be read there', streamOf('data: {"type":"message_delta",,}')],
    ['has no data there', streamOf('dat: nothing')],
    ['has not ended', streamOf('data: {"type":"message_delta","delta":{"stop_reason":null}}')],
    ['is empty', ''],
    ['is nothing but blank lines', '\n\r\n\r\r\n\n'],
  ])('a stream that %s passes as it is', (_name, text) => {
    for (const size of [1, 7, 10_000]) expect(textThrough(text, 'text/event-stream', [size])).toBe(text)
  })

  it('keeps bytes that are not text', () => {
    const parts = streamOf(`data: ${delta}`).split('über')
    const bytes = (last: string) =>
      Buffer.concat([Buffer.from(parts[0] ?? ''), Buffer.from([0xff, 0xc3, 0x00, 0x80]), Buffer.from(last)])
    const after = (parts[1] ?? '').replace(delta, tellingDelta)
    for (const size of [1, 13, 10_000])
      expect(through(bytes(parts[1] ?? ''), 'text/event-stream', { sizes: [size] }).equals(bytes(after))).toBe(true)
  })

  it('reports once, in the first event that ends the message', () =>
    expect(textThrough(`data: ${delta}\n\ndata: ${delta}\n\n`, 'text/event-stream')).toBe(
      `data: ${tellingDelta}\n\ndata: ${delta}\n\n`,
    ))

  it('holds back no complete event, and nothing after the event with the report', () => {
    const { write } = tellAppliedEdits({ contentType: 'text/event-stream', contentEncoding: '', edits })
    const out = ['event: ping\ndata: {}\n\nda', `ta: ${delta}\n\n`, 'event: mess'].map((text) =>
      Buffer.concat(write(Buffer.from(text))).toString(),
    )
    expect(out).toEqual(['event: ping\ndata: {}\n\n', `data: ${tellingDelta}\n\n`, 'event: mess'])
  })

  it.each(['\n', '\r\n'])('holds back nothing of a complete event with any line ends: %j', (end) => {
    const event = `data: {}${end}${end}`
    for (let cut = 1; cut <= event.length; cut += 1) {
      const { write } = tellAppliedEdits({ contentType: 'text/event-stream', contentEncoding: '', edits })
      const out = [event.slice(0, cut), event.slice(cut)].flatMap((text) => write(Buffer.from(text)))
      expect(Buffer.concat(out).toString()).toBe(event)
    }
  })

  it('passes an event over a megabyte without holding it, and continues after it', () => {
    const { write, end } = tellAppliedEdits({ contentType: 'text/event-stream', contentEncoding: '', edits })
    const piece = Buffer.alloc(300_000, 'x')
    let held = 0
    let most = 0
    const out: Uint8Array[] = []
    const send = (bytes: Uint8Array): void => {
      const passed = write(bytes)
      held += bytes.length - passed.reduce((sum, { length }) => sum + length, 0)
      most = Math.max(most, held)
      for (const one of passed) out.push(one)
    }
    send(Buffer.from('data: message_delta '))
    for (let count = 0; count < 20; count += 1) send(piece)
    send(Buffer.from(`\n\ndata: ${delta}\n\n`))
    for (const one of end()) out.push(one)
    expect(Buffer.concat(out).toString()).toBe(`data: message_delta ${'x'.repeat(6_000_000)}\n\ndata: ${tellingDelta}\n\n`)
    expect(most).toBeLessThan(1_400_000)
  })
})

describe('tellAppliedEdits in a message', () => {
  const message =
    '{\n "id": "msg_1",\n "type": "message", "content": [{"type":"text","text":"über 漢字"}],\n "usage": {"input_tokens": 1.0e1}\n}\n'
  const tellingMessage = message.replace(/\n\}\n$/, `\n,${reported}}\n`)

  it.each([[1], [7], [10_000]])('in pieces of %i', (size) =>
    expect(textThrough(message, 'application/json', [size])).toBe(tellingMessage),
  )

  it.each<[name: string, text: string, type: string, encoding?: string]>([
    ['an error', '{"type":"error","error":{"type":"invalid_request_error"}}', 'application/json'],
    ['one that tells by itself', '{"type":"message","context_management":{"applied_edits":[]}}', 'application/json'],
    ['one that was cut off', message.slice(0, 40), 'application/json'],
    ['a page', `<html>${message}</html>`, 'text/html'],
    ['something without a type', message, ''],
    ['packed bytes', message, 'application/json', 'gzip'],
    ['nothing', '', 'application/json'],
  ])('%s passes as it is', (_name, text, contentType, contentEncoding = '') =>
    expect(through(Buffer.from(text), contentType, { sizes: [11], contentEncoding }).toString()).toBe(text),
  )

  it('passes a message over eight megabytes without holding it', () => {
    const { write, end } = tellAppliedEdits({ contentType: 'application/json', contentEncoding: 'identity', edits })
    const pieces = [
      Buffer.from('{"type":"message","x":"'),
      ...Array.from({ length: 10 }, () => Buffer.alloc(1_000_000, 'x')),
      Buffer.from('"}'),
    ]
    const out = pieces.flatMap((piece) => write(piece))
    expect(end()).toEqual([])
    expect(Buffer.concat(out).equals(Buffer.concat(pieces))).toBe(true)
  })
})
