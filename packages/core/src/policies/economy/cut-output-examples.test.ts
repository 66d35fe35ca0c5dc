import { expect, it } from 'vitest'
import { cutOutput } from './cut-output.ts'

const room = { headShare: 0.45, tailShare: 0.25, cutPaths: 80, handle: '0123456789ab', hasLines: true }
const times = <One>(count: number, line: (index: number) => One) => Array.from({ length: count }, (_, index) => line(index))

const tests = [
  ...times(50, (index) => `    ✓ adds ${index} to a cart (${index}ms)`),
  '    1) removes an empty line',
  '  50 passing',
  '  1 failing',
  '  1) cart removes an empty line:',
  '     AssertionError: expected 1 to equal 2',
  '      at Context.<anonymous> (test/cart.test.js:14:9)',
  ...times(50, (index) => `note ${index}: see docs/page-${index}.md`),
]
const trace = [
  'Error: connect ECONNREFUSED 127.0.0.1:5432',
  ...times(30, (index) =>
    index % 3 === 0
      ? `    at own${index} (/app/src/db-${index}.ts:${index}:7)`
      : `    at call${index} (/app/node_modules/pg/lib/client-${index}.js:${index}:13)`,
  ),
  'Node.js v24.9.0',
  ...times(60, (index) => `log ${index} of a run`),
]
const code = times(140, (index) => {
  if (index % 20 === 0) return `export function part${index}(value: number) {`
  return index % 33 === 0 ? `  throw new Error('part ${index} failed')` : `  total += value * ${index}`
})
const passing = (from: number) => times(60, (index) => `test cart::case_${from + index} ... ok`)
const failed = ['test cart::empty ... FAILED', "thread 'cart::empty' panicked at src/cart.rs:9:5:", '  left: 3', ' right: 4']
const cargo = [...passing(0), ...failed, ...passing(60), 'test result: FAILED. 119 passed; 1 failed']
const compiler = [
  ...times(
    40,
    (index) =>
      `src/part-${index % 7}/file-${index}.ts(${index + 3},5): error TS23${10 + (index % 9)}: Type '${'x'.repeat(index)}' is not assignable to type 'Y${index}'.`,
  ),
  'Found 40 errors.',
]
const words = times(120, (index) => `word ${index}`)
const failures = times(12, (index) => `Error: boom ${'abcdefghijkl'[index]}`.repeat(2))
const waiting = times(300, (index) =>
  index % 50 === 7 ? `started worker ${index}` : 'waiting for the server to answer on its port',
)
const folded = times(8, (folder) => [
  `src/shop/part-${folder}:`,
  ...times(12, (index) => `${folder === 5 && index === 7 ? 'fatal: ' : ''}line-${index}.ts:${index}`),
  '',
])
  .flat()
  .slice(0, -1)
const found = times(8, (file) => [
  `src/part-${file}.ts`,
  ...times(12, (index) => `${index}:${file === 5 && index === 7 ? 'Error: boom' : `sum += ${file * index}`}`),
  '',
])
  .flat()
  .slice(0, -1)
const pages = (from: number, to: number) => times(to - from + 1, (index) => `docs/page-${from + index}.md`).join(' ')

