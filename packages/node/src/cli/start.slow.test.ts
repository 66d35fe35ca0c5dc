import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../strings/strings-for.ts'
import { packageVersion } from './command-io.ts'

const { statusline } = stringsFor('en')
const binary = fileURLToPath(new URL('../../bin/plimsoll.js', import.meta.url))
const isBuilt = existsSync(new URL('../../dist/bundled/main.js', import.meta.url))

/** Writes the file of every module that is loaded to the fourth output, one per line. */
const recorder = `data:text/javascript,${encodeURIComponent(`
  import { writeSync } from 'node:fs'
  import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => (url.startsWith('file:') && writeSync(3, url + '\\n'), next(url, context)) })
`)}`

function start(args: readonly string[], input: string) {
  const { status, output } = spawnSync(process.execPath, ['--import', recorder, binary, ...args], {
    encoding: 'utf8',
    input,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    cwd: tmpdir(),
    env: {
      ...process.env,
      HOME: '/nonexistent',
      XDG_STATE_HOME: '/nonexistent',
      XDG_CONFIG_HOME: '/nonexistent',
      CLAUDE_CONFIG_DIR: '/nonexistent',
      LANG: 'C',
    },
  })
  const [, stdout, , modules] = output
  return { status, stdout: stdout ?? '', modules: (modules ?? '').split('\n').filter((url) => url !== '') }
}

const hook = JSON.stringify({
  model: { id: 'claude-opus-4-5', display_name: 'Opus 4.5' },
  context_window: { context_window_size: 200_000, current_usage: { input_tokens: 96_000 } },
  cost: { total_cost_usd: 0.423 },
})

/** The files that contain a text which stays as it is when the program is bundled. */
function having(modules: readonly string[], text: string): readonly string[] {
  return modules.filter((url) => readFileSync(new URL(url), 'utf8').includes(text))
}

// Each file costs about a millisecond, and an import at the top of a shared one brings in many.
describe.runIf(isBuilt)('the modules that are loaded for', () => {
  it('the version are few', () => {
    const { status, stdout, modules } = start(['--version'], '')
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${packageVersion()}\n` })
    expect(modules.length).toBeGreaterThan(3)
    expect(modules.length).toBeLessThanOrEqual(12)
  })

  it('a status line without a log are few, and the parser of command lines is not among them', () => {
    const { status, stdout, modules } = start(['statusline'], hook)
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: `Opus 4.5 · ${statusline.measured('96.0k', '192k', '50 %')} · $0.423\n`,
    })
    expect(modules.length).toBeLessThanOrEqual(75)
    expect(having(modules, 'CommanderError')).toEqual([])
  })

  it.each(['--help', 'help'])('%s are few: no policy, no format of a provider', (argument) => {
    const { status, stdout, modules } = start([argument], '')
    expect({ status, hasStart: stdout.includes('plimsoll run -- claude') }).toEqual({ status: 0, hasStart: true })
    expect(modules.length).toBeLessThanOrEqual(72)
    expect(having(modules, 'CommanderError')).toHaveLength(1)
    expect([...having(modules, 'cache_control'), ...modules.filter((url) => url.includes('policies'))]).toEqual([])
  })

  it('a command without any configuration are neither the schema of settings nor the parser of YAML', () => {
    const { status, modules } = start(['sessions'], '')
    expect(status).toBe(0)
    expect(modules.length).toBeGreaterThan(30)
    expect([...having(modules, 'ZodObject'), ...modules.filter((url) => url.includes('node_modules/yaml'))]).toEqual([])
  })
})
