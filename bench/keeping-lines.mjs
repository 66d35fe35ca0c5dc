// Output of commands with the lines that matter. What must be kept is written down while the output is made.

const nouns = [
  'cart',
  'price',
  'order',
  'invoice',
  'stock',
  'refund',
  'coupon',
  'address',
  'basket',
  'tax',
  'parcel',
  'session',
  'ledger',
  'quota',
]
const verbs = ['rounds', 'adds', 'refuses', 'keeps', 'sorts', 'removes', 'counts', 'merges', 'splits', 'retries']
const packages = [
  'lib',
  'core',
  'util',
  'http',
  'parse',
  'stream',
  'glob',
  'yaml',
  'crypto',
  'zip',
  'color',
  'queue',
  'lock',
  'xml',
]

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index))

/** All families of lines: installations, diagnostics, tests, logs, searches and colour. */
export function lineFamilies(random, split) {
  const held = split === 'heldOut'
  return [
    { name: 'package installation', cases: installations(random, held) },
    { name: 'compiler', cases: compilers(random, held) },
    { name: 'linter', cases: linters(random, held) },
    { name: 'test runs', cases: testRuns(random, held) },
    { name: 'logs with levels', cases: logs(random, held) },
    { name: 'stack traces', cases: traces(random, held) },
    { name: 'searches', cases: searches(random) },
    { name: 'coloured tests', cases: coloured(random) },
  ]
}

function packageName(random) {
  return `${random.pick(packages)}-${random.pick(nouns)}${random.below(90)}`
}

function version(random) {
  return `${random.below(9)}.${random.below(30)}.${random.below(30)}`
}

const installers = {
  development: [
    [
      'npm install --loglevel http',
      (random) =>
        `npm http fetch GET 200 https://registry.npmjs.org/${packageName(random)} ${random.between(12, 900)}ms (cache miss)`,
    ],
    [
      'apt-get install -y build-essential',
      (random, index) =>
        [
          `Get:${index + 1} http://deb.debian.org/debian bookworm/main amd64 ${packageName(random)} amd64 ${version(random)} [${random.between(10, 900)} kB]`,
          `Unpacking ${packageName(random)} (${version(random)}-${random.below(9)}) ...`,
          `Setting up ${packageName(random)} (${version(random)}) ...`,
        ][index % 3],
    ],
  ],
  heldOut: [
    [
      'pip install -r requirements.txt',
      (random, index) =>
        index % 2 === 0
          ? `Collecting ${packageName(random)}==${version(random)} (from -r requirements.txt (line ${index}))`
          : `  Downloading ${packageName(random)}-${version(random)}-py3-none-any.whl (${random.between(5, 900)} kB)`,
    ],
    ['cargo build', (random) => `   Compiling ${packageName(random)} v${version(random)}`],
  ],
}

const oddLines = {
  development: [
    (name) => `npm warn deprecated ${name}: this version leaks memory, do not use it`,
    (name) => `Skipping ${name}: not built for this platform`,
    (name) => `${name} postinstall wrote to /etc/profile.d/${name}.sh`,
    (name) => `The following packages have been kept back: ${name}`,
  ],
  heldOut: [
    (name) => `WARNING: ${name} 2.1.0 does not provide the extra 'tls13'`,
    (name) => `   Replacing ${name} with a vendored copy from third_party`,
    (name) => `checksum for ${name} differs from the one in the lock file`,
    (name) => `Reinstalling ${name} because its files were modified on disk`,
  ],
}

function installations(random, held) {
  const split = held ? 'heldOut' : 'development'
  return installers[split].flatMap(([command, line]) =>
    oddLines[split].flatMap((odd) =>
      [80, 800].map((length) => {
        const different = odd(packageName(random))
        const lines = times(length, (index) => line(random, index))
        lines.splice(random.between(5, length - 5), 0, different)
        return { command, text: `${lines.join('\n')}\n`, mustKeep: [different.trim()] }
      }),
    ),
  )
}

