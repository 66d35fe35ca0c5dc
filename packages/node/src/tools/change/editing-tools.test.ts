import { chmod, lstat, readdir, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTool } from '../read/read-tool.ts'
import { digestOfOutcome, seenWorkspace, textOf } from '../testing/seen-workspace.ts'
import { editTool, multiEditTool } from './editing-tools.ts'

const source = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n'

describe('Edit', () => {
  it('R004-13 reports the file, the range and the fragment, and keeps the diff for interfaces', async () => {
    const { run, text } = await seenWorkspace({ 'src/a.ts': source })
    expect(await run(editTool, { file_path: 'src/a.ts', old_string: 'five', new_string: 'cinco\n5' })).toEqual({
      content: {
        type: 'text',
        text: [
          'Edited src/a.ts: 1 replacement at lines 5-6.',
          ...['     2\ttwo', '     3\tthree', '     4\tfour', '     5\tcinco', '     6\t5', '     7\tsix', '     8\tseven'],
        ].join('\n'),
      },
      metadata: {
        path: 'src/a.ts',
        diff: '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -2,6 +2,7 @@\n two\n three\n four\n-five\n+cinco\n+5\n six\n seven\n',
        added: 2,
        removed: 1,
        created: false,
        original: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, bytes: source.length },
        written: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string, bytes: source.length + 3 },
      },
    })
    expect(await text('src/a.ts')).toBe('one\ntwo\nthree\nfour\ncinco\n5\nsix\nseven\n')
  })

  it('R004-13 gives what its digest shows later: file, range, fragment', async () => {
    const { run } = await seenWorkspace({ 'a.ts': source })
    const input = { file_path: 'a.ts', old_string: 'four', new_string: 'vier\n'.repeat(50) }
    expect(digestOfOutcome('Edit', input, await run(editTool, input))).toMatchObject({
      data: {
        path: 'a.ts',
        changed: ['1-57'],
        fragment: expect.stringMatching(/^Edited a\.ts: 1 replacement at lines 4-54\.\n {5}1\tone\n[^]* {4}19\tvier$/) as string,
      },
    })
  })

  it.each([
    ['CRLF', 'a\r\nb\r\nc\r\n', { old_string: 'a\nb', new_string: 'a\nB' }, 'a\r\nB\r\nc\r\n'],
    ['the mark of UTF-8', '\ufeffa\nb\n', { old_string: 'a', new_string: 'A' }, '\ufeffA\nb\n'],
    ['the missing last line end', 'a\nb', { old_string: 'b', new_string: 'c' }, 'a\nc'],
    ['every place', 'x x', { old_string: 'x', new_string: 'y', replace_all: true }, 'y y'],
  ])('keeps %s', async (_story, before, change, after) => {
    const { run, text } = await seenWorkspace({ 'a.txt': before })
    const outcome = await run(editTool, { file_path: 'a.txt', ...change })
    expect(outcome.isError).toBeUndefined()
    expect(await text('a.txt')).toBe(after)
  })

  it('keeps the mode, and leaves no other file in the folder', async () => {
    const { run, root } = await seenWorkspace({ 'run.sh': 'echo 1\n' })
    await chmod(join(root, 'run.sh'), 0o751)
    await run(editTool, { file_path: 'run.sh', old_string: '1', new_string: '2' })
    expect((await stat(join(root, 'run.sh'))).mode & 0o7777).toBe(0o751)
    expect(await readdir(root)).toEqual(['run.sh'])
  })

  it('changes what a link in the workspace leads to, and the link stays', async () => {
    const { run, text, root } = await seenWorkspace({ 'real.txt': 'a\n' })
    await symlink('real.txt', join(root, 'link.txt'))
    expect(textOf(await run(editTool, { file_path: 'link.txt', old_string: 'a', new_string: 'b' }))).toMatch(
      /^Edited real\.txt: /,
    )
    expect(await text('real.txt')).toBe('b\n')
    expect((await lstat(join(root, 'link.txt'))).isSymbolicLink()).toBe(true)
  })

  it.each([
    ['a missing file', { file_path: 'b.txt', old_string: 'a', new_string: 'b' }, /^Error: b\.txt: there is no such file/],
    ['a folder', { file_path: '.', old_string: 'a', new_string: 'b' }, /^Error: \. is a folder$/],
    [
      'a path that leads out',
      { file_path: '../x', old_string: 'a', new_string: 'b' },
      /^Error: \.\.\/x leads out of the workspace/,
    ],
    ['UTF-16', { file_path: 'utf16.txt', old_string: 'a', new_string: 'b' }, /^Error: utf16\.txt is UTF-16 text; only UTF-8/],
    ['bytes', { file_path: 'bytes.bin', old_string: 'a', new_string: 'b' }, /^Error: bytes\.bin is not text/],
    ['Latin-1', { file_path: 'latin.txt', old_string: 'a', new_string: 'b' }, /^Error: latin\.txt is not UTF-8 text/],
    ['no place', { file_path: 'a.txt', old_string: 'z', new_string: 'b' }, /^Error: a\.txt: old_string is not in the file/],
    ['wrong arguments', { file_path: 'a.txt', old_string: 1 }, /^Error: wrong arguments for Edit: old_string: /],
    [
      'an empty old_string in a file that holds something',
      { file_path: 'a.txt', old_string: '', new_string: 'b' },
      /old_string is empty/,
    ],
  ])('refuses %s and changes nothing', async (_story, input, words) => {
    const { run, text } = await seenWorkspace({
      'a.txt': 'a\n',
      'utf16.txt': Buffer.from('\ufeffa', 'utf16le'),
      'bytes.bin': Buffer.from([97, 0, 98]),
      'latin.txt': Buffer.from([0x61, 0xe9]),
    })
    const outcome = await run(editTool, input)
    expect(outcome.isError).toBe(true)
    expect(textOf(outcome)).toMatch(words)
    expect(await text('a.txt')).toBe('a\n')
  })

  it.each(['missing.txt', 'empty.txt'])('fills %s with an empty old_string', async (file_path) => {
    const { run, text } = await seenWorkspace({ 'empty.txt': '' })
    const outcome = await run(editTool, { file_path, old_string: '', new_string: 'a\nb\n' })
    expect(textOf(outcome)).toContain('     1\ta\n     2\tb')
    expect(await text(file_path)).toBe('a\nb\n')
  })
})

