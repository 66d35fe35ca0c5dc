import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readText, readTextFile } from './read-text.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe('readTextFile', () => {
  it.each([
    ['text', 'häfen 港', { value: 'häfen 港' }],
    ['text without its byte order mark', '\ufeff[]', { value: '[]' }],
    ['nothing', '', { problem: { kind: 'empty' } }],
    ['bytes that are not text', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff), { problem: { kind: 'not-utf8' } }],
    ['UTF-16', Buffer.from('\ufeff[]', 'utf16le'), { problem: { kind: 'utf16' } }],
  ])('reads %s', async (name, content, outcome) => expect(await readTextFile(file(name, content))).toEqual(outcome))

  it.each([
    ['a name that is not there', join(folder, 'missing'), { kind: 'not-found' }],
    ['a name below a file', join(file('plain', 'x'), 'below'), { kind: 'not-found' }],
    ['a folder', folder, { kind: 'is-folder' }],
    ['a name with a zero in it', join(folder, 'a\0b'), { kind: 'unreadable', code: 'ERR_INVALID_ARG_VALUE' }],
    ['a name that is too long', join(folder, 'x'.repeat(5000)), { kind: 'unreadable', code: 'ENAMETOOLONG' }],
  ])('says what is wrong with %s', async (_name, path, problem) => expect(await readTextFile(path)).toEqual({ problem }))

  it('names what broke a stream off', async () => {
    async function* broken() {
      yield Buffer.from('[')
      throw Object.assign(new Error('read failed'), { code: 'EIO' })
    }
    expect(await readText(broken())).toEqual({ problem: { kind: 'unreadable', code: 'EIO' } })
  })

  it('stops at the limit, even if the input never ends', async () => {
    async function* endless() {
      for (;;) yield new Uint8Array(1000)
    }
    expect(await readText(endless(), 10_500)).toEqual({ problem: { kind: 'too-large', limit: 10_500 } })
    expect(await readTextFile(file('eleven', '12345678901'), 10)).toEqual({ problem: { kind: 'too-large', limit: 10 } })
    expect(await readTextFile(file('ten', '1234567890'), 10)).toEqual({ value: '1234567890' })
  })
})