function sourceFile(random, ending) {
  return `src/${random.pick(nouns)}/${random.pick(verbs)}-${random.pick(nouns)}-${random.below(400)}.${ending}`
}

const compilersOf = {
  development: [
    {
      command: 'npx tsc --noEmit',
      ending: 'ts',
      codes: ['TS2322', 'TS7006', 'TS2345', 'TS18048', 'TS2551'],
      line: (random, file, code) =>
        `${file}(${random.between(1, 400)},${random.between(1, 80)}): error ${code}: ${sentence(random)}`,
    },
    {
      command: 'make',
      ending: 'c',
      codes: ['-Wunused-variable', '-Wsign-compare', '-Wimplicit-fallthrough', '-Wshadow'],
      line: (random, file, code) =>
        `${file}:${random.between(1, 400)}:${random.between(1, 80)}: warning: ${sentence(random)} [${code}]`,
    },
  ],
  heldOut: [
    {
      command: 'npx tsc -b',
      ending: 'tsx',
      codes: ['TS2304', 'TS2769', 'TS2532', 'TS6133', 'TS2739', 'TS1005'],
      line: (random, file, code) =>
        `${file}(${random.between(1, 400)},${random.between(1, 80)}): error ${code}: ${sentence(random)}`,
    },
    {
      command: 'mypy .',
      ending: 'py',
      codes: ['arg-type', 'union-attr', 'no-untyped-def', 'return-value'],
      line: (random, file, code) => `${file}:${random.between(1, 400)}: error: ${sentence(random)}  [${code}]`,
    },
  ],
}

function sentence(random) {
  return `Type '${random.pick(nouns)}${random.below(90)}' of '${random.pick(nouns)}' is not assignable to '${random.pick(verbs)}' in argument ${random.below(9)}.`
}

function compilers(random, held) {
  return compilersOf[held ? 'heldOut' : 'development'].flatMap(({ command, ending, codes, line }) =>
    [30, 64].map((files) => {
      const named = new Set(times(files, () => sourceFile(random, ending)))
      const used = new Set()
      const lines = [...named].flatMap((file, index) =>
        times(random.between(1, 9), (nth) => {
          // Rare codes are seen once or twice.
          const code = random.chance(0.03) || nth + index === 12 ? random.pick(codes) : codes[0]
          used.add(code)
          return line(random, file, code)
        }),
      )
      const total = `Found ${lines.length} errors in ${named.size} files`
      return { command, text: `${[...lines, '', total].join('\n')}\n`, mustKeep: [...named, ...used, total] }
    }),
  )
}

const lintersOf = {
  development: [
    {
      command: 'npx eslint .',
      rules: ['no-unused-vars', 'eqeqeq', 'prefer-const', 'no-shadow', '@typescript-eslint/no-explicit-any'],
      block: eslintBlock,
    },
  ],
  heldOut: [
    {
      command: 'npx biome check',
      rules: [
        'lint/style/useConst',
        'lint/suspicious/noExplicitAny',
        'lint/correctness/noUnusedImports',
        'lint/complexity/useOptionalChain',
      ],
      block: biomeBlock,
    },
    {
      command: 'ruff check',
      rules: ['F401', 'E501', 'B006', 'UP035', 'SIM102'],
      block: (random, file, rules) =>
        rules.map((rule) => `${file}:${random.between(1, 300)}:${random.between(1, 80)}: ${rule} ${sentence(random)}`),
    },
  ],
}

function eslintBlock(random, file, rules) {
  return [
    `/home/dev/shop/${file}`,
    ...rules.map(
      (rule) =>
        `  ${String(random.between(1, 400)).padStart(3)}:${random.between(1, 60)}  ${random.pick(['error  ', 'warning'])}  ${sentence(random)}  ${rule}`,
    ),
    '',
  ]
}