describe('content the model has not seen', () => {
  const change = { file_path: 'a.txt', old_string: 'a', new_string: 'b' }

  it('is not overwritten: an unread file', async () => {
    const { run, root, text } = await seenWorkspace()
    await writeFile(join(root, 'a.txt'), 'a\n')
    expect(textOf(await run(editTool, change))).toBe(
      'Error: a.txt was not read in this session, and what is in it would be overwritten. Read it first.',
    )
    expect(await text('a.txt')).toBe('a\n')
  })

  it('is not overwritten: a file changed since, even with the same time and size', async () => {
    const { run, root, look } = await seenWorkspace({ 'a.txt': 'a\n' })
    const { atime, mtime } = await stat(join(root, 'a.txt'))
    await writeFile(join(root, 'a.txt'), 'a!')
    await utimes(join(root, 'a.txt'), atime, mtime)
    expect(textOf(await run(editTool, change))).toMatch(/^Error: a\.txt has changed since .* Read it again first/)
    await look('a.txt')
    expect((await run(editTool, change)).isError).toBeUndefined()
  })

  it('is what Read shows: then it can be edited, and a second Read has no note', async () => {
    const { run, root, text } = await seenWorkspace()
    await writeFile(join(root, 'a.txt'), 'a\r\nc\r\n')
    await run(readTool, { file_path: 'a.txt' })
    expect((await run(editTool, change)).isError).toBeUndefined()
    expect(await text('a.txt')).toBe('b\r\nc\r\n')
    expect(JSON.stringify(await run(readTool, { file_path: 'a.txt' }))).not.toMatch(/externally/)
    await writeFile(join(root, 'a.txt'), 'b!\r\nc\r\n')
    expect(JSON.stringify(await run(readTool, { file_path: 'a.txt' }))).toMatch(/externally/)
  })

  it('Q-40 is not what the agent’s own edits made: they can be followed by more, and a read gets no note', async () => {
    const { run, root, text, context } = await seenWorkspace({ 'a.txt': 'a\n' })
    await run(editTool, change)
    await run(editTool, { file_path: 'a.txt', old_string: 'b', new_string: 'c' })
    expect(await text('a.txt')).toBe('c\n')
    const { mtimeMs } = await stat(join(root, 'a.txt'))
    expect(context.freshness.read('a.txt', mtimeMs)).toBeNull()
    expect(context.freshness.read('a.txt', mtimeMs + 1)).not.toBeNull()
  })
})

describe('MultiEdit', () => {
  it('R004-13 makes all edits in order and reports where', async () => {
    const { run, text } = await seenWorkspace({ 'a.txt': source })
    const edits = [
      { old_string: 'one', new_string: 'uno' },
      { old_string: 'uno\n', new_string: 'uno\neins\n' },
      { old_string: 'seven', new_string: 'sieben' },
    ]
    const outcome = await run(multiEditTool, { file_path: 'a.txt', edits })
    expect(textOf(outcome).split('\n')[0]).toBe('Edited a.txt: 3 replacements at lines 1-2, 8.')
    expect(await text('a.txt')).toBe('uno\neins\ntwo\nthree\nfour\nfive\nsix\nsieben\n')
  })

  it('makes none when one does not fit, and says which', async () => {
    const { run, text } = await seenWorkspace({ 'a.txt': source })
    const edits = [
      { old_string: 'one', new_string: 'uno' },
      { old_string: 'one', new_string: 'eins' },
    ]
    expect(textOf(await run(multiEditTool, { file_path: 'a.txt', edits }))).toMatch(
      /^Error: a\.txt: edit 2 of 2: [^]*None of the edits was made\.$/,
    )
    expect(await text('a.txt')).toBe(source)
  })

  it('makes a file and changes it', async () => {
    const { run, text } = await seenWorkspace()
    const edits = [
      { old_string: '', new_string: 'a\nb\n' },
      { old_string: 'b', new_string: 'c' },
    ]
    expect(textOf(await run(multiEditTool, { file_path: 'new/a.txt', edits }))).toMatch(/^Created new\/a\.txt: 2 lines\.\n/)
    expect(await text('new/a.txt')).toBe('a\nc\n')
  })
})

it('names a file and counts its edits without words, since the user reads it in any language', () => {
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'd' },
  ]
  expect(multiEditTool.about({ file_path: 'a.ts', edits })).toBe('a.ts ×2')
})

describe('the preview of a change', () => {
  it('is the difference it would make, and changes nothing', async () => {
    const { context, text } = await seenWorkspace({ 'a.txt': 'a\n' })
    expect(await editTool.preview?.({ file_path: 'a.txt', old_string: 'a', new_string: 'b' }, context)).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n',
    )
    expect(await text('a.txt')).toBe('a\n')
  })

  it('is the error it would give', async () => {
    const { context } = await seenWorkspace({ 'a.txt': 'a\n' })
    expect(await editTool.preview?.({ file_path: 'a.txt', old_string: 'a', new_string: 'a' }, context)).toBe(
      'Error: a.txt: old_string and new_string are the same, so nothing would change',
    )
  })
})
