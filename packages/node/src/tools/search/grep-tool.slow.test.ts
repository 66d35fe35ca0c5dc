import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { modelStrings } from '@plimsoll/core/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lookingContext } from '../testing/looking-context.ts'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { createGrepTool, grepTool } from './grep-tool.ts'
import { searchFiles } from './own-search.ts'
import { findRipgrep, searchWithRipgrep } from './ripgrep.ts'

const files = {
  '.gitignore': 'build/\n*.log\n',
  '.env': 'needle hidden\n',
  '.git/config': 'needle\n',
  'a.log': 'needle\n',
  'a.ts': 'one\nconst needle = 1\nthree\nfour\nfive\nsix\nneedle again\n',
  'b.md': 'Needle\r\nneedle (x)\r\n',
  'binary.bin': Buffer.from('needle\n\0\n'),
  'build/c.ts': 'needle\n',
  'src/.gitignore': 'skip.ts\n',
  'src/d.ts': 'begin {\n  needle\n}\nend',
  'src/skip.ts': 'needle\n',
  'src/wide.ts': Buffer.from('\ufeffä needle\n', 'utf16le'),
}

const program = await findRipgrep(process.env, '/nowhere')
const ways = [
  ['ripgrep', createGrepTool(searchWithRipgrep(program ?? 'rg'))],
  ['the search that is always there', createGrepTool(searchFiles)],
] as const

async function linesOf(tool: typeof grepTool, root: string, input: unknown): Promise<readonly string[]> {
  const { content } = await tool.run(input, lookingContext(root))
  return content.type === 'text' ? content.text.split('\n') : []
}

it.runIf(process.platform === 'linux')('a .gitignore that leads to where there is no end does not take the memory', async () => {
  const root = await temporaryWorkspace({ 'src/a.ts': 'needle\n' })
  symlinkSync('/dev/zero', join(root, 'src/.gitignore'))
  expect(await linesOf(grepTool, root, { pattern: 'needle' })).toEqual(['1 match in 1 file', 'src/a.ts:1:needle'])
})

it.runIf(process.platform !== 'win32')('a .gitignore that is a pipe is not waited for, wherever it is', async () => {
  const places = [
    ['src/.gitignore', '.'],
    ['.gitignore', '.'],
    ['.gitignore', 'src'],
    ['.gitignore', 'src/a.ts'],
    ['../.gitignore', '.'],
    ['linked', '.'],
  ] as const
  const found = places.map(async ([pipe, path]) => {
    const above = await temporaryWorkspace({ 'root/src/a.ts': 'needle\n', 'root/b/.gitignore': 'c.ts', 'root/b/c.ts': 'needle' })
    const root = join(above, 'root')
    execFileSync('mkfifo', [join(root, pipe)])
    if (pipe === 'linked') symlinkSync('../linked', join(root, 'src/.gitignore'))
    return linesOf(grepTool, root, { pattern: 'needle', path })
  })
  expect(await Promise.all(found)).toEqual(places.map(() => ['1 match in 1 file', 'src/a.ts:1:needle']))
})

it('ripgrep is there', () => {
  expect(program).not.toBeNull()
})