function biomeBlock(random, file, rules) {
  return rules.flatMap((rule) => {
    const at = random.between(3, 300)
    return [
      `${file}:${at}:${random.between(1, 40)} ${rule} ━━━━━━━━━━━━━━━━━━━━━━━━`,
      '',
      `  × ${sentence(random)}`,
      '  ',
      ...[-2, -1, 0, 1].map(
        (offset) =>
          `  ${offset === 0 ? '>' : ' '} ${at + offset} │ const ${random.pick(nouns)}${random.below(90)} = ${random.pick(verbs)}(${random.pick(nouns)})`,
      ),
      `        │       ^^^^^^^`,
      '',
    ]
  })
}

function linters(random, held) {
  return lintersOf[held ? 'heldOut' : 'development'].flatMap(({ command, rules, block }) =>
    [14, 30].map((count) => {
      const files = [...new Set(times(count, () => sourceFile(random, command.startsWith('ruff') ? 'py' : 'ts')))]
      const used = new Set()
      const lines = files.flatMap((file, index) => {
        const found = times(random.between(1, 5), (nth) => (index % 7 === 3 && nth === 0 ? random.pick(rules) : rules[0]))
        for (const rule of found) used.add(rule)
        return block(random, file, found)
      })
      return { command, text: `${lines.join('\n')}\nChecked ${count * 9} files.\n`, mustKeep: [...files, ...used] }
    }),
  )
}

function testRuns(random, held) {
  const runners = held ? [goTests, cargoTests, vitestRun] : [pytestRun, vitestRun, cargoTests]
  return runners.flatMap((run) => [run(random, 3), run(random, 9)])
}

function testName(random) {
  return `${random.pick(nouns)} ${random.pick(verbs)} the ${random.pick(nouns)} ${random.below(900)}`
}

function pytestRun(random, failures) {
  const names = times(failures, () => `tests/test_${random.pick(nouns)}.py::test_${testName(random).replaceAll(' ', '_')}`)
  const passing = times(
    240,
    (index) =>
      `tests/test_${random.pick(nouns)}.py::test_${testName(random).replaceAll(' ', '_')} PASSED [${String(Math.floor(index / 2.4)).padStart(3)}%]`,
  )
  for (const name of names) passing.splice(random.below(passing.length), 0, `${name} FAILED [ 50%]`)
  const reasons = names.map(() => `AssertionError: assert ${random.below(900)} == ${random.between(1000, 1999)}`)
  const blocks = names.flatMap((name, index) => [
    `____________________ ${name.split('::')[1]} ____________________`,
    '',
    ...times(6, () => `    ${random.pick(nouns)} = ${random.pick(verbs)}(${random.pick(nouns)}, ${random.below(90)})`),
    `>       assert ${random.pick(nouns)}.total == ${random.below(900)}`,
    `E       ${reasons[index]}`,
    '',
    `${name.split('::')[0]}:${random.between(5, 90)}: AssertionError`,
  ])
  const summary = `=================== ${failures} failed, 240 passed in 12.4${random.below(9)}s ===================`
  return {
    command: 'pytest -v',
    text: [
      '============================= test session starts ==============================',
      ...passing,
      '',
      '=================================== FAILURES ===================================',
      ...blocks,
      '=========================== short test summary info ============================',
      ...names.map((name, index) => `FAILED ${name} - ${reasons[index]}`),
      summary,
      '',
    ].join('\n'),
    mustKeep: [...names, ...reasons, summary.replaceAll('=', '').trim()],
  }
}

function vitestRun(random, failures) {
  const names = times(failures, () => testName(random))
  const files = names.map(() => `test/${random.pick(nouns)}-${random.below(90)}.test.ts`)
  const passing = () =>
    ` ✓ test/${random.pick(nouns)}-${random.below(90)}.test.ts > ${testName(random)} ${random.between(1, 40)}ms`
  const blocks = names.flatMap((name, index) => [
    ` FAIL  ${files[index]} > ${name}`,
    `AssertionError: expected ${random.below(900)} to be ${random.between(1000, 1999)}`,
    ` ❯ ${files[index]}:${random.between(10, 90)}:${random.between(3, 20)}`,
    ...times(5, (line) => `      ${line + 20}|   const ${random.pick(nouns)} = ${random.pick(verbs)}(${random.pick(nouns)})`),
    '',
  ])
  const total = `Tests  ${failures} failed | 300 passed (${300 + failures})`
  return {
    command: 'npx vitest run',
    text: [...times(150, passing), ...blocks, ...times(150, passing), '', ` ${total}`, ''].join('\n'),
    mustKeep: [
      ...names.map((name, index) => `${files[index]} > ${name}`),
      ...blocks.filter((line) => line.startsWith('AssertionError')),
      total,
    ],
  }
}

