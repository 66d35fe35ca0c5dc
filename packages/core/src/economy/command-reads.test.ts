import { describe, expect, it } from 'vitest'
import { commandReads } from './command-reads.ts'

const all = { first: 1, last: Number.POSITIVE_INFINITY }

describe('commandReads', () => {
  it.each([
    ['cat src/a.ts', [['src/a.ts', all]]],
    ['cat a.ts b.ts 2>/dev/null', [['a.ts', all], ['b.ts', all]]], // biome-ignore format: a row
    ["sed -n '10,20p' src/a.ts", [['src/a.ts', { first: 10, last: 20 }]]],
    ["sed -n '10,$p' a.ts", [['a.ts', { first: 10, last: Number.POSITIVE_INFINITY }]]],
    ["sed -n '/start/,/end/p' a.ts", [['a.ts', null]]],
    ["nl -ba a.ts | sed -n '5,9p'", [['a.ts', { first: 5, last: 9 }]]],
    ['cat a.ts | head -30', [['a.ts', { first: 1, last: 30 }]]],
    ['head -n 40 a.ts', [['a.ts', { first: 1, last: 40 }]]],
    ['tail -n +7 a.ts', [['a.ts', { first: 7, last: Number.POSITIVE_INFINITY }]]],
    ['tail -20 a.ts', [['a.ts', null]]],
    ["cd pkg && sed -n '1,5p' a.ts; echo ---; cat b.ts", [['pkg/a.ts', { first: 1, last: 5 }], ['pkg/b.ts', all]]], // biome-ignore format: a row
    ["bash -lc 'cat a.ts'", [['a.ts', all]]],
    ['git diff HEAD~1 -- a.ts', []],
    ['git show abc123', []],
  ])('reads: %s', (line, reads) => {
    expect(commandReads(line)).toEqual({ does: 'read', reads: reads.map(([path, range]) => ({ path, range })) })
  })

  it.each([
    ['grep -rn foo src', 'search'],
    ['rg foo', 'search'],
    ['find . -name x', 'search'],
    ['cd x && ls -la', 'search'],
    ['git ls-files', 'search'],
    ['npm test', 'other'],
    ['sed -i s/a/b/ a.ts', 'other'],
    ["sed 's/a/b/' a.ts", 'other'],
    ['cat a.ts > b.ts', 'other'],
    ["cat > b.ts <<'EOF'\nx\nEOF", 'other'],
    ['cat a.ts | wc -l', 'other'],
    ['cat', 'other'],
    ['git commit -m x', 'other'],
    ['', 'other'],
    ['x'.repeat(30_000), 'other'],
  ])('%s: %s', (line, does) => {
    expect(commandReads(line)).toEqual({ does, reads: [] })
  })
})
