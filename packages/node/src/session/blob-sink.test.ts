import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBlobSink, openSpool } from './blob-sink.ts'
import { createBlobStore, openLargeBlob } from './blob-store.ts'
import { createSession } from './create-session.ts'
import { openSession } from './open-session.ts'
import { temporarySessions } from './testing/sessions.ts'

const hashOf = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('content of unknown size', () => {
  it('Q-9 is a file under its hash that only its owner can read', async () => {
    const session = await createSession(temporarySessions())
    const spool = await createBlobSink(session).spool()
    for (const piece of ['one ', 'two ', 'three']) await spool.write(Buffer.from(piece))
    expect(await spool.finish('0123456789ab')).toEqual({ sha256: hashOf('one two three'), bytes: 13, handle: '0123456789ab' })
    const folder = join(session.folder, 'blobs')
    expect(readdirSync(folder)).toEqual([hashOf('one two three')])
    const file = join(folder, hashOf('one two three'))
    expect(readFileSync(file, 'utf8')).toBe('one two three')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await session.close()
  })

  it('is stored once if it exists already, and a damaged file is repaired', async () => {
    const folder = temporarySessions()
    for (let time = 0; time < 2; time += 1) {
      const spool = await openSpool(folder)
      await spool.write(Buffer.from('same'))
      await spool.finish()
      expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(['same'])
      writeFileSync(join(folder, hashOf('same')), 'damaged')
    }
  })

  it('leaves nothing when it is discarded, and leftovers of a crash are removed when the session is opened', async () => {
    const sessions = temporarySessions()
    const session = await createSession(sessions)
    const folder = join(session.folder, 'blobs')
    const sink = createBlobSink(session)
    const spool = await sink.spool()
    await spool.write(Buffer.from('x'))
    await spool.discard()
    expect(readdirSync(folder)).toEqual([])
    const cut = await sink.spool()
    onTestFinished(cut.discard)
    await cut.write(Buffer.from('half of it'))
    expect(readdirSync(folder)).toHaveLength(1)
    await session.close()
    await (await openSession(sessions, session.id)).close()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is refused before the disk is full', async () => {
    const folder = temporarySessions()
    const spool = await openSpool(folder, { minFreeBytes: Number.MAX_SAFE_INTEGER, askEvery: 10 })
    await spool.write(Buffer.alloc(10))
    await expect(spool.write(Buffer.alloc(1))).rejects.toThrow(/disk is full/)
    await spool.discard()
    expect(readdirSync(folder)).toEqual([])
  })

  it('cannot be started if its folder cannot be created', async () => {
    const folder = temporarySessions()
    writeFileSync(join(folder, 'file'), '')
    await expect(openSpool(join(folder, 'file', 'blobs'))).rejects.toThrow(/could not be written/)
  })

  it('can also have a known size', async () => {
    const session = await createSession(temporarySessions())
    const reference = await createBlobSink(session).write(Buffer.from([1, 2, 3]))
    expect(reference).toEqual({ sha256: hashOf(Buffer.from([1, 2, 3])), bytes: 3 })
    await session.close()
  })
})

describe('a large blob', () => {
  const letters = fc.constantFrom('a', 'ö', '漢', '🦀', '\n', '\r\n', '\ufeff', ' a longer stretch of plain words ')

  it('Q-9 is the text that it holds, wherever its blocks end', () => {
    const folder = temporarySessions()
    let blocks = 0
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 30 }), fc.nat(), fc.nat(), fc.nat(7), (some, a, b, shift) => {
        // Longer than two blocks, which may end inside a character.
        const unit = some.join('')
        const text = 'x'.repeat(shift) + unit.repeat(Math.ceil(2_200_000 / Buffer.byteLength(unit)))
        blocks = Math.max(blocks, Math.floor(Buffer.byteLength(text) / (1 << 20)))
        const file = join(folder, 'blob')
        writeFileSync(file, text)
        const large = openLargeBlob(file, hashOf(text))
        if (large === null) throw new Error('expected a text')
        const lines = text.split('\n')
        expect(large.length).toBe(text.length)
        expect(large.lines).toBe(text.endsWith('\n') ? lines.length - 1 : lines.length)
        const start = a % text.length
        const end = start + (b % 5000)
        expect(large.slice(start, end)).toBe(text.slice(start, end))
        const across = Math.floor(text.length * 0.45)
        expect(large.slice(across, across + 200_000) === text.slice(across, across + 200_000)).toBe(true)
        const line = (b % large.lines) + 1
        const place = large.startOf(line)
        expect(text.slice(place, place + 50)).toBe(
          lines
            .slice(line - 1)
            .join('\n')
            .slice(0, 50),
        )
        expect(large.startOf(large.lines + 1)).toBe(text.length)
      }),
      { numRuns: 15 },
    )
    expect(blocks).toBe(2)
  })

  it('is read piece by piece, never at once', async () => {
    const folder = temporarySessions()
    const store = createBlobStore(folder, { maxBytes: 1000, largeFromBytes: 100 })
    const texts = { small: 'a\n'.repeat(40), large: 'b\n'.repeat(400), huge: 'c\n'.repeat(4000) }
    await store.write(Object.values(texts).map((text) => ({ sha256: hashOf(text), bytes: Buffer.from(text) })))
    const read = (text: string) => {
      const [whole, large] = [store.read(hashOf(text)), store.large(hashOf(text))]
      return [
        'bytes' in whole ? whole.bytes.toString() === text : whole.trouble,
        large !== null && 'text' in large ? large.text.slice(2, 6) : large,
      ]
    }
    expect(read(texts.small)).toEqual([true, null])
    expect(read(texts.large)).toEqual([true, 'b\nb\n'])
    expect(read(texts.huge)).toEqual([expect.stringMatching(/has 1 MB, too many to load at once/), 'c\nc\n'])
  })

  it('reports that it is lost, damaged or changed', async () => {
    const folder = temporarySessions()
    const store = createBlobStore(folder, { largeFromBytes: 10 })
    const text = 'line\n'.repeat(100)
    const sha256 = hashOf(text)
    const file = join(folder, sha256)
    await store.write([{ sha256, bytes: Buffer.from(text) }])
    const opened = store.large(sha256)
    truncateSync(file, 300)
    expect(() => (opened !== null && 'text' in opened ? opened.text.slice(0, 10) : '')).toThrow(/damaged/)
    expect(createBlobStore(folder, { largeFromBytes: 10 }).large(sha256)).toEqual({ trouble: expect.stringMatching(/damaged/) })
    rmSync(file)
    expect(store.large(sha256)).toEqual({ trouble: expect.stringContaining(sha256) })
    expect(store.large('../../etc/passwd')).toEqual({ trouble: expect.not.stringContaining('../') })
  })
})