function cargoTests(random, failures) {
  const names = times(failures, () => `${random.pick(nouns)}::tests::${testName(random).replaceAll(' ', '_')}`)
  const passing = times(260, () => `test ${random.pick(nouns)}::tests::${testName(random).replaceAll(' ', '_')} ... ok`)
  for (const name of names) passing.splice(random.below(passing.length), 0, `test ${name} ... FAILED`)
  const panics = names.map((name) => `thread '${name}' panicked at src/${random.pick(nouns)}.rs:${random.between(9, 400)}:9:`)
  const blocks = names.flatMap((name, index) => [
    `---- ${name} stdout ----`,
    panics[index],
    'assertion `left == right` failed',
    `  left: ${random.below(900)}`,
    ` right: ${random.between(1000, 1999)}`,
    '',
  ])
  const total = `test result: FAILED. 260 passed; ${failures} failed; 0 ignored; 0 measured; 0 filtered out`
  return {
    command: 'cargo test',
    text: [
      '',
      `running ${260 + failures} tests`,
      ...passing,
      '',
      'failures:',
      '',
      ...blocks,
      'failures:',
      ...names.map((name) => `    ${name}`),
      '',
      total,
      '',
    ].join('\n'),
    mustKeep: [...names, ...panics, total],
  }
}

function goTests(random, failures) {
  const title = () =>
    `Test${testName(random)
      .split(' ')
      .map((word) => word[0].toUpperCase() + word.slice(1))
      .join('')}`
  const names = times(failures, title)
  const reasons = names.map(
    () => `${random.pick(nouns)}_test.go:${random.between(9, 400)}: got ${random.below(900)}, want ${random.between(1000, 1999)}`,
  )
  const passing = times(140, () => title()).flatMap((name) => [
    `=== RUN   ${name}`,
    `--- PASS: ${name} (0.${random.below(9)}${random.below(9)}s)`,
  ])
  for (const [index, name] of names.entries())
    passing.splice(random.below(140) * 2, 0, `=== RUN   ${name}`, `    ${reasons[index]}`, `--- FAIL: ${name} (0.01s)`)
  return {
    command: 'go test -v ./...',
    text: [...passing, 'FAIL', 'FAIL\texample.com/shop\t1.204s', ''].join('\n'),
    mustKeep: [...names.map((name) => `--- FAIL: ${name}`), ...reasons],
  }
}

const events = {
  development: {
    info: (random) => `request GET /api/${random.pick(nouns)}/${random.below(9000)} 200 ${random.between(3, 90)}ms`,
    rare: [
      (random) => ['ERROR', `payment provider closed the connection, attempt ${random.below(90)}`],
      (random) => ['WARN', `pool at ${random.between(91, 99)} of 100 connections`],
      (random) => ['INFO', `configuration reloaded by operator ${random.pick(verbs)}`],
    ],
  },
  heldOut: {
    info: (random) => `job=${random.pick(nouns)} worker=${random.below(16)} state=done rows=${random.between(100, 900)}`,
    rare: [
      (random) => ['FATAL', `cannot write checkpoint ${random.below(900)}: disk quota reached`],
      (random) => ['WARN', `clock drift of ${random.between(200, 900)}ms against peer`],
      (random) => ['INFO', `leader changed from node-2 to node-${random.between(3, 9)}`],
      (random) => ['NOTICE', `schema migrated to revision ${random.below(900)}`],
    ],
  },
}

