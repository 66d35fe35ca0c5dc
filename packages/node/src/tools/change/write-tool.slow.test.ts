import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { digestOfOutcome, seenWorkspace, textOf } from '../testing/seen-workspace.ts'
import { writeTool } from './editing-tools.ts'

describe('Write', () => {
  it('R004-14 creates a file with its folders, and reports it with its first lines', async () => {
    const { run, text } = await seenWorkspace()
    const content = Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join('')
    const outcome = await run(writeTool, { file_path: 'src/deep/a.ts', content })
    const lines = textOf(outcome).split('\n')
    expect(lines[0]).toBe('Created src/deep/a.ts: 30 lines.')
    expect(lines.slice(1)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `${String(index + 1).padStart(6)}\tline ${index + 1}`),
      '(and 10 more lines)',
    ])
    expect(outcome.metadata).toMatchObject({ path: 'src/deep/a.ts', added: 30, removed: 0, created: true })
    expect(await text('src/deep/a.ts')).toBe(content)
  })

  it('R004-14 reports that it overwrote a file, and what changed', async () => {
    const { run, text } = await seenWorkspace({ 'a.ts': 'one\ntwo\nthree\n' })
    const outcome = await run(writeTool, { file_path: 'a.ts', content: 'one\n2\nthree\nfour\n' })
    expect(textOf(outcome)).toBe(
      'Overwrote a.ts: 4 lines (2 added, 1 removed; it had 3 lines).\n     1\tone\n     2\t2\n     3\tthree\n     4\tfour',
    )
    expect(await text('a.ts')).toBe('one\n2\nthree\nfour\n')
  })

  it.each([
    ['created', 'new.ts'],
    ['overwritten', 'old.ts'],
  ])('R004-14 gives what its digest shows later: the file, that it was %s, and a fragment', async (action, file_path) => {
    const { run } = await seenWorkspace({ 'old.ts': 'before\n' })
    const input = { file_path, content: `${'words '.repeat(70)}\n`.repeat(60) }
    const outcome = await run(writeTool, input)
    expect(digestOfOutcome('Write', input, outcome)).toMatchObject({
      data: { path: file_path, action, fragment: expect.stringContaining('\n     1\twords words') as string },
    })
  })

  it.each([
    ['line ends', 'a\r\nb\r\n', 'a\nb\n', 'Lines now end in LF; they ended in CRLF.'],
    ['the mark of UTF-8', '\ufeffa\n', 'b\n', 'Its byte order mark is gone.'],
  ])('writes the given content and reports that %s changed', async (_story, before, content, words) => {
    const { run, text } = await seenWorkspace({ 'a.txt': before })
    expect(textOf(await run(writeTool, { file_path: 'a.txt', content }))).toContain(words)
    expect(await text('a.txt')).toBe(content)
  })

  it.each(['.git/hooks/pre-commit', '.git/config', 'sub/.GIT/config', '.git', 'link/config'])(
    'does not touch what git would run, as %s',
    async (file_path) => {
      const { run, root, text } = await seenWorkspace({ '.git/config': '[core]\n', '.gitignore': 'x\n' })
      await symlink('.git', join(root, 'link'))
      expect(textOf(await run(writeTool, { file_path, content: '[core]\nfsmonitor = ./evil\n' }))).toMatch(
        /^Error: \.git is a folder|is git's own/,
      )
      expect([await text('.git/config'), await readdir(root)]).toEqual(['[core]\n', ['.git', '.gitignore', 'link']])
      expect(textOf(await run(writeTool, { file_path: '.gitignore', content: 'y\n' }))).toMatch(/^Overwrote \.gitignore/)
    },
  )

  it('refuses a file that the model has not read, and leaves it', async () => {
    const { run, root, text } = await seenWorkspace()
    await writeFile(join(root, 'a.txt'), 'precious\n')
    expect(textOf(await run(writeTool, { file_path: 'a.txt', content: 'x' }))).toBe(
      'Error: a.txt was not read in this session, and what is in it would be overwritten. Read it first.',
    )
    expect(await text('a.txt')).toBe('precious\n')
  })

  it('refuses a file that changed after the model read it', async () => {
    const { run, root, text } = await seenWorkspace({ 'a.txt': 'one\n' })
    await writeFile(join(root, 'a.txt'), 'two\n')
    expect(textOf(await run(writeTool, { file_path: 'a.txt', content: 'x' }))).toMatch(/^Error: a\.txt has changed since/)
    expect(await text('a.txt')).toBe('two\n')
  })

  it('may write again what it wrote itself', async () => {
    const { run, text } = await seenWorkspace()
    await run(writeTool, { file_path: 'a.txt', content: 'one\n' })
    expect((await run(writeTool, { file_path: 'a.txt', content: 'two\n' })).isError).toBeUndefined()
    expect(await text('a.txt')).toBe('two\n')
  })

  it.each([
    ['a folder', 'folder', /^Error: folder is a folder$/],
    ['a pipe', 'pipe', /^Error: pipe is neither a file nor a folder, but a named pipe$/],
    ['a link that leads out', 'out', /^Error: out leads out of the workspace by a symbolic link/],
    ['a path through a file', 'a.txt/b', /^Error: a\.txt\/b does not exist: a part of its path is a file/],
    ['a path that leads out', '../b', /^Error: \.\.\/b leads out of the workspace/],
    ['a name too long for the system', 'x'.repeat(300), /^Error: x+ is too long for a path$/],
    ['bytes that are not text', 'bytes.bin', /^Error: bytes\.bin is not text/],
  ])('refuses %s, and nothing is left behind', async (_story, file_path, words) => {
    const { run, root } = await seenWorkspace({ 'a.txt': 'a\n', 'bytes.bin': Buffer.from([0, 1]) })
    await mkdir(join(root, 'folder'))
    await symlink('../..', join(root, 'out'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    const before = await readdir(root, { recursive: false })
    expect(textOf(await run(writeTool, { file_path, content: 'x' }))).toMatch(words)
    expect(await readdir(root)).toEqual(before)
  })

  it('refuses half a character', async () => {
    const { run, root } = await seenWorkspace()
    expect(textOf(await run(writeTool, { file_path: 'a.txt', content: '\ud83d' }))).toMatch(/^Error: a\.txt: content holds half/)
    expect(await readdir(root)).toEqual([])
  })

  it('keeps the mode of a file', async () => {
    const { run, root } = await seenWorkspace({ 'run.sh': 'echo 1\n' })
    await chmod(join(root, 'run.sh'), 0o700)
    await run(writeTool, { file_path: 'run.sh', content: 'echo 2\n' })
    expect((await stat(join(root, 'run.sh'))).mode & 0o7777).toBe(0o700)
  })

  it('stops when it is cancelled, and leaves nothing', async () => {
    const { context, root } = await seenWorkspace()
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(writeTool.run({ file_path: 'x/a.txt', content: 'x' }, { ...context, signal })).rejects.toThrow('enough')
    expect(await readdir(root)).toEqual([])
  })
})