it.each<[name: string, lines: readonly string[], characters: number, tightBelow: number, expected: readonly string[]]>([
  [
    'of a test run the failing test, the reason, totals, and the files that are named',
    tests,
    1100,
    0,
    [
      ...tests.slice(0, 5),
      '[cut]',
      '51:     1) removes an empty line',
      '52:   50 passing',
      '53:   1 failing',
      '54:   1) cart removes an empty line:',
      '55:      AssertionError: expected 1 to equal 2',
      '57: note 0: see docs/page-0.md',
      `paths: ${pages(1, 37)} and at least 9 more`,
      '[shown 1-5, 104-106; recall 0123456789ab]',
      ...tests.slice(-3),
    ],
  ],
  [
    'of a test run in more room the test by its line, and first lines that name files',
    tests,
    1600,
    0,
    [
      ...tests.slice(0, 8),
      '[cut]',
      '51:     1) removes an empty line',
      '52:   50 passing',
      '53:   1 failing',
      '54:   1) cart removes an empty line:',
      '55:      AssertionError: expected 1 to equal 2',
      '56:       at Context.<anonymous> (test/cart.test.js:14:9)',
      ...times(5, (index) => `${57 + index}: note ${index}: see docs/page-${index}.md`),
      `paths: ${pages(5, 45)}`,
      '[shown 1-8, 103-106; recall 0123456789ab]',
      ...tests.slice(-4),
    ],
  ],
  [
    'of a stack trace the frames of the program, and of libraries what still fits',
    trace,
    1100,
    0,
    [
      ...trace.slice(0, 5),
      '[cut]',
      ...[4, 5, 6, 9, 12, 15, 18, 21, 24, 27].map((index) => `${index + 2}: ${trace[index + 1]}`),
      '32: Node.js v24.9.0',
      '[shown 1-5, 84-92; recall 0123456789ab]',
      ...trace.slice(-9),
    ],
  ],
  [
    'of a stack trace in a tight room the same without numbers, and what else fits',
    trace,
    1100,
    2000,
    [
      ...trace.slice(0, 5),
      '[cut]',
      ...[4, 5, 6, 9, 12, 15, 18, 21, 24, 27].map((index) => trace[index + 1] as string),
      'Node.js v24.9.0',
      '[shown 1-5, 84-92; recall 0123456789ab]',
      ...trace.slice(-9),
    ],
  ],
  [
    'of code in a tight room what fails, before definitions',
    code,
    400,
    2000,
    [
      ...code.slice(0, 5),
      '[cut]',
      ...[33, 66, 99, 132].map((index) => `  throw new Error('part ${index} failed')`),
      '[shown 1-5, 139-140; recall 0123456789ab]',
      ...code.slice(-2),
    ],
  ],
  [
    'of code in very little room the last failure and the last line',
    code,
    150,
    2000,
    ['[cut]', "  throw new Error('part 132 failed')", '[3,269 characters cut; recall 0123456789ab]', '  total += value * 139'],
  ],
  [
    'of a test run in very little room the failing test and the totals',
    tests,
    150,
    2000,
    ['[cut]', '    1) removes an empty line', '  50 passing', '  1 failing', '[3,143 characters cut; recall 0123456789ab]', ''],
  ],
  [
    'of a test run in little room the failing test, totals, and as many files as fit',
    tests,
    250,
    0,
    [
      '[cut]',
      '    1) removes an empty line',
      '  1 failing',
      `paths: ${pages(0, 4)} and at least 44 more`,
      '[3,115 characters cut; recall 0123456789ab]',
      'note 49: see docs/page-49.md',
    ],
  ],
  [
    'of a failing test what was compared, and the file where there is no room for the line that names it',
    cargo,
    250,
    0,
    [
      ...cargo.slice(0, 1),
      '[cut]',
      '61: test cart::empty ... FAILED',
      '63:   left: 3',
      '64:  right: 4',
      'paths: src/cart.rs',
      '[shown 1-1, 125-125; recall 0123456789ab]',
      ...cargo.slice(-1),
    ],
  ],
  [
    'of a failing test in a tight room its reason, and the total above blank lines',
    [...cargo, '', ''],
    250,
    2000,
    ['[cut]', ...failed, '[3,228 characters cut; recall 0123456789ab]', cargo.at(-1) as string, '', ''],
  ],
  [
    'of a compiler one line of each code, and the codes of which no line fits',
    compiler,
    400,
    2000,
    [
      '[cut]',
      ...compiler.slice(0, 3),
      'also: TS2313 TS2314 TS2315 TS2316 TS2317 TS2318',
      '[4,113 characters cut; recall 0123456789ab]',
      'Found 40 errors.',
    ],
  ],
  [
    'of a compiler in more room files as well',
    compiler,
    1100,
    0,
    [
      ...compiler.slice(0, 2),
      '[cut]',
      compiler[2] as string,
      'also: TS2313 TS2314 TS2315 TS2316 TS2317 TS2318 TS2310 TS2311',
      `paths: ${times(31, (index) => `src/part-${(index + 3) % 7}/file-${index + 3}.ts`).join(' ')} and at least 6 more`,
      '[3,951 characters cut; recall 0123456789ab]',
      'Found 40 errors.',
    ],
  ],
  [
    'of a compiler just not in a tight room a list that says how many more there are',
    compiler,
    400,
    330,
    [
      '[cut]',
      'also: TS2310 TS2311 TS2312 and 6 more',
      `paths: ${times(11, (index) => `src/part-${index % 7}/file-${index}.ts`).join(' ')} and at least 29 more`,
      '[4,113 characters cut; recall 0123456789ab]',
      'Found 40 errors.',
    ],
  ],
  [
    'of failing tests that no other word names each, in a tight room',
    [
      ...times(60, (index) => `word ${index}`),
      ...times(6, (index) => `  ${index}) removes the ${index}th line of an order and then some`),
      ...times(60, (index) => `word ${index}`),
    ],
    470,
    2000,
    [
      ...times(8, (index) => `word ${index}`),
      '[cut]',
      ...times(6, (index) => `  ${index}) removes the ${index}th line of an order and then some`),
      '[shown 1-8, 123-126; recall 0123456789ab]',
      ...times(4, (index) => `word ${index + 56}`),
    ],
  ],
  [
    'of findings of a linter each, in a tight room',
    [
      ...times(60, (index) => `word ${index}`),
      ...times(5, (index) => `src/a.py:3:1: E50${index} word word word word`),
      ...times(60, (index) => `word ${index}`),
    ],
    470,
    2000,
    [
      ...times(16, (index) => `word ${index}`),
      '[cut]',
      ...times(5, (index) => `src/a.py:3:1: E50${index} word word word word`),
      '[shown 1-16, 118-125; recall 0123456789ab]',
      ...times(8, (index) => `word ${index + 52}`),
    ],
  ],
  [
    'of many findings of one code the first, in a tight room, and more of the ends',
    [
      ...times(60, (index) => `word ${index}`),
      ...times(20, (index) => `src/a.py:${index + 1}:1: E501 word word word word`),
      ...times(60, (index) => `word ${index}`),
    ],
    470,
    2000,
    [
      ...times(29, (index) => `word ${index}`),
      '[cut]',
      'src/a.py:1:1: E501 word word word word',
      '[shown 1-29, 126-140; recall 0123456789ab]',
      ...times(15, (index) => `word ${index + 45}`),
    ],
  ],
  [
    'of failures as many as fit beside a last line that just fits',
    [...words.slice(0, 60), ...failures, ...words.slice(60), 'z'.repeat(65)],
    334,
    0,
    [
      ...words.slice(0, 5),
      '[cut]',
      ...times(5, (index) => `${index + 61}: ${failures[index]}`),
      '[shown 1-5, 133-133; recall 0123456789ab]',
      'z'.repeat(65),
    ],
  ],
  [
    'of a last line that does not fit its end',
    [...words, 'z'.repeat(65)],
    309,
    0,
    [...words.slice(0, 14), '[cut]', '[874 characters cut; recall 0123456789ab]', 'z'.repeat(59)],
  ],
  [
    'of a test that the head names no second line, but its file',
    ['FAILED test/a.py::adds', ...words, 'test/a.py::adds FAILED', ...words, 'end'],
    470,
    0,
    [
      'FAILED test/a.py::adds',
      ...words.slice(0, 19),
      '[cut]',
      'paths: test/a.py',
      '[shown 1-20, 233-243; recall 0123456789ab]',
      ...words.slice(-10),
      'end',
    ],
  ],
  [
    'of a failure in a long line what is around it, though the part begins in the head',
    [`${'x '.repeat(100)}Error: boom ${'y '.repeat(3000)}`],
    470,
    0,
    [
      'x '.repeat(64).trimEnd(),
      '[cut]',
      `…${'x '.repeat(24)}Error: boom ${'y '.repeat(69)}…`,
      '[6,014 characters cut; recall 0123456789ab]',
      ' y'.repeat(36).slice(0, 71),
    ],
  ],
  [
    'of files in a tight room what failed, and names of files in what is left',
    [...times(30, (index) => `see part-${index}/file-${index}.ts`), `Error: boom ${'y'.repeat(120)}`, ...words],
    300,
    2000,
    [
      '[cut]',
      `Error: boom ${'y'.repeat(120)}`,
      'paths: part-0/file-0.ts part-1/file-1.ts part-2/file-2.ts and at least 27 more',
      '[1,764 characters cut; recall 0123456789ab]',
      'word 119',
    ],
  ],
  [
    'of a list below the names of folders the folder of each line, and of the last one',
    folded,
    260,
    2000,
    [
      '[cut]',
      'src/shop/part-0:',
      ...times(8, (index) => `line-${index}.ts:${index}`),
      'src/shop/part-5:',
      'fatal: line-7.ts:7',
      'src/shop/part-7:',
      '[1,320 characters cut; recall 0123456789ab]',
      'line-11.ts:11',
    ],
  ],
  [
    'of matches below the names of files the file of a match, and of the last one',
    found,
    300,
    0,
    [
      ...found.slice(0, 3),
      '[cut]',
      '71: src/part-5.ts',
      '79: 7:Error: boom',
      '99: src/part-7.ts',
      'paths: src/part-1.ts src/part-2.ts src/part-3.ts src/part-4.ts src/part-6.ts',
      '[shown 1-3, 111-111; recall 0123456789ab]',
      '11:sum += 77',
    ],
  ],
  [
    'of repeated lines one, with their number, and no numbers of lines',
    waiting,
    250,
    0,
    [
      waiting[0] as string,
      '... 5 more lines like it ...',
      '[cut]',
      '[831 characters cut; recall 0123456789ab]',
      waiting.at(-1) as string,
    ],
  ],
])('a cut keeps %s', (_, lines, characters, tightBelow, expected) => {
  const cut = cutOutput(lines.join('\n'), { ...room, characters, tightBelow })
  expect(cut?.split('\n')).toEqual(expected)
  expect(cut?.length).toBeLessThanOrEqual(characters)
})
