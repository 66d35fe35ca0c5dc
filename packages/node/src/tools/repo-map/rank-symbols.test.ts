import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rankSymbols } from './repo-map-tool.ts'
import type { SourceFile } from './source-files.ts'

function file(path: string, names: readonly string[], uses: Readonly<Record<string, number>> = {}): SourceFile {
  const symbols = names.map((name, index) => {
    return { name, line: index + 1, signature: `function ${name}()`, isMember: false, isPublic: true }
  })
  return { path, symbols, uses: new Map(Object.entries(uses)) }
}

const order = (files: readonly SourceFile[], focus: readonly string[] = []) =>
  rankSymbols(files, focus).map(({ path, name }) => `${path}:${name}`)

const files = [
  file('a.ts', ['unusedThing', 'usedOnce'], { usedOften: 3 }),
  file('b.ts', ['usedOften'], { usedOnce: 1 }),
  file('c.ts', [], { usedOften: 1 }),
  file('d.ts', ['lonelyThing'], { usedOften: 9 }),
]

describe('rankSymbols', () => {
  it('puts first what most others use', () => {
    expect(order(files)).toEqual(['b.ts:usedOften', 'a.ts:usedOnce', 'a.ts:unusedThing', 'd.ts:lonelyThing'])
  })

  it.each([
    ['a name', 'lonelything'],
    ['a file', 'd.ts'],
    ['a path with a dot', './d.ts'],
  ])('puts what is in focus before all: %s', (_story, focus) => {
    expect(order(files, [focus])[0]).toBe('d.ts:lonelyThing')
  })

  it('takes a folder in focus', () => {
    expect(order([...files, file('src/deep/e.ts', ['inFolder'])], ['src/'])[0]).toBe('src/deep/e.ts:inFolder')
  })

  it('does not take a common word for a use, nor what only its own file can see', () => {
    const hidden: SourceFile = {
      ...file('a.ts', ['hiddenOne']),
      symbols: file('a.ts', ['hiddenOne']).symbols.map((symbol) => ({ ...symbol, isPublic: false })),
    }
    const users = ['x.ts', 'y.ts', 'z.ts'].map((path) => file(path, [], { line: 50, hiddenOne: 50, parseLine: 1 }))
    expect(order([hidden, file('b.ts', ['line']), file('c.ts', ['parseLine']), ...users])).toEqual([
      'c.ts:parseLine',
      'b.ts:line',
      'a.ts:hiddenOne',
    ])
  })

  it('gives the same order whatever the order of the files, and every symbol once', () => {
    const name = fc.constantFrom('alphaOne', 'betaTwo', 'gammaThree', 'delta', 'epsilon')
    const source = fc.record({
      names: fc.uniqueArray(name),
      uses: fc.dictionary(
        name,
        fc.nat({ max: 9 }).map((count) => count + 1),
      ),
    })
    let linked = 0
    fc.assert(
      fc.property(fc.array(source, { maxLength: 12 }), fc.array(name, { maxLength: 2 }), (sources, focus) => {
        const made = sources.map(({ names, uses }, index) => file(`${index % 3}/f${index}.ts`, names, uses))
        const ranked = order(made, focus)
        if (made.length > 2 && ranked.length > 2) linked += 1
        expect(order([...made].reverse(), focus)).toEqual(ranked)
        expect([...ranked].sort()).toEqual(
          made.flatMap(({ path, symbols }) => symbols.map((symbol) => `${path}:${symbol.name}`)).sort(),
        )
      }),
    )
    expect(linked).toBeGreaterThan(20)
  })
})
