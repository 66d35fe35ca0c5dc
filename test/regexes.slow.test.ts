import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isBounded } from '../hardening/regexes/find-regexes.ts'

interface Printed {
  readonly stdout: string
  readonly stderr: string
}

describe('regular expressions', () => {
  it('are all safe, or have a limit for every repetition: no text makes one take more than a fixed number of steps for each place', async () => {
    // In its own process: the checker cannot be loaded by the runner of the tests.
    const script = fileURLToPath(new URL('../hardening/regexes/run.ts', import.meta.url))
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script, '--check']).catch(
      (error: unknown) => error as Printed,
    )
    expect(stderr).toBe('')
    expect(Number(/^\d+/.exec(stdout)?.[0])).toBeGreaterThan(1000)
  })

  it.each([
    ['a{1,9}b{2}', true],
    ['(?:ab){1,9}', true],
    ['[*+]\\*', true],
    ['(a{1,3}?)?', true],
    ['a*', false],
    ['a{3,}', false],
    ['a{1,9000}', false],
    ['(?:a{1,9}){1,9}', false],
    ['(?:a?){40}a{40}', false],
    ['((a{1,3})b){2}', false],
  ])('%s is limited: %s', (source, expected) => expect(isBounded(source)).toBe(expected))
})
