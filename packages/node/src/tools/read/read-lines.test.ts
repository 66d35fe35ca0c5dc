import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type LineWindow, readLines } from './read-lines.ts'

const all: LineWindow = { from: 1, limit: 1000, maxLine: 1000, maxChars: 1_000_000, countsAll: true }

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void> {
  // One buffer for all pieces, as a file is read.
  const buffer = Buffer.alloc(size)
  for (let start = 0; start < bytes.length; start += size) {
    const piece = bytes.subarray(start, start + size)
    buffer.set(piece)
    yield buffer.subarray(0, piece.length)
  }
}

const read = (text: string, window: Partial<LineWindow> = {}, size = 7) =>
  readLines(inPieces(Buffer.from(text), size), { ...all, ...window })

it('lines come out as they went in, however the bytes are cut and whatever ends them', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'ß', '字', '🎉', '\t', ' ', '\r', '\ufeff'), maxLength: 6 })
  let several = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 9 }),
      fc.nat(9),
      fc.integer({ min: 1, max: 9 }),
      async (lines, end, size, before, limit) => {
        const text = lines.map((each) => each + end).join('')
        const { lines: found, total } = await read(text, { from: before + 1, limit }, size)
        // Neither a byte order mark at the start nor one carriage return at the end of a line belongs to it.
        const wanted = lines.map((each, index) =>
          (each + end)
            .slice(0, -1)
            .replace(/\r$/, '')
            .replace(index === 0 ? /^\ufeff/ : /^$/, ''),
        )
        expect(found).toEqual(wanted.slice(before, before + limit).map((each) => ({ text: each, cutBytes: 0 })))
        expect(total).toBe(lines.length)
        if (found.length > 1 && before > 0) several += 1
      },
    ),
    { numRuns: 500 },
  )
  expect(several).toBeGreaterThan(20)
})

it.each([
  ['nothing', '', []],
  ['one end', '\n', ['']],
  ['no end', 'a', ['a']],
  ['an empty last line', 'a\n\n', ['a', '']],
])('a text of %s', async (_name, text, lines) => {
  const found = await read(text)
  expect([found.lines.map((line) => line.text), found.total]).toEqual([lines, lines.length])
})

it('keeps the start of a long line and counts the rest', async () => {
  const { lines, total } = await read(`${'x'.repeat(5000)}\n${'🎉'.repeat(50)}\nend`, { maxLine: 9 })
  expect(lines).toEqual([
    { text: 'xxxxxxxxx', cutBytes: 4991 },
    { text: '🎉🎉🎉🎉', cutBytes: 184 },
    { text: 'end', cutBytes: 0 },
  ])
  expect(total).toBe(3)
})

it('no more characters are taken than allowed, though always one line', async () => {
  expect((await read('aaaa\nbbbb\ncccc', { maxChars: 10 })).lines.map(({ text }) => text)).toEqual(['aaaa', 'bbbb'])
  expect((await read('aaaa\nbbbb\ncccc', { maxChars: 2 })).lines.map(({ text }) => text)).toEqual(['aaaa'])
})

it('does not read the rest if it is not counted', async () => {
  let pieces = 0
  async function* endless(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      pieces += 1
      yield Buffer.from('line\n')
    }
  }
  const found = await readLines(endless(), { ...all, from: 3, limit: 2, countsAll: false })
  expect([found.lines.length, found.total, found.isWhole, pieces]).toEqual([2, 4, false, 4])
})
