import { describe, expect, it } from 'vitest'
import { cap, numbered } from '../testing/limits.ts'
import { handleOf } from '../text/hash.ts'
import { countLines } from '../text/lines.ts'
import { truncate } from './truncate.ts'

const keptFrom = (cut: string) => [...cut.slice(0, cut.lastIndexOf('\n[shown ')).matchAll(/^\d+: .*$/gm)].map(([line]) => line)

describe('truncate, if salient lines are removed', () => {
  const log = numbered(1000)
  log[399] = 'TypeError: Cannot read properties of undefined'
  log[400] = '    at run (src/run.ts:10:5)'
  log[401] = '    at main (src/main.ts:3:1)'
  log[599] = 'warning: deprecated option'
  log[699] = 'warning: deprecated option'
  const text = log.join('\n')

  it('Q-7 R003-24 shows them after the marker with their numbers, and a notice with the shown lines and the handle', () => {
    const { text: cut, salientLines } = truncate(text, cap(1000))
    expect(cut).toBe(
      [
        `${text.slice(0, 320)}\n\n... [截断了 8367 字符 / 923 行] ...\n`,
        '400: TypeError: Cannot read properties of undefined',
        '401:     at run (src/run.ts:10:5)',
        '402:     at main (src/main.ts:3:1)',
        '600: warning: deprecated option (x2)',
        `[shown 1-41, 966-1000; recall ${handleOf(text)}]`,
        text.slice(-320),
      ].join('\n'),
    )
    expect(salientLines).toBe(4)
  })

  it.each<[kind: string, line: string, numbers: string]>([
    ['warnings: the first, with how many are like it, and the last', 'warning: unused', '1 (x3) 4'],
    ['failures: all', 'error: unused', '1 2 3 4'],
  ])('shows of %s if they differ in numbers only', (_, line, numbers) => {
    const noisy = numbered(1000)
    for (const index of [1, 2, 3, 4]) noisy[index * 200] = `${line} ${index}`
    const kept = keptFrom(truncate(noisy.join('\n'), cap(1000)).text)
    expect(kept.map((one) => one.slice(one.indexOf(line) + line.length + 1)).join(' ')).toBe(numbers)
  })

  it('Q-7 shortens both ends to show them under a line limit', () => {
    const { text: cut } = truncate(text, cap(8000, 32))
    expect(cut).toBe(
      [
        ...log.slice(0, 13),
        '... [截断 974 行] ...',
        '400: TypeError: Cannot read properties of undefined',
        '401:     at run (src/run.ts:10:5)',
        '402:     at main (src/main.ts:3:1)',
        '600: warning: deprecated option (x2)',
        `[shown 1-13, 988-1000; recall ${handleOf(text)}]`,
        ...log.slice(-13),
      ].join('\n'),
    )
    expect(countLines(cut)).toBe(32)
  })

  it('Q-7 uses at most a fifth of the lines for them under a line limit', () => {
    const failing = Array.from({ length: 100 }, (_, index) => `Error: ${String.fromCodePoint(0x4e00 + index)} broke`)
    const cut = truncate(failing.join('\n'), cap(8000, 32)).text
    expect(cut.split('\n')).toEqual([
      ...failing.slice(0, 12),
      '... [截断 76 行] ...',
      ...failing.slice(12, 18).map((line, index) => `${index + 13}: ${line}`),
      `[shown 1-12, 89-100; recall ${handleOf(failing.join('\n'))}]`,
      ...failing.slice(-12),
    ])
  })

  it('prefers failures to warnings if there is not room for both, in the order of the text', () => {
    const crowded = numbered(400)
    for (let index = 50; index < 350; index += 10) crowded[index] = `warning: ${'w'.repeat(index)}`
    crowded[300] = 'AssertionError: expected 1 to be 2'
    crowded[320] = 'fatal: not a git repository'
    const kept = [...truncate(crowded.join('\n'), cap(400)).text.matchAll(/^\d+: .*$/gm)].map(([line]) => line)
    expect(kept.slice(-2)).toEqual(['301: AssertionError: expected 1 to be 2', '321: fatal: not a git repository'])
  })

  it('shows a long line around its trigger', () => {
    const long = [...numbered(200), `${'a'.repeat(3000)} error: the disk is full ${'b'.repeat(3000)}`, ...numbered(200)].join(
      '\n',
    )
    const kept = /^201: .*$/m.exec(truncate(long, cap(3000)).text)?.[0] ?? ''
    expect(kept).toMatch(/^201: …a+ error: the disk is full b+…$/)
    expect(kept.length).toBeLessThan(220)
  })

  it('omits characters that a terminal would not show', () => {
    const noisy = [...numbered(200), '10%\r50%\r\u001b[2K\u001b[31mError\u001b[0m: bui\blt badly\r', ...numbered(200)].join('\n')
    expect(truncate(noisy, cap(1000)).text).toContain('\n201: Error: bult badly\n')
  })

  it('finds a failure in one very long line', () => {
    const endless = `${'x '.repeat(40_000)}Error: deep inside ${'y '.repeat(40_000)}`
    expect(truncate(endless, cap(1000)).text).toMatch(
      /\n1: …[x ]+Error: deep inside [y ]+…\n\[shown 1-1, 1-1; recall [0-9a-f]{12}\]\n/,
    )
  })

  it('treats lines inside a JSON string as lines', () => {
    const stdout = [
      ...numbered(300),
      '\u001b[31mFAIL\u001b[39m src/"a".test.ts',
      ...numbered(300),
      '\tTypeError: late',
      ...numbered(300),
    ].join('\n')
    const { text: cut } = truncate(JSON.stringify({ stdout, stderr: '', exitCode: 0 }), cap(1000))
    expect(cut).toContain('\n\n1: FAIL src/"a".test.ts\n1: \tTypeError: late\n[shown 1-1, 1-1; recall ')
  })

  it('keeps failures that differ only in numbers while there is room', () => {
    const failing = numbered(3000)
    failing[1000] = 'FAILED test_case_17 - expected 3 got 4'
    failing[1200] = 'FAILED test_case_18 - expected 3 got 4'
    failing[1800] = 'FAILED test_case_99 - expected 3 got 4'
    failing[1801] = 'AssertionError: expected 200 to be 500'
    failing[1802] = 'AssertionError: expected 404 to be 200'
    failing[1900] = "src/app.ts(10,5): error TS2322: Type 'string' is not assignable"
    failing[1910] = "src/app.ts(42,7): error TS2322: Type 'string' is not assignable"
    failing[1920] = "src/app.ts(42,7): error TS2322: Type 'string' is not assignable"
    expect(keptFrom(truncate(failing.join('\n'), cap(8000)).text)).toEqual([
      `1001: ${failing[1000]}`,
      `1201: ${failing[1200]}`,
      `1801: ${failing[1800]}`,
      `1802: ${failing[1801]}`,
      `1803: ${failing[1802]}`,
      `1901: ${failing[1900]}`,
      `1911: ${failing[1910]} (x2)`,
    ])
  })

  it('shows the first and last line of a kind first, and counts the rest, if there is little room', () => {
    const failing = Array.from({ length: 3000 }, (_, index) =>
      index % 100 === 50 ? `FAILED case_${index}` : 'quiet row of output',
    )
    const kept = keptFrom(truncate(failing.join('\n'), cap(1000)).text)
    const removed = 30
    expect(kept.slice(0, 2)).toEqual([`51: FAILED case_50 (x${removed - kept.length + 1})`, '151: FAILED case_150'])
    expect(kept.at(-1)).toBe('2951: FAILED case_2950')
    expect(kept.length).toBeGreaterThan(2)
    expect(kept.length).toBeLessThan(removed)
  })

  it('leaves half of the room to frames, totals and warnings if many failures are of one kind', () => {
    const failing = Array.from({ length: 3000 }, (_, index) =>
      index % 100 === 50 ? `FAILED case_${index}` : 'quiet row of output',
    )
    failing[51] = '    at run (src/run.ts:10:5)'
    failing[1000] = 'Tests: 5 passed, 5 total'
    failing[2000] = 'warning: unused variable'
    const kept = keptFrom(truncate(failing.join('\n'), cap(1000)).text)
    expect(kept).toEqual(expect.arrayContaining([52, 1001, 2001].map((line) => `${line}: ${failing[line - 1]}`)))
    expect(kept.filter((line) => line.includes('FAILED')).length).toBeGreaterThan(3)
  })

  it('leaves room for different failures among frames, totals and warnings', () => {
    const noisy = Array.from({ length: 3000 }, (_, index) => `warning: ${String.fromCodePoint(0x4e00 + index)} is not used`)
    for (const index of [1000, 1100, 1200]) noisy[index] = `FAILED case_${index}`
    const kept = keptFrom(truncate(noisy.join('\n'), cap(1000)).text)
    expect(kept).toEqual(expect.arrayContaining([1001, 1101, 1201].map((line) => `${line}: ${noisy[line - 1]}`)))
    expect(kept.length).toBeGreaterThan(5)
  })

  it('shows one diagnostic of a code that has many, and every file', () => {
    const run = numbered(3000)
    for (let index = 1300; index < 1340; index += 1)
      run[index] = `src/part-${index % 7}.ts(${index},1): error TS2322: Type '${index}' is not assignable`
    run[1340] = "src/rare.ts(3,1): error TS1005: ';' expected"
    const kept = keptFrom(truncate(run.join('\n'), cap(8000)).text)
    expect(kept).toEqual([
      `1301: ${run[1300]} (x40)`,
      '1302: also in src/part-6.ts src/part-0.ts src/part-1.ts src/part-2.ts src/part-3.ts src/part-4.ts',
      `1341: ${run[1340]}`,
    ])
  })

  it('shows one message of a rule whose name stands above it', () => {
    const run = numbered(3000)
    for (let index = 1300; index < 1340; index += 4) {
      run[index] = `src/part.ts:${index}:7 lint/style/useConst ━━━━━━━━`
      run[index + 2] = `  × Let ${String.fromCodePoint(97 + (index % 26))} is never changed.`
    }
    const kept = keptFrom(truncate(run.join('\n'), cap(8000)).text)
    expect(kept).toEqual([`1301: ${run[1300]} (x10)`, `1303: ${run[1302]} (x10)`])
  })

  it.each<[language: string, above: string, library: readonly string[], own: string]>([
    [
      'Python',
      'Traceback (most recent call last):',
      ['  File "/usr/lib/python3.12/site-packages/NAME/b.py", line 7, in run', '    return NAME.call(x)'],
      '  File "/app/shop/ledger.py", line 41, in post',
    ],
    [
      'Go',
      'panic: runtime error: nil pointer',
      ['net/http.(*NAME).serve(0xc0001)', '\t/usr/local/go/src/net/http/NAME.go:9 +0x1d'],
      '\t/home/ci/shop/book.go:88 +0x1d',
    ],
    [
      'Rust',
      "thread 'main' panicked at src/ledger.rs:88:14:",
      ['   3: core::NAME::unwrap_failed', '             at /rustc/5980/library/core/src/NAME.rs:9:9'],
      '  12: shop::ledger::post',
    ],
    [
      'PHP',
      'PHP Fatal error:  Uncaught TypeError: total() must be int',
      ['#1 /app/vendor/NAME/a.php(9): NAME()'],
      '#25 /app/src/Checkout.php(88): Cart->total()',
    ],
  ])('keeps the own frame of a trace in %s below many of libraries', (_language, above, library, own) => {
    const log = Array.from({ length: 200 }, (_, index) => `10:00:01 task ${index} done`)
    // All of them differ, so that none is odd.
    const names = Array.from({ length: 22 }, (_, index) => 'abcdefghijklmnopqrstuvwxyz'.slice(index, index + 4))
    const trace = [above, ...names.flatMap((name) => library.map((line) => line.replace('NAME', name))), own]
    const { text } = truncate([...log, ...trace, ...log].join('\n'), cap(2000))
    expect(text).toContain(own.trim())
  })

  it('shows frames in own files rather than those in libraries, however deep', () => {
    const run = numbered(3000)
    run[1300] = 'TypeError: total is not a function'
    for (let index = 1301; index < 1330; index += 1)
      run[index] = `    at step${index} (/srv/app/node_modules/express/router.js:${index}:5)`
    run[1330] = '    at checkout (/srv/app/src/cart.ts:12:9)'
    expect(keptFrom(truncate(run.join('\n'), cap(8000)).text)).toEqual([`1301: ${run[1300]}`, `1331: ${run[1330]}`])
    run[1330] = '    at last (/srv/app/node_modules/express/index.js:1:1)'
    expect(keptFrom(truncate(run.join('\n'), cap(8000)).text)).toContain(`1331: ${run[1330]}`)
  })

  it('does not repeat what looks like a handle or a reminder', () => {
    const run = numbered(3000)
    run[1500] = 'error: recall 0123456789ab <system-reminder>'
    expect(keptFrom(truncate(run.join('\n'), cap(8000)).text)).toEqual(['1501: error: recall \\0123456789ab <\\system-reminder>'])
  })

  it('counts removed lines, not all equal lines', () => {
    const repeated = numbered(3000)
    for (const index of [3, 1499, 2997, 2998]) repeated[index] = 'error: same'
    expect(keptFrom(truncate(repeated.join('\n'), cap(8000)).text)).toEqual(['1500: error: same'])
    repeated[1600] = 'error: same'
    expect(keptFrom(truncate(repeated.join('\n'), cap(8000)).text)).toEqual(['1500: error: same (x2)'])
  })

  it.each([
    ['both ends within a line', cap(1000), 320, '1-41, 966-1000'],
    ['the head at the end of a line', cap(995), 318, '1-41, 966-1000'],
    ['the head after a line', cap(998), 319, '1-41, 966-1000'],
    ['the head a character short of a line, the tail at the beginning of one', cap(988), 315, '1-40, 966-1000'],
    ['the tail right before a line', cap(990), 316, '1-40, 966-1000'],
  ])('counts only complete lines in the notice, with %s', (_, limit, size, shown) => {
    const { text: cut } = truncate(text, limit)
    expect(cut.startsWith(`${text.slice(0, size)}\n\n...`)).toBe(true)
    expect(cut.endsWith(`]\n${text.slice(-size)}`)).toBe(true)
    expect(cut).toContain(`\n[shown ${shown}; recall `)
  })

  it('names the first and last line in the notice if no complete line is shown', () => {
    const wide = ['a'.repeat(2000), 'error: x', 'b'.repeat(2000)].join('\n')
    const { text: cut } = truncate(wide, cap(1000))
    expect(cut).toContain('\n2: error: x\n[shown 1-1, 3-3; recall ')
  })

  it.each([
    ['at its end', `${'w'.repeat(3000)} error: missing file /etc/app.conf`, / error: missing file \/etc\/app\.conf$/],
    ['at its beginning', `error: missing file ${'w'.repeat(3000)}`, /: error: missing file w+…$/],
    [
      'at the boundary of two pieces',
      `${'w'.repeat(4090)} error: missing file ${'z'.repeat(5000)}`,
      /…w+ error: missing file z+…$/,
    ],
    [
      'at the start of the next piece',
      `${'w'.repeat(4096)} error: missing file ${'z'.repeat(5000)}`,
      /…w+ error: missing file z+…$/,
    ],
  ])('shows a long line with the full trigger and as much as fits, with the hit %s', (_, line, expected) => {
    const [kept = ''] = keptFrom(truncate([...numbered(400), line, ...numbered(400)].join('\n'), cap(8000)).text)
    expect(kept).toMatch(expected)
    expect(kept).toHaveLength('401: '.length + 200)
  })

  it('does not prefer a file named after a timeout to a failure', () => {
    const listing = Array.from({ length: 400 }, (_, index) => `src/part-${index}/timeout.ts`)
    listing[200] = 'ENOENT: no such file, open x'
    expect(keptFrom(truncate(listing.join('\n'), cap(1000)).text)).toEqual([`201: ${listing[200]}`])
  })

  it('R003-23 removes over half of a realistic test log and keeps every failure', () => {
    const run = Array.from(
      { length: 600 },
      (_, index) => ` ✓ packages/app/src/module-${index}/feature.test.ts (${(index % 9) + 1} tests) ${index % 40} ms`,
    )
    run[200] = 'FAIL packages/app/src/module-200/feature.test.ts > saves the draft'
    run[201] = "AssertionError: expected 'draft' to be 'saved'"
    run[410] = 'FAIL packages/app/src/module-410/feature.test.ts > logs out'
    run[411] = 'Error: connect ECONNREFUSED 127.0.0.1:5432'
    const original = [...run, ' Tests  2 failed | 598 passed'].join('\n')
    const { text: cut, charsBefore, charsAfter } = truncate(original, cap(8000, 500))
    for (const line of [200, 201, 410, 411].map((index) => `${index + 1}: ${run[index]}\n`)) expect(cut).toContain(line)
    expect(cut).toContain('2 failed | 598 passed')
    expect(1 - charsAfter / charsBefore).toBeGreaterThan(0.5)
  })
})
