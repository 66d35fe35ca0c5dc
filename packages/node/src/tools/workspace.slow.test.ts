import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { isInside } from '../files/read-text.ts'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'
import { openInside, resolveInside } from './workspace.ts'

it.each([
  ['a file', 'src/a.ts', 'src/a.ts', 'file'],
  ['a folder', 'src/', 'src', 'folder'],
  ['the workspace itself', '.', '.', 'folder'],
  ['a detour that comes back', 'src/../src/./a.ts', 'src/a.ts', 'file'],
  ['a place where nothing is yet', 'new/deep/b.ts', 'new/deep/b.ts', 'missing'],
  ['a name that only looks like a way out', '..a/b', '..a/b', 'missing'],
  ['a name that only looks like a home', '~a', '~a', 'missing'],
  ['a name with a line end', 'a\nb', 'a\nb', 'missing'],
  ['a link to a file inside', 'link.ts', 'src/a.ts', 'file'],
  ['a way through a linked folder inside', 'linked/new.ts', 'src/new.ts', 'missing'],
])('%s is inside the workspace', async (_name, path, shown, kind) => {
  const root = await workspaceWithLinks()
  expect(await resolveInside(root, path)).toEqual({ path: join(root, shown), shown, kind })
  expect(await resolveInside(root, path.startsWith('~') ? `${root}/${path}` : join(root, path))).toMatchObject({ shown })
})

it.each([
  ['nothing', ' ', 'the path is empty'],
  ['a NUL', 'a\0b', 'NUL'],
  ['the folder above', '..', 'leads out of the workspace'],
  ['a file above', '../secret', 'leads out of the workspace'],
  ['a way out in the middle', 'src/../../secret', 'leads out of the workspace'],
  ['an absolute path', '/etc/passwd', 'leads out of the workspace'],
  ['a neighbour whose name begins the same', '../workspace-2/a', 'leads out of the workspace'],
  ['the home folder', '~/secret', 'home folder'],
  ['a link to a file outside', 'out-file', 'by a symbolic link'],
  ['a link in the middle', 'out/secret', 'by a symbolic link'],
  ['a new file behind a link', 'out/deep/new', 'by a symbolic link'],
  ['a link through a link', 'twice/secret', 'by a symbolic link'],
  ['a link to nothing', 'nowhere', 'leads nowhere'],
  ['a new file behind a link to nothing', 'nowhere/new', 'leads nowhere'],
  ['a circle of links', 'circle', 'in a circle'],
  ['a way through a file', 'src/a.ts/b', 'is a file, not a folder'],
  ['a name too long', 'x'.repeat(5000), 'too long'],
  ['a pipe', 'pipe', 'a named pipe'],
  ['a socket', 'socket', 'a socket'],
  ['a device', 'zero', 'leads out'],
])('%s is refused', async (_name, path, reason) => {
  const root = await workspaceWithLinks()
  const [found, opened] = [await resolveInside(root, path), await openInside(root, path)]
  expect(found).toMatchObject({ reason: expect.stringContaining(reason) })
  expect(opened).toEqual(found)
})

it('a workspace known by the name of a link takes absolute paths under that name', async () => {
  const root = await temporaryWorkspace({ 'a.ts': '' })
  const alias = join(dirname(root), 'alias')
  symlinkSync(root, alias)
  expect(await resolveInside(alias, join(alias, 'a.ts'))).toEqual({ path: join(root, 'a.ts'), shown: 'a.ts', kind: 'file' })
})

it('a workspace that was deleted is named as such', async () => {
  const root = await temporaryWorkspace()
  rmSync(root, { recursive: true })
  expect(await resolveInside(root, 'a.ts')).toMatchObject({ reason: expect.stringContaining('folder is gone') })
})

it('no spelling leads out, and whatever was made of it is inside', async () => {
  const root = await workspaceWithLinks()
  const segment = fc.constantFrom('..', '.', '', 'src', 'a.ts', 'out', 'linked', 'twice', 'nowhere', 'secret', 'workspace', '~')
  let [inside, refused] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 8 }), fc.boolean(), async (segments, absolute) => {
      const place = await resolveInside(root, (absolute ? `${root}/` : '') + segments.join('/'))
      if ('reason' in place) refused += 1
      else {
        inside += 1
        expect(isInside(root, place.path)).toBe(true)
        expect(join(root, place.shown)).toBe(place.path)
      }
    }),
  )
  expect(Math.min(inside, refused)).toBeGreaterThan(10)
})

it('an open file is the one that was asked for, and opening makes none', async () => {
  const root = await temporaryWorkspace({ 'a.ts': 'text' })
  const read = await openInside(root, 'a.ts')
  if ('reason' in read) throw new Error(read.reason)
  expect([read.shown, read.stats.size, await read.handle.readFile('utf8')]).toEqual(['a.ts', 4, 'text'])
  await read.handle.close()
  expect(await openInside(root, 'b.ts')).toEqual({ reason: 'b.ts does not exist', code: 'ENOENT' })
  expect(await openInside(root, '.')).toEqual({ reason: '. is a folder', code: 'EISDIR' })
  expect(readdirSync(root)).toEqual(['a.ts'])
})

it('a link that is swapped in while a file is opened is never followed', async () => {
  const root = await temporaryWorkspace({ 'folder/a.ts': 'inside' })
  const outside = join(dirname(root), 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'a.ts'), 'outside')
  const stop = new AbortController()
  let [read, refused] = [0, 0]
  const swap = (async () => {
    while (!stop.signal.aborted) {
      renameSync(join(root, 'folder'), join(root, 'kept'))
      symlinkSync(outside, join(root, 'folder'))
      await new Promise(setImmediate)
      unlinkSync(join(root, 'folder'))
      renameSync(join(root, 'kept'), join(root, 'folder'))
      await new Promise(setImmediate)
    }
  })()
  for (let round = 0; round < 500 || (Math.min(read, refused) === 0 && round < 20_000); round += 1) {
    const file = await openInside(root, 'folder/a.ts')
    if ('reason' in file) refused += 1
    else {
      read += 1
      expect(await file.handle.readFile('utf8')).toBe('inside')
      await file.handle.close()
    }
  }
  stop.abort()
  await swap
  expect(Math.min(read, refused)).toBeGreaterThan(0)
})

async function workspaceWithLinks(): Promise<string> {
  const root = await temporaryWorkspace({ 'src/a.ts': 'text' })
  const parent = dirname(root)
  writeFileSync(join(parent, 'secret'), 'secret')
  mkdirSync(join(parent, 'workspace-2'))
  symlinkSync(join('src', 'a.ts'), join(root, 'link.ts'))
  symlinkSync('src', join(root, 'linked'))
  symlinkSync(join(parent, 'secret'), join(root, 'out-file'))
  symlinkSync(parent, join(root, 'out'))
  symlinkSync('out', join(root, 'twice'))
  symlinkSync(join(parent, 'not-there'), join(root, 'nowhere'))
  symlinkSync('circle', join(root, 'circle'))
  symlinkSync('/dev/zero', join(root, 'zero'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  const server = createServer().listen(join(root, 'socket'))
  await new Promise((done) => server.once('listening', done))
  onTestFinished(() => void server.close())
  expect(basename(root)).toBe('workspace')
  return root
}
