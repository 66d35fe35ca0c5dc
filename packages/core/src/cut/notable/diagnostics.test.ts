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
