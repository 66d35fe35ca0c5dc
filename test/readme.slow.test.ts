import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type CodeBlock, codeBlocks, readPages } from './documents.ts'
import { root } from './source-files.ts'

interface Example {
  readonly name: string
  readonly code: string
  /** The output shown on the page. */
  readonly output: string
}

const examples = readPages().flatMap((page) => examplesOf(page.path, codeBlocks(page.text)))

describe('the examples in README and docs', () => {
  it('exist', () => expect(examples.length).toBeGreaterThanOrEqual(2))

  it.each(examples.map((example, index) => ({ ...example, index })))(
    'print the output shown on the page: $name',
    ({ index, output }) => {
      printed ??= runAll(examples)
      expect(printed[index]).toBe(output)
    },
  )

  it('compile', () => {
    inFolder((folder) => {
      for (const [index, { code }] of examples.entries()) writeFileSync(`${folder}/example-${index}.ts`, code)
      writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(compilerSettings))
      expect(node([`${root}/node_modules/typescript/bin/tsc`, '-p', folder])).toEqual({ status: 0, output: '' })
    })
  })
})

describe('the check itself', () => {
  it('finds the blocks marked to run, each with the output that follows', () => {
    const page = '```ts run\nconsole.log(1)\n```\n\nprints\n\n```text\n1\n```\n```ts\nnever()\n```\n```ts run\nquiet()\n```\n'
    expect(examplesOf('page', codeBlocks(page))).toEqual([
      { name: 'page, example 1', code: 'console.log(1)\n', output: '1\n' },
      { name: 'page, example 2', code: 'quiet()\n', output: '' },
    ])
  })
})

function examplesOf(page: string, blocks: readonly CodeBlock[]): readonly Example[] {
  return blocks
    .map((block, index) => ({ block, next: blocks[index + 1] }))
    .filter(({ block }) => block.info === 'ts run')
    .map(({ block, next }, index) => ({
      name: `${page}, example ${index + 1}`,
      code: block.text,
      output: next?.info === 'text' ? next.text : '',
    }))
}

const compilerSettings = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    lib: ['es2024'],
    types: ['node'],
    composite: false,
    declaration: false,
    noEmit: true,
    incremental: false,
    allowImportingTsExtensions: true,
    paths: {
      '@plimsoll/core': [`${root}/packages/core/src/index.ts`],
      '@plimsoll/core/*': [`${root}/packages/core/src/*.ts`],
    },
  },
  include: ['*.ts'],
}

let printed: readonly string[] | undefined

/** The output or error of each example. All run in one process, because loading the library takes most of the time. */
function runAll(all: readonly Example[]): readonly string[] {
  const between = '----- the next example -----\n'
  return inFolder((folder) => {
    const names = all.map((_, index) => `./example-${index}.ts`)
    for (const [index, { code }] of all.entries()) writeFileSync(`${folder}/example-${index}.ts`, onSource(code))
    const loop = `for (const name of ${JSON.stringify(names)}) {
      await import(name).catch((error) => console.log(error))
      process.stdout.write(${JSON.stringify(between)})
    }`
    writeFileSync(`${folder}/run-all.ts`, loop)
    return node([`${folder}/run-all.ts`]).output.split(between)
  })
}

function onSource(code: string): string {
  return code
    .replaceAll("'@plimsoll/core'", `'${root}/packages/core/src/index.ts'`)
    .replaceAll(/'@plimsoll\/core\/(\w+)'/g, `'${root}/packages/core/src/$1.ts'`)
}

function node(parameters: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, parameters, { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

/** Runs in a temporary folder inside the repository, so that packages and settings are found. */
function inFolder<Answer>(work: (folder: string) => Answer): Answer {
  const folder = mkdtempSync(`${root}/test/.examples-`)
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
