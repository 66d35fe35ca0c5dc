import { symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { lookingContext } from '../testing/looking-context.ts'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { globTool } from './glob-tool.ts'

async function workspace(): Promise<string> {
  const paths = ['a.ts', '.hidden.ts', 'src/b.ts', 'src/deep/c.tsx', 'src/deep/d.js', 'build/e.ts', 'src/(group)/f.ts', 'x.log']
  const root = await temporaryWorkspace({
    '.gitignore': 'build/\n*.log\n',
    ...Object.fromEntries(paths.map((path) => [path, ''])),
  })
  // The later in the list, the newer.
  for (const [index, path] of paths.entries()) utimesSync(join(root, path), 1_000_000 + index, 1_000_000 + index)
  symlinkSync(dirname(root), join(root, 'up'))
  writeFileSync(join(dirname(root), 'outside.ts'), '')
  return root
}

const find = async (root: string, input: unknown) => {
  const { content } = await globTool.run(input, lookingContext(root))
  return content.type === 'text' ? content.text.split('\n') : []
}

it.each([
  [
    'R004-10 in all folders, the latest changed first',
    { pattern: '**/*.ts' },
    ['src/(group)/f.ts', 'src/b.ts', '.hidden.ts', 'a.ts'],
  ],
  ['only at the top', { pattern: '*.ts' }, ['.hidden.ts', 'a.ts']],
  ['alternatives', { pattern: 'src/**/*.{tsx,js}' }, ['src/deep/d.js', 'src/deep/c.tsx']],
  ['in a folder', { pattern: '*.ts', path: 'src' }, ['src/b.ts']],
  ['brackets are only brackets', { pattern: 'src/(group)/*' }, ['src/(group)/f.ts']],
  ['in a folder that is ignored, when asked for', { pattern: '*', path: 'build' }, ['build/e.ts']],
])('%s', async (_name, input, files) => {
  const [heading, ...found] = await find(await workspace(), input)
  expect(found).toEqual(files)
  expect(heading).toMatch(/^Found \d+ files?( in \w+)?, the latest changed first$/)
})

it('an absolute pattern inside is one from the folder', async () => {
  const root = await workspace()
  expect(await find(root, { pattern: `${root}/src/*.ts` })).toEqual(['Found 1 file, the latest changed first', 'src/b.ts'])
})

it.each([
  ['nothing found', { pattern: '*.py' }, 'No files match *.py; to look in all folders below, put "**/" before it'],
  ['an ignored file', { pattern: '**/x.log' }, 'No files match **/x.log'],
  ['a link out', { pattern: 'up/**' }, 'No files match up/**'],
  ['a way out', { pattern: '../*' }, 'Error: the pattern "../*" leads out of the workspace'],
  ['a way out in the middle', { pattern: 'src/../../*' }, 'Error: the pattern "src/../../*" leads out of the workspace'],
  ['a way out escaped with backslashes', { pattern: '\\.\\./*' }, 'Error: the pattern "\\\\.\\\\./*" leads out of the workspace'],
  ['a way out that braces make', { pattern: '..{/,}*' }, 'Error: the pattern "..{/,}*" leads out of the workspace'],
  ['names inside a link out', { pattern: 'up/*' }, 'No files match up/*'],
  ['an absolute way out', { pattern: '/etc/*' }, 'Error: the pattern leads out of .'],
  ['nothing to look for', { pattern: ' ' }, 'Error: the pattern is empty'],
  ['a file to look in', { pattern: '*', path: 'a.ts' }, 'Error: a.ts is a file'],
  [
    'braces without end',
    { pattern: '{a,b}'.repeat(20) },
    'Error: the pattern "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}" has too many alternatives in braces',
  ],
])('%s', async (_name, input, text) => {
  expect(await find(await workspace(), input)).toEqual([text])
})

it('of many files the first 1,000 are shown, and how many more there are', async () => {
  const files = Array.from({ length: 1005 }, (_, index) => [`d${index % 10}/f${index}`, ''] as const)
  const found = await find(await temporaryWorkspace(Object.fromEntries(files)), { pattern: '**' })
  expect([found.length, found[0], found.at(-1)]).toEqual([
    1002,
    'Found 1005 files, the latest changed first',
    '(truncated: and 5 more; use a narrower pattern)',
  ])
})

it('patterns and names made to take for ever do not', async () => {
  const root = await temporaryWorkspace({ ['a'.repeat(250)]: '' })
  for (const pattern of ['*a*a*ab', `${'**/'.repeat(4)}b`, '{*a,*a}*ab'.repeat(2), '+(a|aa|aaa)+b', '[a-z]*[a-z]*b'])
    expect((await find(root, { pattern }))[0]).toMatch(/^(?:No files match|Error: )/)
})
