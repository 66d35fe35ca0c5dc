import { spawnSync } from 'node:child_process'
import { chmod, chown, link, mkdir, readdir, readFile, rename, stat, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { writeAtomically } from './atomic-write.ts'

const bytes = Buffer.from('new\n')
const signal = new AbortController().signal
const isRoot = process.getuid?.() === 0

describe('writeAtomically', () => {
  it('creates a file with its folders, and returns its time', async () => {
    const root = await temporaryWorkspace()
    const path = join(root, 'a/b/c.txt')
    const stats = await writeAtomically(path, bytes, { replaces: null, signal })
    expect(await readFile(path, 'utf8')).toBe('new\n')
    expect(stats?.mtimeMs).toBe((await stat(path)).mtimeMs)
    expect(await readdir(dirname(path))).toEqual(['c.txt'])
  })

  it.each<[story: string, meddle: (root: string) => Promise<void>, left: string | null]>([
    ['was changed', (root) => writeFile(join(root, 'a.txt'), 'theirs'), 'theirs'],
    [
      'was swapped',
      (root) => writeFile(join(root, 'b.txt'), 'old\n').then(() => rename(join(root, 'b.txt'), join(root, 'a.txt'))),
      'old\n',
    ],
    ['went away', (root) => unlink(join(root, 'a.txt')), null],
  ])('gives up when the file %s meanwhile, and leaves nothing', async (_story, meddle, left) => {
    const root = await temporaryWorkspace({ 'a.txt': 'old\n' })
    const replaces = await stat(join(root, 'a.txt'))
    await meddle(root)
    const writing = writeAtomically(join(root, 'a.txt'), bytes, { replaces, signal })
    if (left === null) await expect(writing).rejects.toMatchObject({ code: 'ENOENT' })
    else expect(await writing).toBeNull()
    expect(await readdir(root)).toEqual(left === null ? [] : ['a.txt'])
    if (left !== null) expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe(left)
  })

  it('removes what a killed process left in the folder an hour ago or earlier, and nothing else', async () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    const named = (id: number, digits: string) => `.plimsoll-${id}-${digits.padEnd(12, '0')}.tmp`
    const old = [named(pid, '1'), named(process.pid, '2'), 'notes.tmp', '.plimsoll-x.tmp']
    const root = await temporaryWorkspace(Object.fromEntries([...old, named(pid, '3')].map((name) => [name, 'half'])))
    const long = new Date(Date.now() - 7_200_000)
    for (const name of old) await utimes(join(root, name), long, long)
    await writeAtomically(join(root, 'a.txt'), bytes, { replaces: null, signal })
    expect((await readdir(root)).sort()).toEqual(['a.txt', ...old.slice(1), named(pid, '3')].sort())
  })

  it('does not take the place of a file that came meanwhile', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'theirs' })
    expect(await writeAtomically(join(root, 'a.txt'), bytes, { replaces: null, signal })).toBeNull()
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('theirs')
    expect(await readdir(root)).toEqual(['a.txt'])
  })

  it('does not write through a folder that became a link', async () => {
    const root = await temporaryWorkspace()
    await mkdir(join(root, '../outside'))
    await symlink('../outside', join(root, 'folder'))
    await expect(writeAtomically(join(root, 'folder/a.txt'), bytes, { replaces: null, signal })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:ELOOP|ENOTDIR)$/) as string,
    })
    expect(await readdir(join(root, '../outside'))).toEqual([])
  })

  it('leaves other names of the old file as they are', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'old\n' })
    await link(join(root, 'a.txt'), join(root, 'b.txt'))
    await writeAtomically(join(root, 'a.txt'), bytes, { replaces: await stat(join(root, 'a.txt')), signal })
    expect(await readFile(join(root, 'b.txt'), 'utf8')).toBe('old\n')
  })

  it('removes the folders it made when it is cancelled', async () => {
    const root = await temporaryWorkspace()
    const cancelled = AbortSignal.abort(new Error('enough'))
    await expect(writeAtomically(join(root, 'a/b/c.txt'), bytes, { replaces: null, signal: cancelled })).rejects.toThrow('enough')
    expect(await readdir(root)).toEqual([])
  })

  it.runIf(isRoot)('keeps the owner and the special bits of the mode', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'old\n' })
    const path = join(root, 'a.txt')
    await chown(path, 65_534, 65_533)
    await chmod(path, 0o2755)
    await writeAtomically(path, bytes, { replaces: await stat(path), signal })
    const { uid, gid, mode } = await stat(path)
    expect({ uid, gid, mode: mode & 0o7777 }).toEqual({ uid: 65_534, gid: 65_533, mode: 0o2755 })
  })
})

