import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { createFolderReader, walkFiles } from './folder-reader.ts'

const signal = new AbortController().signal

async function walk(root: string, start = '.'): Promise<readonly string[]> {
  const paths: string[] = []
  for await (const path of walkFiles(await createFolderReader(root, start), start, signal)) paths.push(path)
  return paths
}

it('a .gitignore counts in its folder and below, the nearest one first, and what git keeps for itself is never there', async () => {
  const root = await temporaryWorkspace({
    '.gitignore': '*.log\n/build/\n',
    '.git/config': '',
    'a.log': '',
    'a.ts': '',
    'build/b.ts': '',
    'src/.gitignore': '!keep.log\nbuild\n',
    'src/a.log': '',
    'src/keep.log': '',
    'src/build/c.ts': '',
    'other/build/d.ts': '',
  })
  expect(await walk(root)).toEqual(['.gitignore', 'a.ts', 'other/build/d.ts', 'src/.gitignore', 'src/keep.log'])
})

it('lists an ignored folder in full if it is asked for by name', async () => {
  const root = await temporaryWorkspace({ '.gitignore': 'dist\n*.map\n', 'dist/a.js': '', 'dist/a.map': '' })
  expect(await walk(root)).toEqual(['.gitignore'])
  expect(await walk(root, 'dist')).toEqual(['dist/a.js', 'dist/a.map'])
})

it('links are not followed, not even one that is a .gitignore', async () => {
  const root = await temporaryWorkspace({ 'a/b.ts': '' })
  writeFileSync(join(dirname(root), 'rules'), '*')
  symlinkSync('..', join(root, 'a', 'up'))
  symlinkSync('../rules', join(root, '.gitignore'))
  expect(await walk(root)).toEqual(['a/b.ts'])
})

it('skips ignore rules that would run endlessly', async () => {
  const root = await temporaryWorkspace({ '.gitignore': `${'*a'.repeat(60)}b\n*.log\n`, ['a'.repeat(200)]: '', 'x.log': '' })
  expect(await walk(root)).toEqual(['.gitignore', 'a'.repeat(200)])
})

it('very many rules for very many names can be stopped', async () => {
  const rules = Array.from({ length: 3000 }, (_, index) => `**/*a*a*${index}x`).join('\n')
  const names = Array.from({ length: 300 }, (_, index) => [`${'a'.repeat(200)}${index}`, ''] as const)
  const root = await temporaryWorkspace({ '.gitignore': rules, ...Object.fromEntries(names) })
  const stop = new AbortController()
  const reader = await createFolderReader(root, '.', stop.signal)
  setTimeout(() => stop.abort(new Error('stopped')), 1)
  await expect(reader.read('.')).rejects.toThrow('stopped')
})

it('five hundred folders in each other are walked', async () => {
  const root = await temporaryWorkspace()
  const deep = join(root, ...Array.from({ length: 500 }, () => 'd'))
  mkdirSync(deep, { recursive: true })
  writeFileSync(join(deep, 'f'), '')
  expect((await walk(root)).map((path) => path.length)).toEqual([1001])
})

it('the same files are left out that git leaves out', async () => {
  const names = ['a', 'b', 'a.ts', 'b.log', '.x']
  const path = fc
    .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 })
    .chain((folders) => fc.constantFrom(...names).map((name) => [...folders, `f${name}`].join('/')))
  const rule = fc.constantFrom(
    'fa',
    '*.log',
    '/fb',
    'a/',
    '!a/',
    'b/*',
    '!b/fa',
    '**/c/fa.ts',
    'a/**/fb',
    '!*.ts',
    '#a',
    '\\#a',
    'f?',
    '[a-b]',
  )
  const rules = fc.array(rule, { maxLength: 4 })
  let [left, kept] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(path, { minLength: 3, maxLength: 12 }), rules, rules, async (paths, top, inner) => {
      const root = await temporaryWorkspace({
        ...Object.fromEntries(paths.map((each) => [each, ''])),
        '.gitignore': top.join('\n'),
        'a/.gitignore': inner.join('\n'),
      })
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } })
      git('init', '--quiet')
      const expected = git('ls-files', '--others', '--exclude-standard', '-z').split('\0').filter(Boolean)
      const found = await walk(root)
      expect(found.toSorted()).toEqual(expected.toSorted())
      kept += found.length
      left += paths.length + 2 - found.length
    }),
    { numRuns: 40 },
  )
  expect(Math.min(left, kept)).toBeGreaterThan(50)
})
