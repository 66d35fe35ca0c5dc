import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { importsOf, isProductCode, readSources, root, type SourceFile, withoutComments } from './source-files.ts'

const home = 'packages/core/src/'
const sources = readSources('packages/core/src', isProductCode)

describe('core has no clock, no randomness and no I/O', () => {
  it('is checked in all its sources', () => {
    expect(sources.map((file) => file.path)).toEqual(
      expect.arrayContaining([`${home}engine/build-view.ts`, `${home}index.ts`, `${home}message.ts`]),
    )
  })

  it('uses no impure global', () => expect(sources.flatMap(impurities)).toEqual([]))

  it('imports nothing from outside its folder', () => expect(sources.flatMap(foreignImports)).toEqual([]))

  it('depends on no package', () => {
    const manifest: unknown = JSON.parse(readFileSync(`${root}/packages/core/package.json`, 'utf8'))
    expect(Object.keys(manifest as object).filter((key) => /dependencies/i.test(key))).toEqual([])
  })
})

describe('the check itself', () => {
  it.each([
    ['const now = Date.now()', 'Date.now'],
    ['const now = new Date()', 'new Date'],
    ['const id = Math.random()', 'Math.random'],
    ['const start = performance.now()', 'performance'],
    ['if (process.env.HOME) return', 'process'],
    ['globalThis.secret = 1', 'globalThis'],
    ['setTimeout(run, 10)', 'setTimeout'],
    ['return total.toLocaleString()', 'toLocaleString'],
  ])('refuses %s', (text, word) => expect(impurities(example(text))).toEqual([`${home}example.ts: ${word}`]))

  it.each([
    '// Date.now is for others',
    '/** The process. Then new Date() of it. */',
    'const performances = processes.length',
    'const updated = newDate(rows)',
  ])('allows %s', (text) => expect(impurities(example(text))).toEqual([]))

  it.each([
    ["import { readFileSync } from 'node:fs'", 'node:fs'],
    ["import 'zod'", 'zod'],
    ["export * from '@plimsoll/node'", '@plimsoll/node'],
    ["const fs = await import('node:fs')", 'node:fs'],
    ["import { x } from '../../node/src/cli/main.ts'", 'packages/node/src/cli/main.ts'],
  ])('refuses %s', (text, target) => expect(foreignImports(example(text))).toEqual([`${home}example.ts: ${target}`]))

  it.each(["import type { Message } from './message.ts'", "import { patchText } from './text/patch.ts'"])('allows %s', (text) =>
    expect(foreignImports(example(text))).toEqual([]),
  )
})

// The compiler settings exclude Node, DOM and timers; clock, randomness and locale are part of the language, so they are searched for.
const forbidden = [
  /\bDate\.now\b/,
  /\bnew Date\b/,
  /\bMath\.random\b/,
  /\bperformance(?=\.)/,
  /\bprocess(?=\.)/,
  /\bglobalThis\b/,
  /\bsetTimeout\b/,
]
const localeBound = [/\btoLocale\w*(?=\(\))/, /\blocaleCompare\b/]

function impurities(file: SourceFile): readonly string[] {
  const code = withoutComments(file.text)
  return [...forbidden, ...localeBound].flatMap((word) => {
    const found = word.exec(code)
    return found === null ? [] : [`${file.path}: ${found[0]}`]
  })
}

function foreignImports(file: SourceFile): readonly string[] {
  return importsOf(file).flatMap(({ to, relative }) => (relative && to.startsWith(home) ? [] : [`${file.path}: ${to}`]))
}

function example(text: string): SourceFile {
  return { path: `${home}example.ts`, text }
}
