import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { coveredFiles } from '../hardening/mutation/covered-files.ts'
import { type Mutant, mutateSource } from '../hardening/mutation/mutate-source.ts'
import { changeOf, compareSurvivors, keyOf, keysOf, readExplained } from '../hardening/mutation/survivors.ts'
import { createSwitchboard } from '../hardening/mutation/switchboard.ts'

const sources = fileURLToPath(new URL('../packages/core/src', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-mutated-'))
afterAll(() => rmSync(folder, { recursive: true }))

const mutate = (source: string) => mutateSource(source, { file: 'a.ts', fileNumber: 0, firstId: 0 })

describe('the mutants of a source', () => {
  it.each<readonly [string, readonly string[]]>([
    ['x = a < b', ['x = a < b → (left out)', 'a < b → a <= b', 'a < b → a >= b']],
    ['const x = a === b', ['a === b → a !== b']],
    ['const x = a && b', ['a && b → a', 'a && b → b']],
    ['const x = a ?? b', ['a ?? b → a', 'a ?? b → b']],
    ['const x = !a', ['!a → a']],
    ['const x = a + b * c', ['a + b * c → a - b * c', 'b * c → b / c']],
    ["const x = 'a' + b", ["'a' → ''"]],
    ["const x = ''", ["'' → 'mutated'"]],
    ['const x = `a${b}`', ["`a${b}` → ''"]],
    ['const x = [a, true]', ['[a, true] → []', 'true → false']],
    ['const x = a ? b : c', ['a → true', 'a → false']],
    ['if (a) b()', ['a → true', 'a → false', 'b() → (left out)']],
    ['while (a) continue', ['a → false', 'continue → (left out)']],
    ['const f = () => a', ['a → undefined']],
    ['function f() { return a(b) }', ['a(b) → undefined']],
    ['const x = a?.b?.[c].d', ['a?.b?.[c].d → a?.b[c].d', 'a?.b?.[c].d → a.b?.[c].d']],
    ['const x = a.some(b)', ['a.some(b) → a.every(b)']],
    ['const x = a.filter(b).length', ['a.filter(b) → a']],
    ["import { a } from 'b'", []],
    ["const x: 'a' | 'b' = c as 'a'", []],
    ["const x = { 'a-b': c }", []],
  ])('are listed for %s', (source, expected) => {
    expect(mutate(source).mutants.map(changeOf).toSorted()).toEqual(expected.toSorted())
  })

  it('have the line of their code', () => {
    expect(mutate('const a = 1\n  const b = !a\n').mutants).toEqual([
      { id: 0, file: 'a.ts', line: 2, code: 'const b = !a', operator: 'unary', from: '!a', to: 'a' },
    ])
  })
})

describe('a mutated source', () => {
  let count = 0
  const load = async (source: string) => {
    const { code, mutants } = mutate(source)
    const switches = createSwitchboard({ mutants: mutants.length, files: 1 })
    globalThis.mutationSwitches = switches
    const file = join(folder, `${(count += 1)}.ts`)
    writeFileSync(file, code)
    const { value } = (await import(pathToFileURL(file).href)) as { readonly value: () => unknown }
    const withMutant = (change: string | null, again = false): unknown => {
      switches.begin(mutants.find((mutant) => changeOf(mutant) === change)?.id ?? null, 1000)
      if (again) switches.makeAgain()
      return value()
    }
    return { switches, mutants, withMutant }
  }

  it('behaves as before until a mutant is switched on', async () => {
    const { withMutant, mutants } = await load(`
      const limit = 3
      export function value() {
        const found: number[] = []
        for (let at = 0; at < limit; at += 1) if (at !== 1 && found?.length !== undefined) found.push(at)
        return found.join(',')
      }`)
    expect(mutants.map(changeOf)).toContain('at < limit → at <= limit')
    expect(withMutant(null)).toBe('0,2')
    expect(withMutant('at < limit → at <= limit')).toBe('0,2,3')
    expect(withMutant('at !== 1 → at === 1')).toBe('1')
    expect(withMutant('found.push(at) → (left out)')).toBe('')
    expect(withMutant(null)).toBe('0,2')
  })

  it('is stopped if it would run forever', async () => {
    const { withMutant } = await load('export function value() { let at = 0\n while (at < 9) at += 1\n return at }')
    expect(withMutant(null)).toBe(9)
    expect(() => withMutant('at += 1 → (left out)')).toThrow('More steps than a mutant is allowed')
  })

  it('reports which mutants were reached', async () => {
    const { switches, mutants, withMutant } = await load('export function value(a) { return a ? !a : [a] }')
    withMutant(null)
    const reached = switches.end().mutants.map((id) => changeOf(mutants[id] as Mutant))
    expect(reached).toContain('[a] → []')
    expect(reached).not.toContain('!a → a')
  })

  it('re-creates its module-level values under a mutant', async () => {
    const { withMutant } = await load(
      `const words = ['a', 'b']; const known = new Set(words); export const value = () => known.size`,
    )
    expect(withMutant("['a', 'b'] → []")).toBe(2)
    expect(withMutant("['a', 'b'] → []", true)).toBe(0)
    expect(withMutant(null, true)).toBe(2)
  })

  it('clears its caches when another run starts', async () => {
    const { withMutant } = await load(`
      const key = {}, known = new WeakMap<object, number>()
      export function value() {
        const before = known.get(key) ?? 0
        known.set(key, before + 1)
        return known.get(key)
      }`)
    expect([withMutant(null), withMutant(null)]).toEqual([1, 1])
  })
})

describe('explanations of mutants that survive', () => {
  it.each(readExplained().map((each) => [each.file, each.code, each] as const))(
    'are valid for %s: %s',
    (file, _code, explained) => {
      expect(coveredFiles(sources)).toContain(file)
      expect(explained.why).toMatch(/^[A-Z].{10,}\.$/)
      const { mutants } = mutateSource(readFileSync(join(sources, file), 'utf8'), { file, fileNumber: 0, firstId: 0 })
      const known = new Set(mutants.map(keyOf))
      expect(keysOf(explained).filter((key) => !known.has(key))).toEqual([])
    },
  )

  it('report unexplained survivors and explanations without a survivor', () => {
    const [first, second] = mutate('const a = b < c').mutants as [Mutant, Mutant]
    const explained = { file: 'a.ts', code: first.code, changes: [changeOf(first), 'b < c → b'], why: 'Because.' }
    const elsewhere = { ...explained, file: 'b.ts' }
    expect(compareSurvivors([first, second], [explained, elsewhere], ['a.ts'])).toEqual({
      unexplained: [second],
      outdated: ['a.ts: const a = b < c: b < c → b'],
      explained: [first],
    })
  })
})
