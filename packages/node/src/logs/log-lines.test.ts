import { describe, expect, it } from 'vitest'
import { logLines } from './log-lines.ts'

const collect = async (chunks: readonly string[] | readonly Uint8Array[], longest?: number) => {
  const lines: unknown[] = []
  for await (const line of logLines(
    chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
    longest,
  ))
    lines.push(line)
  return lines
}

describe('logLines', () => {
  it('splits lines at any chunk boundaries, and counts blank ones', async () => {
    const text = '\ufeff{"a":1}\r\n\n  \n{"ü":"€"}\nlast'
    const expected = [
      { line: 1, text: '{"a":1}\r' },
      { line: 4, text: '{"ü":"€"}' },
      { line: 5, text: 'last' },
    ]
    const bytes = Buffer.from(text)
    for (let size = 1; size <= bytes.length; size += 1) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      )
      expect(await collect(chunks)).toEqual(expected)
    }
  })

  it('names a line that is too long or no UTF-8, and goes on', async () => {
    expect(await collect(['12345', '6789\nok\n', '123456'], 5)).toEqual([
      { line: 1, reason: 'too-long' },
      { line: 2, text: 'ok' },
      { line: 3, reason: 'too-long' },
    ])
    expect(await collect([Buffer.from([0xff, 0x0a, 0x61])])).toEqual([
      { line: 1, reason: 'not-utf8' },
      { line: 2, text: 'a' },
    ])
  })

  it('holds on to nothing that its sender uses again', async () => {
    const shared = Buffer.alloc(2)
    const chunks = (function* () {
      for (const piece of ['ab', 'c\n', 'de']) {
        shared.fill(piece)
        yield shared
      }
    })()
    const lines: unknown[] = []
    for await (const line of logLines(chunks)) lines.push(line)
    expect(lines).toEqual([
      { line: 1, text: 'abc' },
      { line: 2, text: 'de' },
    ])
  })
})
