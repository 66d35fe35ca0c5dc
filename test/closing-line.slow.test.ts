import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

describe('the closing line of a test run', () => {
  it.each([
    ['tests that pass', "it('a', () => {})\nit('b', () => {})", '2 passed, 0 failed', 0],
    ['a test that fails', "it('a', () => {})\nit('b', () => { throw new Error('no') })", '1 passed, 1 failed', 1],
    ['a file that cannot be loaded', "throw new Error('broken')", '0 passed, 1 failed', 1],
    [
      'an uncaught error',
      "it('a', () => { setTimeout(() => { throw new Error('late') }); return new Promise((done) => setTimeout(done, 50)) })",
      '1 passed, 1 failed',
      1,
    ],
    ['no tests at all', '', '0 passed, 1 failed', 1],
  ])('counts %s', (_name, text, line, code) => expect(runVitest(text)).toEqual({ line, code }))
})

/** Runs vitest on a temporary file with the reporter of this repository. */
function runVitest(text: string): { readonly line: string | undefined; readonly code: number | null } {
  const folder = mkdtempSync(`${root}/node_modules/.closing-line-`)
  try {
    const reporter = new URL('../scripts/closing-line.ts', import.meta.url).href
    writeFileSync(`${folder}/a.check.ts`, `import { it } from 'vitest'\n${text}\nvoid it\n`)
    writeFileSync(
      `${folder}/vitest.config.ts`,
      `import { closingLine } from '${reporter}'\nexport default { test: { include: ['*.check.ts'], exclude: [], reporters: ['default', closingLine()] } }\n`,
    )
    const vitest = `${root}/node_modules/vitest/vitest.mjs`
    const run = spawnSync(process.execPath, [vitest, 'run', '--root', folder, '--config', `${folder}/vitest.config.ts`], {
      encoding: 'utf8',
    })
    return { line: run.stdout.trimEnd().split('\n').at(-1), code: run.status }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
