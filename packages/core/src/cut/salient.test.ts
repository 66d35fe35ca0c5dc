import { describe, expect, it } from 'vitest'
import { isDetail, ranks, salienceOf } from './salient.ts'

const rankOf = (line: string) => {
  const salience = salienceOf(line)
  return salience === null ? 'none' : Object.entries(ranks).find(([, rank]) => rank === salience.rank)?.[0]
}

describe('salienceOf', () => {
  it.each([
    ['TypeError: x is not a function'],
    ['Uncaught ReferenceError: y is not defined'],
    ['ValueError: invalid literal for int()'],
    ['Traceback (most recent call last):'],
    ['Exception in thread "main" java.lang.IllegalStateException: closed'],
    ['Caused by: java.io.IOException: broken pipe'],
    ["src/app.ts(10,5): error TS2322: Type 'string' is not assignable"],
    ['error[E0308]: mismatched types'],
    ["thread 'main' panicked at src/main.rs:4:5:"],
    ['panic: runtime error: index out of range [5] with length 3'],
    ['--- FAIL: TestParse (0.00s)'],
    ['FAIL\tgithub.com/acme/parse\t0.012s'],
    ["main.c:12:3: error: expected ';' before 'return'"],
    ["main.o: undefined reference to `helper'"],
    ['make: *** [Makefile:3: all] Error 2'],
    ['FAILED tests/test_app.py::test_login - assert 1 == 2'],
    ['  ✖ saves the draft'],
    ['not ok 3 - parses dates'],
    ['[ERROR] Failed to execute goal'],
    ['2024-05-01 12:00:00 ERROR pool exhausted'],
    ['npm ERR! code ELIFECYCLE'],
    ['fatal: not a git repository'],
    ['Segmentation fault (core dumped)'],
    ['bash: foo: command not found'],
    ['cat: x: No such file or directory'],
    ['3 failed, 10 passed in 2.1s'],
    ['Found 2 errors in 1 file.'],
    ['✖ 12 problems (10 errors, 2 warnings)'],
    ['Tests: 1 failed, 4 passed, 5 total'],
    ['Process exited with code 1'],
    ['exit status 2'],
    ['FAILURE: Build failed with an exception.'],
    ['错误：找不到文件'],
    ["ENOENT: no such file or directory, open '/etc/app.conf'"],
    ["EACCES: permission denied, mkdir '/root/x'"],
    ['connect ECONNREFUSED 127.0.0.1:5432'],
    ['npm ERR! code EADDRINUSE'],
    ['getaddrinfo ENOTFOUND registry.example'],
    ['read ECONNRESET'],
    ['   × should work 5ms'],
    ['  ✕ adds numbers (3 ms)'],
    ['✗ should work'],
    ['✖ should work'],
    ['Request timed out after 30 s'],
    ['thrown: "Exceeded timeout of 5000 ms for a test."'],
    ['Timeout of 2000ms exceeded'],
    ['timeout exceeded'],
    ['context deadline exceeded'],
    ['TIMEOUT src/slow.test.ts'],
    ['Container was OOMKilled'],
    ['OOM while linking'],
    ['node invoked oom-killer: gfp_mask=0x100'],
    ['JavaScript heap out of memory'],
    ['Out of memory: Killed process 4711 (node)'],
    ['signal: killed'],
    ['make: *** [all] Killed'],
    ['Killed'],
  ])('returns a failure for: %s', (line) => {
    expect(rankOf(line)).toBe('failure')
  })

  it.each([
    ['    at handleError (src/errors.ts:3:1)', 'detail'],
    ['E       assert 1 == 2', 'detail'],
    ['10 passed in 0.5s', 'total'],
    ['Tests: 5 passed, 5 total', 'total'],
    ['test result: ok. 5 passed; 0 failed', 'total'],
    ['Found 0 errors', 'total'],
    ['BUILD SUCCESS', 'total'],
    ['exit code 0', 'total'],
    ['warning: unused variable', 'warning'],
    ['DeprecationWarning: use the new one', 'warning'],
    ['the server returned an error after a while', 'mention'],
    ['could not connect to the database', 'mention'],
    ['the timeout is thirty seconds', 'mention'],
    ["    code: 'ENOENT',", 'mention'],
    ["if (failure.code === 'ENOENT') return null", 'mention'],
    ['    case ENOENT:', 'mention'],
  ])('ranks %s as %s', (line, rank) => {
    expect(rankOf(line)).toBe(rank)
  })

  it.each([
    ['errors.ts'],
    ['src/errors/index.ts'],
    ['-rw-r--r-- 1 me me 120 May 1 12:00 error-handler.js'],
    ['const onError = () => reset()'],
    ['error: 0'],
    ['"errors": []'],
    ['no failures'],
    ['compiled without errors'],
    ['all is well'],
    ['timeout.ts'],
    ['src/timeout/index.ts'],
    ['  timeout: 5000,'],
    ['TIMEOUT=30'],
    ['  --timeout <ms>  how long to wait'],
    ['setTimeout(run, 10)'],
    ['no timeouts'],
    ['0 timed out'],
    ['a room with a view'],
    ['bloom filter'],
    ['1920 × 1080'],
    ['2 × 3'],
  ])('returns null for: %s', (line) => {
    expect(rankOf(line)).toBe('none')
  })

  it('rejects a long line of near misses quickly', () => {
    const pieces = ['error', 'Error ', '1 ', 'a.', 'exit ', '"', 'tests '].map((piece) => piece.repeat(600))
    expect(pieces.map((line) => typeof rankOf(line))).toEqual(pieces.map(() => 'string'))
  })
})

describe('isDetail', () => {
  it.each([
    ['    at Object.run (/app/src/run.js:10:5)'],
    ['\tat com.acme.Main.run(Main.java:12)'],
    ['  File "/app/main.py", line 3, in run'],
    ['\t/go/src/app/main.go:12 +0x1d'],
    ['  --> src/main.rs:4:5'],
    [' ❯ src/app.test.ts:12:5'],
    ["\tfrom app.rb:3:in `run'"],
    ['    Expected: 3'],
    ['    Received: 4'],
    ['  left: `1`'],
    ['    want = 2'],
    ['443 !== 1434'],
    ["'a b' != 'a c'"],
  ])('accepts: %s', (line) => {
    expect(isDetail(line)).toBe(true)
  })

  it.each([['attention please'], ['if (a !== b) {'], ['a !== b &&'], ['left the building'], ['next step'], ['']])(
    'rejects: %s',
    (line) => {
      expect(isDetail(line)).toBe(false)
    },
  )
})
