import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diagnosticOf, fileOfDiff, isFileHeading } from './diagnostics.ts'

describe('diagnosticOf', () => {
  it.each<[line: string, file: string | null, code: string | null]>([
    ["src/a.ts(12,5): error TS2322: Type 'a' is not 'b'.", 'src/a.ts', 'TS2322'],
    ["src/a.tsx:12:5 - error TS2304: Cannot find name 'x'.", 'src/a.tsx', 'TS2304'],
    ['lib/b.c:7:1: warning: unused variable [-Wunused-variable]', 'lib/b.c', '-Wunused-variable'],
    ['app/m.py:3: error: Item "None" has no attribute "x"  [union-attr]', 'app/m.py', 'union-attr'],
    ['app/m.py:3:80: E501 Line too long (99 > 88)', 'app/m.py', 'E501'],
    ['src/a.ts:3:7 lint/style/useConst ━━━━━━━', 'src/a.ts', 'lint/style/useConst'],
    ["  12:5  error  'x' is never used  no-unused-vars", null, 'no-unused-vars'],
    ['  3:1  warning  Unexpected any  @typescript-eslint/no-explicit-any', null, '@typescript-eslint/no-explicit-any'],
    ['error[E0308]: mismatched types', null, 'E0308'],
    ['main.go:9:2: fatal error: x', 'main.go', null],
    ['   --> crates/a/src/b.rs:12:5', 'crates/a/src/b.rs', null],
    ['[ERROR] /ci/app/src/main/java/A.java:[12,5] cannot find symbol', '/ci/app/src/main/java/A.java', null],
    ['e: file:///ci/app/src/main/kotlin/a.kt:12:5 Unresolved reference: b', '/ci/app/src/main/kotlin/a.kt', null],
    ['src/a.py:3: [E711] Comparison to None', 'src/a.py', 'E711'],
    ['a.css:3:5: Unexpected unit (length-zero-no-unit) [error]', 'a.css', 'length-zero-no-unit'],
    ['::error title=F401,file=/ci/a.py,line=3::a.py:3:8: F401 unused', 'a.py', 'F401'],
    ['   ,-[lib/a.js:3:7]', 'lib/a.js', null],
    ['   ╭─[lib/a.js:3:7]', 'lib/a.js', null],
    ['In bin/a.sh line 3:', 'bin/a.sh', null],
    ['     ^---^ SC2086 (info): Double quote it', null, 'SC2086'],
    ["  × eslint(no-undef): 'a' is not defined", null, 'eslint(no-undef)'],
  ])('reads file and code of "%s"', (line, file, code) => {
    expect(diagnosticOf(line)).toEqual({ file, code, test: null })
  })

  it.each<[line: string, test: string]>([
    ['FAILED tests/test_a.py::test_sum - AssertionError: 1 == 2', 'tests/test_a.py::test_sum'],
    ['tests/test_a.py::test_sum FAILED [ 50%]', 'tests/test_a.py::test_sum'],
    ['--- FAIL: TestSum (0.00s)', 'TestSum'],
    ['test cart::tests::adds ... FAILED', 'cart::tests::adds'],
    [' FAIL  test/a.test.ts > cart > adds two', 'test/a.test.ts > cart > adds two'],
    ['   × adds two 12ms', 'adds two'],
    ['  ● cart › adds two', 'cart › adds two'],
    ['not ok 3 - adds two', 'adds two'],
    ['  12) Cart adds two', 'Cart adds two'],
    ['test_sum (test_a.Sums.test_sum) ... FAIL', 'test_sum (test_a.Sums.test_sum)'],
    ['ERROR: test_sum (test_a.Sums.test_sum)', 'test_sum (test_a.Sums.test_sum)'],
    ['_______________ test_sum[7] _______________', 'test_sum[7]'],
    ['________ ERROR at setup of test_sum ________', 'test_sum'],
  ])('reads the failing test of "%s"', (line, test) => {
    expect(diagnosticOf(line)).toEqual({ file: null, code: null, test })
  })

  it.each([
    'tests/test_a.py::test_sum PASSED [ 50%]',
    ' ✓ test/a.test.ts > cart > adds two 3ms',
    'src/a.ts:12: const total = 3',
    '12:00:07 INFO started  all-good',
    'an error in prose',
    `src/a.ts:1:1: ${'x'.repeat(5000)} error`,
  ])('is null for "%s"', (line) => {
    expect(diagnosticOf(line)).toBeNull()
  })
})

it.each([
  ['diff --git a/src/cart.ts b/src/cart.ts', 'src/cart.ts'],
  ['+++ b/src/cart.ts', null],
  ['a diff --git a/src/cart.ts b/src/cart.ts', null],
])('a diff: "%s" is of %s', (line, file) => {
  expect(fileOfDiff(line)).toBe(file)
})

describe('isFileHeading', () => {
  it.each([
    ['/home/dev/shop/src/cart.ts', true],
    ['src/cart/index.tsx', true],
    ['C:\\shop\\src\\cart.ts', true],
    ['cart.ts', false],
    ['src/cart.ts has two errors', false],
  ])('"%s": %s', (line, is) => {
    expect(isFileHeading(line)).toBe(is)
  })
})

describe('diagnosticOf, whatever the names', () => {
  const file = fc.stringMatching(/^(?:[a-z]{1,8}\/){1,3}[a-z_-]{1,12}\.(?:ts|py|rs|c|go)$/)
  const code = fc.stringMatching(/^[A-Z]{1,4}\d{3,4}$/)
  const place = fc.integer({ min: 1, max: 9999 })
  const test = fc.stringMatching(/^test_[a-z]{1,12}$/)

  it('reads back the file, the code and the test that were written', () => {
    fc.assert(
      fc.property(file, code, place, test, (path, rule, line, name) => {
        expect(diagnosticOf(`${path}:${line}:3: ${rule} some message`)).toMatchObject({ file: path, code: rule })
        expect(diagnosticOf(`${path}:${line}: error: some message`)).toMatchObject({ file: path })
        expect(diagnosticOf(`FAILED ${path}::${name} - AssertionError`)).toMatchObject({ test: `${path}::${name}` })
        expect(diagnosticOf(`not ok ${line} - ${name}`)).toMatchObject({ test: name })
      }),
      { seed: 2, numRuns: 60 },
    )
  })

  it('names nothing that is not in the line', () => {
    const piece = fc.oneof(file, code, fc.constantFrom(':12:5: ', 'error', ' - ', '(3,4): ', '●', 'FAIL  ', '--- FAIL: ', '  '), fc.string({ maxLength: 9 })) // biome-ignore format: one line
    let named = 0
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const line = pieces.join('')
        for (const name of Object.values(diagnosticOf(line) ?? {})) {
          if (name === null) continue
          named += 1
          expect(line).toContain(name)
        }
      }),
      { seed: 3, numRuns: 2000 },
    )
    expect(named).toBeGreaterThan(100)
  })
})
