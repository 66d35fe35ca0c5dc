import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { resultText, type ToolResultPart } from '@plimsoll/core'
import type { MediaPart } from '@plimsoll/core/wire'
import { describe, expect, it } from 'vitest'
import { withoutPrivileges } from '../../files/testing/without-privileges.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { lookingContext } from '../testing/looking-context.ts'
import { pdfOf } from '../testing/pdf.ts'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import type { ToolContext } from '../tool.ts'
import { readTool } from './read-tool.ts'

const time = new Date('2026-03-04T05:06:07.000Z')
const at = 'modified 2026-03-04T05:06:07.000Z'
const onePixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

async function workspace(files: Readonly<Record<string, string | Uint8Array>>): Promise<ToolContext> {
  const root = await temporaryWorkspace(files)
  for (const path of Object.keys(files)) utimesSync(join(root, path), time, time)
  return lookingContext(root)
}

function textOf(outcome: ToolOutcome): string {
  return resultText({ type: 'tool-result', callId: null, tool: 'Read', content: outcome.content } satisfies ToolResultPart)
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

describe('text', () => {
  it('R004-12 R004-44 shows lines with their numbers, which lines they are, and when the file was changed', async () => {
    const context = await workspace({ 'src/a.ts': 'one\n\ttwo\n\nfour' })
    expect(await readTool.run({ file_path: 'src/a.ts' }, context)).toEqual({
      content: { type: 'text', text: `src/a.ts lines 1-4 of 4, ${at}\n     1\tone\n     2\t\ttwo\n     3\t\n     4\tfour` },
      metadata: { path: 'src/a.ts', mtime: time.getTime(), from: 1, to: 4, lines: 4 },
    })
  })

  it('Q-9 Q-43 R003-24 a part names the next offset, and following it shows the whole file', async () => {
    const context = await workspace({ 'a.txt': numbered(2500) })
    const first = textOf(await readTool.run({ path: 'a.txt' }, context))
    expect(first).toMatch(/^a\.txt lines 1-2000 of 2500, /)
    expect(first).toMatch(/ 2000\tline 2000\n\(truncated: lines 2001-2500 are not shown; continue with offset: 2001\)$/)
    const second = textOf(await readTool.run({ path: 'a.txt', offset: 2001 }, context))
    const lines = [first, second].flatMap((text) => text.split('\n').flatMap((line) => line.split('\t').slice(1)))
    expect(lines.join('\n')).toBe(numbered(2500).trimEnd())
    expect(textOf(await readTool.run({ path: 'a.txt', offset: 3, limit: 2 }, context))).toBe(
      `a.txt lines 3-4 of 2500, ${at}\n     3\tline 3\n     4\tline 4\n(truncated: lines 5-2500 are not shown; continue with offset: 5)`,
    )
  })

  it.each([
    ['empty', '', {}, `a is empty, ${at}`],
    ['in CRLF', 'a\r\nb\r\n', {}, `a lines 1-2 of 2, ${at}, CRLF line ends\n     1\ta\n     2\tb`],
    ['with a mark at its start', '\ufeffa', {}, `a lines 1-1 of 1, ${at}\n     1\ta`],
    ['in UTF-16', Buffer.from('\ufeffä\nb', 'utf16le'), {}, `a lines 1-2 of 2, ${at}, UTF-16LE\n     1\tä\n     2\tb`],
    [
      'in UTF-16, the other way',
      Buffer.from('\ufeffä\nb', 'utf16le').swap16(),
      {},
      `a lines 1-2 of 2, ${at}, UTF-16BE\n     1\tä\n     2\tb`,
    ],
    ['an image as text', '<svg/>', {}, `a lines 1-1 of 1, ${at}\n     1\t<svg/>`],
    ['asked for from line 0', 'a', { offset: 0 }, `a lines 1-1 of 1, ${at}\n     1\ta`],
    ['read after its end', 'a\n', { offset: 5 }, 'Error: a has 1 line; offset 5 is past its end'],
  ])('a file that is %s', async (_name, content, input, text) => {
    expect(textOf(await readTool.run({ path: 'a', ...input }, await workspace({ a: content })))).toBe(text)
  })

  it('letters of an older encoding are shown as unreadable, with a warning', async () => {
    const text = textOf(
      await readTool.run({ path: 'a' }, await workspace({ a: Buffer.from('gr\u00fc\u00dfe und ein langer Satz', 'latin1') })),
    )
    expect(text).toContain('     1\tgr\ufffd\ufffde und')
    expect(text).toMatch(/\nNote: some bytes are not UTF-8 .*do not edit those lines$/)
  })

  it('cuts a line of 100,000 characters with a note, and ends the answer after many long lines', async () => {
    const context = await workspace({ long: `${'x'.repeat(100_000)}\nb`, many: `${'y'.repeat(1900)}\n`.repeat(500) })
    expect(textOf(await readTool.run({ path: 'long' }, context))).toContain(
      `     1\t${'x'.repeat(2000)} … [line cut, 98000 more bytes; use Grep to look into it]\n     2\tb`,
    )
    const many = textOf(await readTool.run({ path: 'many' }, context))
    expect(many.length).toBeLessThan(162_000)
    expect(many).toMatch(/\(truncated: lines 85-500 are not shown; continue with offset: 85\)$/)
  })

  it('reads the wanted lines of a 2 GB file without loading it', async () => {
    const context = await workspace({ big: '' })
    const file = openSync(join(context.root, 'big'), 'w')
    writeSync(file, numbered(20_000))
    ftruncateSync(file, 2_000_000_000)
    closeSync(file)
    const before = process.memoryUsage().rss
    const text = textOf(await readTool.run({ path: 'big', offset: 19_000, limit: 2 }, context))
    expect(text).toMatch(/^big lines 19000-19001 of at least \d+, /)
    expect(text).toMatch(/ 19001\tline 19001\n\(truncated: the rest is not shown; continue with offset: 19002\)$/)
    // The rest is one line, which is looked through to its end.
    truncateSync(join(context.root, 'big'), 300_000_000)
    expect(await readTool.run({ path: 'big', offset: 20_001, limit: 1 }, context)).toMatchObject({
      metadata: { from: 20_001, to: 20_001 },
    })
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })
})

describe('files seen in the session', () => {
  it('R004-43 R004-44 R004-45 Q-40 a file that changed between two reads gets the note, once', async () => {
    const context = await workspace({ 'a.ts': 'one' })
    const read = async () => textOf(await readTool.run({ path: 'a.ts' }, context))
    expect(await read()).not.toContain('Note:')
    expect(await read()).not.toContain('Note:')
    utimesSync(join(context.root, 'a.ts'), time, new Date('2026-03-04T06:00:00.000Z'))
    expect(await read()).toMatch(/\nNote: a\.ts was modified externally\.$/)
    expect(await read()).not.toContain('Note:')
    context.freshness.wrote('a.ts', time.getTime())
    utimesSync(join(context.root, 'a.ts'), time, time)
    expect(await read()).not.toContain('Note:')
  })

  it('a file that was read counts as seen with that content', async () => {
    const context = await workspace({ 'a.ts': 'one' })
    const path = join(context.root, 'a.ts')
    const sha256 = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed'
    const state = { mtimeMs: time.getTime(), size: 3, sha256 }
    expect(context.seen.check(path, state)).toBe('unseen')
    await readTool.run({ path: 'a.ts', limit: 1 }, context)
    expect(context.seen.check(path, state)).toBe('same')
    expect(context.seen.check(path, { ...state, sha256: '0' })).toBe('changed')
  })
})

describe('content other than text', () => {
  it('shows an image and stores its bytes', async () => {
    const outcome = await readTool.run({ path: 'a.png' }, await workspace({ 'a.png': onePixel }))
    const data = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: onePixel.toString('base64') } }
    expect(outcome).toEqual({
      content: {
        type: 'list',
        items: [
          { type: 'text', text: `a.png: image/png, 1x1, ${onePixel.length} B` },
          { type: 'media', mediaType: 'image/png', data } satisfies MediaPart,
        ],
      },
      metadata: {
        path: 'a.png',
        mtime: time.getTime(),
        mediaType: 'image/png',
        width: 1,
        height: 1,
        blob: { sha256: expect.any(String), bytes: onePixel.length },
      },
    })
  })

  it.each([
    ['data', Buffer.from([1, 0, 2, 0]), 'Error: a is not text but binary data, 4 B; it cannot be shown'],
    ['bytes without a NUL', Buffer.from(Array.from({ length: 900 }, (_, index) => 128 + (index % 100))), 'binary data'],
    ['a program', Buffer.from('\x7fELF\x02\x01'), 'a program (ELF)'],
    ['an archive', Buffer.from('PK\x03\x04abc'), 'ZIP archive'],
    ['a broken image', onePixel.subarray(0, 12), 'is broken'],
    ['an image that is too large', Buffer.concat([onePixel, Buffer.alloc(5_000_000)]), 'at most 5.0 MB can be shown'],
    ['a broken PDF', Buffer.from('%PDF-1.4\nnothing'), 'cannot be read as a PDF'],
  ])('%s is named, not shown', async (_name, content, text) => {
    const outcome = await readTool.run({ path: 'a' }, await workspace({ a: content }))
    expect([outcome.isError, textOf(outcome)]).toEqual([true, expect.stringContaining(text)])
  })

  it('shows the text of a PDF by page', async () => {
    const context = await workspace({ 'a.pdf': pdfOf(['First page', 'Second page', 'Third page']) })
    expect(textOf(await readTool.run({ path: 'a.pdf' }, context))).toBe(
      'a.pdf pages 1-3 of 3, PDF\n--- page 1 ---\nFirst page\n--- page 2 ---\nSecond page\n--- page 3 ---\nThird page',
    )
    expect(textOf(await readTool.run({ path: 'a.pdf', pages: '2' }, context))).toBe(
      'a.pdf pages 2-2 of 3, PDF\n--- page 2 ---\nSecond page\n(truncated: pages 3-3 are not shown; continue with pages: "3-3")',
    )
    expect(textOf(await readTool.run({ path: 'a.pdf', pages: '3-9' }, context))).toContain('pages 3-3 of 3')
    for (const pages of ['x', '4', '0', '3-1', ''])
      expect(textOf(await readTool.run({ path: 'a.pdf', pages }, context))).toMatch(/^Error: a\.pdf: /)
  })

  it('reports that a PDF needs a password', async () => {
    const context = await workspace({ 'a.pdf': pdfOf(['secret'], { isLocked: true }) })
    expect(textOf(await readTool.run({ path: 'a.pdf' }, context))).toBe('Error: a.pdf is a PDF that is locked with a password')
  })

  it('a folder is listed', async () => {
    const context = await workspace({ 'src/a.ts': 'one' })
    expect(textOf(await readTool.run({ path: 'src' }, context))).toBe('Contents of src: 0 folders, 1 file\na.ts  3 B')
  })
})