describe.each(ways)('%s', (_way, tool) => {
  const search = (root: string, input: unknown) => linesOf(tool, root, input)

  it.each([
    [
      'R004-11 matches with file and line, in the order of paths, without what git ignores and what is binary',
      { pattern: 'needle' },
      [
        '6 matches in 5 files',
        '.env:1:needle hidden',
        'a.ts:2:const needle = 1',
        'a.ts:7:needle again',
        'b.md:2:needle (x)',
        'src/d.ts:2:  needle',
        'src/wide.ts:1:ä needle',
      ],
    ],
    [
      'in one folder',
      { pattern: 'needle', path: 'src' },
      ['2 matches in 2 files', 'src/d.ts:2:  needle', 'src/wide.ts:1:ä needle'],
    ],
    ['in one file', { pattern: 'needle', path: 'b.md' }, ['1 match in 1 file', 'b.md:2:needle (x)']],
    ['in a file that is ignored, when asked for', { pattern: 'needle', path: 'a.log' }, ['1 match in 1 file', 'a.log:1:needle']],
    [
      'in a folder that is ignored, when asked for',
      { pattern: 'needle', path: 'build' },
      ['1 match in 1 file', 'build/c.ts:1:needle'],
    ],
    [
      'by pattern of paths',
      { pattern: 'needle', glob: 'src/**' },
      ['2 matches in 2 files', 'src/d.ts:2:  needle', 'src/wide.ts:1:ä needle'],
    ],
    ['by ending', { pattern: 'needle', glob: '*.{md,log}' }, ['1 match in 1 file', 'b.md:2:needle (x)']],
    [
      'without an ending',
      { pattern: 'needle', glob: '!*.ts' },
      ['2 matches in 2 files', '.env:1:needle hidden', 'b.md:2:needle (x)'],
    ],
    ['by type', { pattern: 'needle', type: 'markdown' }, ['1 match in 1 file', 'b.md:2:needle (x)']],
    [
      'by type and pattern, both',
      { pattern: 'needle', type: 'ts', glob: 'src/*' },
      ['2 matches in 2 files', 'src/d.ts:2:  needle', 'src/wide.ts:1:ä needle'],
    ],
    [
      'whatever the case',
      { pattern: 'NEEDLE', path: 'b.md', ignore_case: true },
      ['2 matches in 1 file', 'b.md:1:Needle', 'b.md:2:needle (x)'],
    ],
    ['the end of a line in CRLF', { pattern: '\\)$' }, ['1 match in 1 file', 'b.md:2:needle (x)']],
    [
      'with lines around, each once, and a line between groups',
      { pattern: 'needle', glob: 'a.ts', context: 1 },
      ['2 matches in 1 file', 'a.ts-1-one', 'a.ts:2:const needle = 1', 'a.ts-3-three', '--', 'a.ts-6-six', 'a.ts:7:needle again'],
    ],
    [
      'lines around that meet',
      { pattern: 'three|five', path: 'a.ts', context: 1 },
      ['2 matches in 1 file', 'a.ts-2-const needle = 1', 'a.ts:3:three', 'a.ts-4-four', 'a.ts:5:five', 'a.ts-6-six'],
    ],
    [
      'over several lines',
      { pattern: 'begin.*?\\}', multiline: true },
      ['3 matches in 1 file', 'src/d.ts:1:begin {', 'src/d.ts:2:  needle', 'src/d.ts:3:}'],
    ],
    ['not over several lines', { pattern: 'begin[\\s\\S]*?\\}' }, ['No matches']],
    ['the last line without an end', { pattern: 'end$' }, ['1 match in 1 file', 'src/d.ts:4:end']],
    ['files only', { pattern: 'needle', output_mode: 'files', glob: '*.ts' }, ['3 files', 'a.ts', 'src/d.ts', 'src/wide.ts']],
    [
      'some files only',
      { pattern: 'needle', output_mode: 'files', head_limit: 2 },
      ['5 files', '.env', 'a.ts', '(truncated: and 3 more files)'],
    ],
    [
      'numbers only',
      { pattern: 'needle', output_mode: 'count', glob: '*.ts' },
      ['4 matches in 3 files', 'a.ts: 2', 'src/d.ts: 1', 'src/wide.ts: 1'],
    ],
    ['nothing', { pattern: 'haystack' }, ['No matches']],
    ['what looks behind itself', { pattern: '(?<=const )needle' }, ['1 match in 1 file', 'a.ts:2:const needle = 1']],
    ['what begins with a dash', { pattern: '--needle' }, ['No matches']],
  ])('%s', async (_name, input, lines) => {
    expect(await search(await temporaryWorkspace(files), input)).toEqual(lines)
  })

  it('R003-13 Q-23 shows the first 100 matches with their context, and counts all', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'hit\nmiss\n'.repeat(120) })
    const { content } = await tool.run({ pattern: 'hit', context: 1 }, lookingContext(root))
    const text = content.type === 'text' ? content.text : ''
    expect(text.endsWith(`a.txt:199:hit\na.txt-200-miss${modelStrings.matchesShown(100, 120)}`)).toBe(true)
    expect(text.split('\n')[0]).toBe(
      '120 matches in 1 file, the first 100 shown; raise head_limit or narrow the search for the 20 more',
    )
    expect((await search(root, { pattern: 'hit', head_limit: 200 })).length).toBe(121)
  })

  it('Q-23 shows the context after the last match, not the context before the next one', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'hit\n1\n2\n3\nhit\n' })
    expect((await search(root, { pattern: 'hit', context: 1, head_limit: 1 })).slice(1, 3)).toEqual(['a.txt:1:hit', 'a.txt-2-1'])
    expect(await search(root, { pattern: 'hit', context: 1, head_limit: 1 })).toHaveLength(5)
  })

  it('far more matches than anybody reads are not all counted', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'hit\n'.repeat(15_000), 'b.txt': 'hit\n'.repeat(15_000) })
    expect((await search(root, { pattern: 'hit', output_mode: 'count' }))[0]).toBe('at least 20000 matches in 2 files')
  })

  it('a long line is shown around its match', async () => {
    const root = await temporaryWorkspace({ 'a.js': `${'ä'.repeat(5000)}needle${'y'.repeat(5000)}\n` })
    const [, line = ''] = await search(root, { pattern: 'needle' })
    expect(line).toBe(`a.js:1:…${'ä'.repeat(125)}needle${'y'.repeat(369)}…`)
  })

  it.each([
    ['(', 'cannot be used: '],
    ['[z-a]', 'cannot be used: '],
    ['', 'the pattern is empty'],
    ['a\0b', 'NUL'],
    ['x'.repeat(1001), 'at most 1000'],
  ])('the pattern %j fails and says why', async (pattern, reason) => {
    const outcome = await tool.run({ pattern }, lookingContext(await temporaryWorkspace(files)))
    expect(outcome).toMatchObject({ isError: true, content: { text: expect.stringContaining(reason) } })
  })

  it.each([
    [{ path: '..' }, 'leads out'],
    [{ path: 'b.mb' }, 'did you mean b.md?'],
    [{ glob: '../*' }, 'leads out'],
    [{ glob: '*a*a*a*a*' }, 'too many'],
  ])('%j fails and says why', async (input, reason) => {
    const outcome = await tool.run({ pattern: 'needle', ...input }, lookingContext(await temporaryWorkspace(files)))
    expect(outcome).toMatchObject({ isError: true, content: { text: expect.stringContaining(reason) } })
  })

  it('skips a file that turns out to be binary after its first match', async () => {
    const late = Buffer.concat([Buffer.from(`needle\n${'text\n'.repeat(100_000)}`), Buffer.from([0]), Buffer.from('\nneedle\n')])
    expect(await search(await temporaryWorkspace({ late, 'z.ts': 'needle' }), { pattern: 'needle' })).toEqual([
      '1 match in 1 file',
      'z.ts:1:needle',
    ])
  })

  it('links are not followed', async () => {
    const root = await temporaryWorkspace({ 'a.ts': 'needle' })
    symlinkSync(dirname(root), join(root, 'up'))
    symlinkSync('a.ts', join(root, 'same.ts'))
    expect(await search(root, { pattern: 'needle' })).toEqual(['1 match in 1 file', 'a.ts:1:needle'])
  })

  it('names that would act on a terminal are written out', async () => {
    const root = await temporaryWorkspace({ 'a\n\u001b[31m\u202eb.ts': 'needle' })
    expect(await search(root, { pattern: 'needle' })).toEqual(['1 match in 1 file', 'a\\u000a\\u001b[31m\\u202eb.ts:1:needle'])
  })

  it('the work ends when the turn does', async () => {
    const root = await temporaryWorkspace(files)
    const signal = AbortSignal.abort(new Error('cancelled'))
    await expect(tool.run({ pattern: 'needle' }, lookingContext(root, { signal }))).rejects.toThrow('cancelled')
  })
})