function logs(random, held) {
  const { info, rare } = events[held ? 'heldOut' : 'development']
  return [200, 800, 2000].map((length) => {
    const line = (index, level, text) =>
      `${new Date(1_760_000_000_000 + index * 731).toISOString()} ${level.padEnd(5)} [worker-${random.below(8)}] ${text}`
    const lines = times(length, (index) => line(index, random.chance(0.1) ? 'DEBUG' : 'INFO', info(random)))
    const mustKeep = []
    for (const make of rare) {
      const [level, text] = make(random)
      const at = random.between(3, length - 3)
      lines[at] = line(at, level, text)
      mustKeep.push(text)
    }
    return { command: 'docker logs api', text: `${lines.join('\n')}\n`, mustKeep }
  })
}

function traces(random, held) {
  return [1, 3].map((count) => {
    const noise = () =>
      times(
        random.between(70, 130),
        (index) => `[${index}] ${random.pick(nouns)} ${random.pick(verbs)} ${random.pick(nouns)} in ${random.below(90)}ms`,
      )
    const mustKeep = []
    const lines = times(count, () => {
      const where = held ? `/srv/app/${random.pick(nouns)}_service.py` : `/srv/app/src/${random.pick(nouns)}.ts`
      const reason = held
        ? `ValueError: ${random.pick(nouns)} ${random.below(900)} is not known`
        : `TypeError: ${random.pick(nouns)}${random.below(900)} is not a function`
      const own = held
        ? `File "${where}", line ${random.between(9, 400)}, in ${random.pick(verbs)}_${random.pick(nouns)}`
        : `at ${random.pick(verbs)} (${where}:${random.between(9, 400)}:11)`
      const library = times(9, (index) =>
        held
          ? `  File "/usr/lib/python3.11/site-packages/flask/app.py", line ${random.between(400, 2400)}, in step_${index}`
          : `    at step${index} (/srv/app/node_modules/express/lib/router.js:${random.between(9, 400)}:5)`,
      )
      mustKeep.push(reason, own)
      return held
        ? [
            'Traceback (most recent call last):',
            ...library,
            `  ${own}`,
            `    return ${random.pick(nouns)}[${random.pick(nouns)}]`,
            reason,
          ]
        : [reason, `    ${own}`, ...library]
    }).flatMap((trace) => [...noise(), ...trace])
    return { command: held ? 'python serve.py' : 'node serve.js', text: [...lines, ...noise(), ''].join('\n'), mustKeep }
  })
}

function searches(random) {
  return [40, 120, 300].map((count) => {
    const files = [...new Set(times(Math.ceil(count / 6), () => sourceFile(random, 'ts')))]
    const lines = files.flatMap((file) =>
      times(
        random.between(2, 9),
        () =>
          `${file}:${random.between(1, 900)}:  const ${random.pick(nouns)} = ${random.pick(verbs)}(${random.pick(nouns)}Store, ${random.below(900)})`,
      ),
    )
    return { command: 'rg -n Store src', text: `${lines.join('\n')}\n`, mustKeep: files }
  })
}

function coloured(random) {
  return [3, 12].map((failures) => {
    const { text, mustKeep } = vitestRun(random, failures)
    const painted = text
      .replaceAll(/^ ✓ (\S+) > (.*) (\d+ms)$/gm, ' \x1b[32m✓\x1b[39m $1\x1b[2m > \x1b[22m$2\x1b[90m $3\x1b[39m')
      .replaceAll(/^ FAIL {2}(.*)$/gm, '\x1b[41m\x1b[1m FAIL \x1b[22m\x1b[49m $1')
      .replaceAll(/^(AssertionError.*)$/gm, '\x1b[31m\x1b[1mAssertionError\x1b[22m$1\x1b[39m'.replace('$1', '$1'))
    return {
      command: 'npx vitest run --color',
      text: painted.replaceAll('\x1b[1mAssertionError\x1b[22mAssertionError', '\x1b[1mAssertionError'),
      mustKeep,
    }
  })
}