describe('unreadable paths', () => {
  it.each([
    ['src/utlis.ts', 'Error: src/utlis.ts does not exist; did you mean src/utils.ts?'],
    ['src/nothing-like-it', 'Error: src/nothing-like-it does not exist; use LS or Glob to find it'],
    ['sorce/a.ts', 'Error: sorce/a.ts does not exist, and neither does its folder; use LS or Glob to find it'],
    ['src/utils.ts/a', 'Error: src/utils.ts/a does not exist: a part of its path is a file, not a folder'],
  ])('%s is missing', async (path, text) => {
    expect(textOf(await readTool.run({ path }, await workspace({ 'src/utils.ts': '' })))).toBe(text)
  })

  it('reports a file without read permission', async () => {
    const context = await workspace({ 'a.ts': 'one' })
    for (const folder of [context.root, dirname(context.root)]) chmodSync(folder, 0o755)
    chmodSync(join(context.root, 'a.ts'), 0)
    expect(textOf(await withoutPrivileges(() => readTool.run({ path: 'a.ts' }, context)))).toBe(
      'Error: a.ts cannot be used: permission denied',
    )
  })

  it.each([
    {},
    { path: 3 },
    { paths: [] },
    { path: 'a', offset: -1 },
    { path: 'a', limit: 0 },
    { path: 'a', offset: 1.5 },
    null,
    'a',
  ])('rejects invalid arguments: %j', async (input) => {
    expect(await readTool.run(input, await workspace({ a: 'one' }))).toMatchObject({ isError: true })
  })

  it('accepts a modification time outside the calendar', async () => {
    const context = await workspace({ a: 'one' })
    utimesSync(join(context.root, 'a'), 1, 9e12)
    expect(textOf(await readTool.run({ path: 'a' }, context))).toMatch(/^a lines 1-1 of 1, modified /)
  })
})

