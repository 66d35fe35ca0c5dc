import { describe, expect, it } from 'vitest'
import { commandPrints, commandReads, type LineRange } from './command-reads.ts'

const end = Number.POSITIVE_INFINITY
const all = { first: 1, last: end }
const range = (first: number, last: number): LineRange => ({ first, last })

describe('commandReads', () => {
  it.each<[line: string, ...reads: (readonly [path: string, range: LineRange | null])[]]>([
    ['cat src/a.ts', ['src/a.ts', all]],
    ['cat a.ts b.ts 2>/dev/null', ['a.ts', all], ['b.ts', all]],
    ['cat a.ts 2>&1', ['a.ts', all]],
    ['cat -n a.ts', ['a.ts', all]],
    ['cat "" a.ts', ['a.ts', all]],
    ['/usr/bin/cat a.ts', ['a.ts', all]],
    ["bash -lc 'cat a.ts'", ['a.ts', all]],
    ['nl -ba a.ts', ['a.ts', all]],
    ['less -20 a.ts', ['a.ts', all]],
    ['more a.ts', ['a.ts', all]],
    ['bat --plain a.ts', ['a.ts', all]],
    ['bat --line-range=5:9 a.ts', ['a.ts', null]],
    ["sed -n '10,20p' src/a.ts", ['src/a.ts', range(10, 20)]],
    ["sed -n '10,$p' a.ts", ['a.ts', range(10, end)]],
    ['sed -n 0,5p a.ts', ['a.ts', range(1, 5)]],
    ['sed -n 5p a.ts', ['a.ts', range(5, 5)]],
    ['sed -n 5,5p a.ts', ['a.ts', range(5, 5)]],
    ['sed -n 9,5p a.ts', ['a.ts', null]],
    ["sed -n 5p '' a.ts", ['a.ts', range(5, 5)]],
    ['sed -En -e 5,9p a.ts b.ts', ['a.ts', range(5, 9)], ['b.ts', range(5, 9)]],
    ['sed --quiet 5,9p a.ts', ['a.ts', range(5, 9)]],
    ["sed -n '/start/,/end/p' a.ts", ['a.ts', null]],
    ['head a.ts', ['a.ts', range(1, 10)]],
    ['head -q a.ts', ['a.ts', range(1, 10)]],
    ['head -1 a.ts', ['a.ts', range(1, 1)]],
    ['head -n 40 a.ts', ['a.ts', range(1, 40)]],
    ['head -n40 a.ts', ['a.ts', range(1, 40)]],
    ['head --lines=40 a.ts', ['a.ts', range(1, 40)]],
    ['head a.ts -n 40', ['a.ts', range(1, 40)]],
    ['head -n 0 a.ts', ['a.ts', null]],
    ['head -n 5k a.ts', ['a.ts', null]],
    ['head -n -5 a.ts', ['a.ts', null]],
    ['head -c 5 a.ts', ['a.ts', null]],
    ['head -c5 a.ts', ['a.ts', null]],
    ['head --bytes=5 a.ts', ['a.ts', null]],
    ['tail a.ts', ['a.ts', null]],
    ['tail -20 a.ts', ['a.ts', null]],
    ['tail -n +7 a.ts', ['a.ts', range(7, end)]],
    ['tail -n +0 a.ts', ['a.ts', range(1, end)]],
    ['tail -c +7 a.ts', ['a.ts', null]],
    ['tail -n +7 --bytes=+9 a.ts', ['a.ts', null]],
    ['git diff HEAD~1 -- a.ts'],
    ['git --no-pager diff'],
    ['git show abc123'],
  ])('reads: %s', (line, ...reads) => {
    expect(commandReads(line)).toEqual({ does: 'read', reads: reads.map(([path, lines]) => ({ path, range: lines })) })
  })

  it.each<[line: string, ...reads: (readonly [path: string, range: LineRange | null])[]]>([
    ["nl -ba a.ts | sed -n '5,9p'", ['a.ts', range(5, 9)]],
    ['cat a.ts | head -30', ['a.ts', range(1, 30)]],
    ['sed -n 5,9p a.ts | head -3', ['a.ts', range(5, 7)]],
    ['sed -n 5,9p a.ts | head -30', ['a.ts', range(5, 9)]],
    ['sed -n 5,9p a.ts | tail -n +5', ['a.ts', range(9, 9)]],
    ['sed -n 5,9p a.ts | tail -n +6', ['a.ts', null]],
    ['cat a.ts | tail -5', ['a.ts', null]],
    ['tail -5 a.ts | head -3', ['a.ts', null]],
    ['cat a.ts | sed -n', ['a.ts', null]],
    ['cat a.ts | head -n', ['a.ts', null]],
    ['cat a.ts b.ts | head -30', ['a.ts', null], ['b.ts', null]],
    ['cat a.ts; cat b.ts | head -30', ['a.ts', all], ['b.ts', range(1, 30)]],
  ])('follows a pipe: %s', (line, ...reads) => {
    expect(commandReads(line)).toEqual({ does: 'read', reads: reads.map(([path, lines]) => ({ path, range: lines })) })
  })

  it.each([
    ["cd pkg && sed -n '1,5p' a.ts; echo ---; cat b.ts", [['pkg/a.ts', range(1, 5)], ['pkg/b.ts', all]]], // biome-ignore format: a row
    ['cd pkg; cd src; cat a.ts', [['pkg/src/a.ts', all]]],
    ['cd pkg && cat /etc/hosts', [['/etc/hosts', all]]],
    ['cd pkg && cat a.ts | head -5', [['pkg/a.ts', range(1, 5)]]],
    ['cd pkg; cd; cat a.ts', [['~/a.ts', all]]],
  ])('follows cd: %s', (line, reads) => {
    expect(commandReads(line)).toEqual({ does: 'read', reads: reads.map(([path, lines]) => ({ path, range: lines })) })
  })

  it.each(['echo x', 'printf x', 'true', 'set -e', ':'])('ignores commands that print no file: %s', (quiet) => {
    expect(commandReads(`${quiet}; cat a.ts`)).toEqual({ does: 'read', reads: [{ path: 'a.ts', range: all }] })
  })

  it.each([
    ...[
      'grep -rn foo src',
      'egrep foo a',
      'fgrep foo a',
      'rg foo',
      'ag foo',
      'ack foo',
      'find . -name x',
      'fd x',
      'ls -la',
      'tree',
    ],
    ...['cd x && ls', 'echo x; ls', 'git ls-files', 'git grep foo', 'git --no-pager grep foo', '/usr/bin/grep foo a'],
  ])('searches: %s', (line) => {
    expect(commandReads(line)).toEqual({ does: 'search', reads: [] })
  })

  it.each([
    ...['', 'npm test', 'npm grep', 'echo x', 'cd pkg', '2>/dev/null'],
    ...['cat', 'head -5', 'cat a.ts | wc -l', 'cat a.ts | grep foo', 'git diff | head -5', 'cat a.ts; git diff | head -5'],
    ...['cat a.ts > b.ts', "cat > b.ts <<'EOF'\nx\nEOF", 'git diff > a.patch'],
    ...['sed -i s/a/b/ a.ts', "sed 's/a/b/' a.ts", "cat a.ts | sed 's/a/b/'", 'sed -n -i 5p a.ts', 'sed -n --in-place 5p a.ts'],
    ...['git', 'git commit -m x', 'git commit show', 'git diff --stat', 'git show --name-only HEAD', 'git diff --stat=80 HEAD~2'],
  ])('classifies as other: %s', (line) => {
    expect(commandReads(line)).toEqual({ does: 'other', reads: [] })
  })

  it('reads lines of 20,000 characters, and no longer ones', () => {
    const line = (length: number) => 'cat a.ts'.padEnd(length, ' ')
    expect([20_000, 20_001].map((length) => commandReads(line(length)).does)).toEqual(['read', 'other'])
  })
})

it.each<[prints: ReturnType<typeof commandPrints>, line: string]>([
  ['files', 'cat a.ts'],
  ['files', '/usr/bin/cat a.ts'],
  ['matches', 'grep -rn cart src'],
  ['matches', '/usr/bin/grep -rn cart src'],
  ['files', 'cat a.ts | grep cart'],
  ['files', 'grep cart src && cat a.ts'],
  ['other', 'npm test'],
  ['other', ''],
  ['other', `echo ${'x'.repeat(19_995)}`],
  ['files', `echo ${'x'.repeat(19_996)}`],
])('a command prints %s: %#', (prints, line) => {
  expect(commandPrints(line)).toBe(prints)
})
