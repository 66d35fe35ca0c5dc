import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { FuzzResult } from '../hardening/fuzz/fuzz.ts'
import { countersName, instrument } from '../hardening/fuzz/instrument.ts'
import { minimise } from '../hardening/fuzz/minimise.ts'
import { targetNames, targets } from '../hardening/fuzz/targets.ts'
import { root } from './source-files.ts'

const program = fileURLToPath(new URL('../hardening/fuzz/run.ts', import.meta.url))

/** Runs the fuzzer for a number of executions, so that it does the same on every machine. */
async function fuzz(...args: readonly string[]): Promise<readonly Omit<FuzzResult, 'corpus'>[]> {
  const run = promisify(execFile)(process.execPath, [program, '--json', '--own', '--seed', '7', ...args], { maxBuffer: 1 << 26 })
  // It exits with 1 if it found something, and prints what.
  const { stdout } = await run.catch((error: { readonly stdout: string }) => error)
  return JSON.parse(stdout) as readonly Omit<FuzzResult, 'corpus'>[]
}

describe('fuzzing', () => {
  it.each([...targets])('counts branches only in existing files: %s', async (_name, load) => {
    const files = globSync(['packages/*/src/**/*.ts', 'hardening/fuzz/**/*.ts'], { cwd: root })
    const { covers } = await load()
    expect(covers.filter((start) => !files.some((file) => file.startsWith(start)))).toEqual([])
  })

  it('breaks no law in a short pass over every target, and reaches new branches', async () => {
    const results = await fuzz('--runs', '300')
    expect(results.map(({ target }) => target)).toEqual(targetNames)
    expect(results.filter(({ finds }) => finds.length > 0)).toEqual([])
    for (const { target, bySeeds, reached } of results) expect(reached, target).toBeGreaterThan(bySeeds)
  })

  it('finds a planted bug by branch coverage, minimises it, and reproduces it from the same seed', async () => {
    const [found] = await fuzz('planted', '--runs', '40000')
    const [again] = await fuzz('planted', '--runs', '40000')
    expect(found?.finds.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^Error at hardening\/fuzz\/testing\/planted-parser\.ts:\d+$/),
    ])
    // The first pairs may come in any order; no character can be omitted.
    expect(found?.finds[0]?.input.text).toHaveLength('ballast=;mode=load;line=aaaa;mark='.length)
    expect(again).toEqual([{ ...found, seconds: expect.any(Number) as number }][0])
  })

  it('does not find the bug without coverage guidance', async () => {
    const [result] = await fuzz('planted', '--runs', '40000', '--unguided')
    expect(result?.finds).toEqual([])
  })

  it('lists the targets if an unknown one is named', async () => {
    const run = promisify(execFile)(process.execPath, [program, 'nothing'])
    await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('got "nothing"') as string })
  })
})

describe('instrument', () => {
  it('counts each side of every branch without adding lines or changing behaviour', async () => {
    const source = `function grade(mark, bonus = 1) {
  if (mark > 9) return 'high'
  let text = mark > 5 ? 'middle' : 'low'
  for (const more of [1, 2]) if (more === bonus) text += more; else text &&= text + '-'
  switch (mark) { case 0: text ??= ''; break
    case 1: { text = 'one' } }
  try { if (bonus < 0) throw new Error() } catch { return 'none' }
  return (() => text)() || 'empty'
}
`
    const { code, branches, words } = instrument('grade.js', source, 10)
    const counters = new Uint32Array(10 + branches)
    const load = async (text: string) => {
      const module: unknown = await import(`data:text/javascript,${encodeURIComponent(`${text}export { grade }`)}`)
      return (module as { readonly grade: (mark: number, bonus?: number) => string }).grade
    }
    Reflect.set(globalThis, countersName, counters)
    const [counted, plain] = [await load(code), await load(source)]
    Reflect.deleteProperty(globalThis, countersName)
    const asked = [[10], [6], [0, 2], [1, 3], [3, -1]] as const
    expect(asked.map(([mark, bonus]) => counted(mark, bonus))).toEqual(asked.map(([mark, bonus]) => plain(mark, bonus)))
    expect(code.split('\n')).toHaveLength(source.split('\n').length)
    expect([...counters.subarray(0, 10)]).toEqual(Array.from({ length: 10 }, () => 0))
    const never = [...counters.subarray(10)].filter((count) => count === 0)
    // The text is never empty and never missing.
    expect({ branches, never: never.length }).toEqual({ branches: 18, never: 2 })
    expect(words).toContain('middle')
  })
})

describe('minimise', () => {
  it('reduces an input to the smallest one that still fails', async () => {
    const found = { text: `[{"a":1},{"keep":[{"x":"yes"},2,3]},${JSON.stringify('long'.repeat(50))}]`, choices: [900, 5] }
    const small = await minimise(found, async ({ text, choices }) => text.includes('"yes"') && (choices[1] ?? 0) > 3, 2000)
    expect(small).toEqual({ text: '"yes"', choices: [0, 5] })
  })
})