describe('several files in one call', () => {
  it('shows each file under its name, and one that fails does not fail the others', async () => {
    const context = await workspace({ 'a.ts': 'one\ntwo', 'b.ts': 'three', 'c.png': onePixel })
    const outcome = await readTool.run({ paths: ['gone.ts', { path: 'a.ts', offset: 2 }, 'b.ts'] }, context)
    expect(outcome).toEqual({
      content: {
        type: 'text',
        text: `== gone.ts ==\nError: gone.ts does not exist; use LS or Glob to find it\n\n== a.ts ==\na.ts lines 2-2 of 2, ${at}\n     2\ttwo\n\n== b.ts ==\nb.ts lines 1-1 of 1, ${at}\n     1\tthree`,
      },
      metadata: {
        files: [
          { path: 'gone.ts', isError: true },
          { path: 'a.ts', isError: false, mtime: time.getTime(), from: 2, to: 2, lines: 2 },
          { path: 'b.ts', isError: false, mtime: time.getTime(), from: 1, to: 1, lines: 1 },
        ],
      },
    })
    const images = await readTool.run({ paths: ['a.ts', 'c.png'] }, context)
    expect(images.content).toMatchObject({
      type: 'list',
      items: [{ type: 'text' }, { type: 'text' }, { type: 'text' }, { type: 'media' }],
    })
    expect(await readTool.run({ paths: ['x', 'y'] }, context)).toMatchObject({ isError: true })
  })

  it('share the size limit of one answer', async () => {
    const context = await workspace({ a: 'x'.repeat(1000).concat('\n').repeat(300), b: 'b' })
    const text = textOf(await readTool.run({ paths: ['a', 'a', 'b'] }, context))
    expect(text.length).toBeLessThan(170_000)
    expect(text).toContain('== b ==\nError: not read: the files before it took all the room')
  })
})

it('reading ends when the turn does', async () => {
  const context = await workspace({ a: 'one' })
  mkdirSync(join(context.root, 'empty'))
  writeFileSync(join(context.root, 'b'), 'two')
  const signal = AbortSignal.abort(new Error('cancelled'))
  await expect(readTool.run({ path: 'a' }, { ...context, signal })).rejects.toThrow('cancelled')
})
