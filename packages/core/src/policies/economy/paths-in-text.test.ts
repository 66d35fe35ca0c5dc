import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pathsInText } from './cut-output.ts'

it.each([
  ['src/a.ts:12:5 - error in ./b/c.py, see /usr/lib/x.', ['src/a.ts', './b/c.py', '/usr/lib/x']],
  ['and/or text/html 1/2 2026/01/31 n/a e.g. 3.14', []],
  ['https://example.com/a/b', []],
  ['package.json and README.md, again package.json', ['package.json', 'README.md']],
  ['node_modules/x/dist and a/b', ['node_modules/x/dist']],
  ['"src/a.ts", (src/b.ts) <src/c.ts>', ['src/a.ts', 'src/b.ts', 'src/c.ts']],
  ['/usr and ./bin and ../lib and ~/tmp', ['/usr', './bin', '../lib', '~/tmp']],
  ['usr/bin @a/b +/ab', []],
  ['keys /path /type /content, Esc/q/Tab, Enter/Space/Tab, </path>', []],
  [
    '/work /home/me/notes src/core/text Sources/App/Models/User',
    ['/work', '/home/me/notes', 'src/core/text', 'Sources/App/Models/User'],
  ],
  ['a.ts, ab.c. a.c. x.c/', ['a.ts', 'ab.c']],
  ['src/lib/ src/a.ts... src/b.ts-', ['src/a.ts', 'src/b.ts']],
  ['/foo/bar /foo', ['/foo/bar']],
  ['make > /dev/null 2> /dev/stderr, dd of=/dev/sda1', ['/dev/sda1']],
  ['_/_/_ 1/2/3 /123 ~/99 .... ////', []],
  ['//example.com/a.ts', []],
  ['e: file:///ci/src/a.kt:1:2', ['/ci/src/a.kt']],
  ['', []],
])('%s', (text, paths) => {
  expect(pathsInText(text, 80)).toEqual(paths)
})

it.each([
  [-1, []],
  [0, []],
  [1, ['a.ts']],
  [2, ['a.ts', 'b.ts']],
])('finds at most %i of three paths', (max, paths) => {
  expect(pathsInText('a.ts b.ts c.ts', max)).toEqual(paths)
})

it('finds at most the given number in a very long text', () => {
  expect(pathsInText(Array.from({ length: 9000 }, (_, index) => `src/${index}.ts`).join(' '), 3)).toEqual([
    'src/0.ts',
    'src/1.ts',
    'src/2.ts',
  ])
  expect(pathsInText('a/'.repeat(200_000), 2).length).toBeLessThan(3)
})

it('finds what reading every word finds, also in runs of more than 300 characters', () => {
  let found = 0
  const piece = fc.constantFrom(
    'a',
    'src/',
    'b.ts ',
    '/lib/',
    '.ts',
    '/',
    '.',
    '-',
    '~',
    ' ',
    '\n',
    '→',
    'é',
    '(',
    'x'.repeat(299),
    'y'.repeat(301),
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 20, maxLength: 60 }), (pieces) => {
      const text = pieces.join('')
      const byWords = (text.match(/[\w.@~+/-]{4,300}/g) ?? []).flatMap((word) => pathsInText(word, 1))
      expect(pathsInText(text, 80)).toEqual([...new Set(byWords)])
      found += byWords.length
    }),
    { numRuns: 100 },
  )
  expect(found).toBeGreaterThan(100)
})