it('both ways find the same in any files', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'ä', '🎉', '(', '\t'), maxLength: 6 })
  const content = fc.tuple(fc.array(line, { maxLength: 9 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  const pattern = fc.constantFrom('a', 'ab', '^a', 'b$', 'a.*b', '\\(', '[^a]b', 'a|ä', '^$', 'x', '🎉+', '(?i)A', 'a?')
  let found = 0
  await fc.assert(
    fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 4 }), pattern, fc.nat(2), async (contents, wanted, context) => {
      const texts = contents.map(([lines, end, isEnded]) => lines.join(end) + (isEnded ? end : ''))
      const root = await temporaryWorkspace(Object.fromEntries(texts.map((text, index) => [`f${index}.txt`, text])))
      const [first, second] = await Promise.all(
        ways.map(([, tool]) => linesOf(tool, root, { pattern: wanted, context, head_limit: 7 })),
      )
      expect(second).toEqual(first)
      if (first?.[0] !== 'No matches') found += 1
    }),
    { numRuns: 30 },
  )
  expect(found).toBeGreaterThan(10)
})

it('stops a pattern that would run endlessly', async () => {
  const root = await temporaryWorkspace({ 'a.txt': `${'a'.repeat(60)}!\n` })
  const tool = createGrepTool(searchFiles)
  expect(await linesOf(tool, root, { pattern: '(?=(a+)+$)x|(a+)+$' })).toEqual([
    expect.stringContaining('takes too long and was ended'),
  ])
})

it('uses ripgrep automatically if it is installed', async () => {
  expect(await linesOf(grepTool, await temporaryWorkspace(files), { pattern: 'needle', path: 'b.md' })).toEqual([
    '1 match in 1 file',
    'b.md:2:needle (x)',
  ])
})