describe.runIf(isRoot && process.platform === 'linux')('writeAtomically where the system refuses', () => {
  const unprivilegedUser = 65_534

  /** Runs in another process, as another user or where little room is, since a test has no way to be poor. */
  async function writeElsewhere(root: string, name: string, size: number, command: readonly string[], uid: number | null) {
    const script = [
      "import { stat } from 'node:fs/promises'",
      `const { writeAtomically } = await import(${JSON.stringify(fileURLToPath(new URL('atomic-write.ts', import.meta.url)))})`,
      `const path = ${JSON.stringify(join(root, name))}`,
      ...(uid === null ? [] : [`process.setgid(${uid}); process.setgroups([]); process.setuid(${uid})`]),
      'const replaces = await stat(path).catch(() => null)',
      'const options = { replaces, signal: new AbortController().signal }',
      `try { const stats = await writeAtomically(path, Buffer.alloc(${size}, 'x'), options); console.log(stats === null ? 'null' : 'done') }`,
      'catch (error) { console.log(error.code) }',
      "const { readdirSync, readFileSync } = await import('node:fs')",
      `console.log(readdirSync(${JSON.stringify(root)}).join())`,
      'if (replaces !== null) console.log(readFileSync(path).length, (await stat(path)).uid)',
    ].join('\n')
    const [program, ...before] = [...command, process.execPath]
    const answer = spawnSync(program as string, [...before, '--input-type=module', '--no-warnings', '-e', script], {
      encoding: 'utf8',
      env: { ...process.env, PLIMSOLL_ROOT: root },
    })
    return `${answer.stdout}${answer.stderr}`.trim().split('\n')
  }

  it('leaves a folder that it may not write as it was', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'old\n' })
    await chmod(dirname(root), 0o755)
    expect(await writeElsewhere(root, 'new.txt', 5, [], unprivilegedUser)).toEqual(['EACCES', 'a.txt'])
    expect(await writeElsewhere(root, 'a.txt', 5, [], unprivilegedUser)).toEqual(['EACCES', 'a.txt', '4 0'])
  })

  it('respects that a file is for reading only, although its folder could be written', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'old\n' })
    await chmod(dirname(root), 0o755)
    await chown(root, unprivilegedUser, unprivilegedUser)
    await chmod(join(root, 'a.txt'), 0o444)
    expect(await writeElsewhere(root, 'a.txt', 5, [], unprivilegedUser)).toEqual(['EACCES', 'a.txt', '4 0'])
  })

  it('writes another user’s file in place to keep its owner', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'old\n' })
    await chmod(dirname(root), 0o755)
    await chown(root, unprivilegedUser, unprivilegedUser)
    await chmod(join(root, 'a.txt'), 0o666)
    expect(await writeElsewhere(root, 'a.txt', 2, [], unprivilegedUser)).toEqual(['done', 'a.txt', '2 0'])
  })

  const mount = [
    'unshare',
    '-m',
    'sh',
    '-c',
    'mount -t tmpfs -o size=64k none "$PLIMSOLL_ROOT" && printf old > "$PLIMSOLL_ROOT/a.txt" && exec "$@"',
    'sh',
  ]
  const canMount = spawnSync(mount[0] as string, ['-m', 'true']).status === 0

  it.runIf(canMount)('leaves the old file and nothing else when the disk is full', async () => {
    const root = await temporaryWorkspace()
    expect(await writeElsewhere(root, 'a.txt', 1_000_000, mount, null)).toEqual(['ENOSPC', 'a.txt', '3 0'])
    expect(await writeElsewhere(root, 'b/c/d.txt', 1_000_000, mount, null)).toEqual(['ENOSPC', 'a.txt'])
  })
})
