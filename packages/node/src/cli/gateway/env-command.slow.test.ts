import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { runCaptured } from '../testing/run-captured.ts'

const { env: strings, run } = stringsFor('en').gateway

describe('plimsoll env', () => {
  it.each([
    [['claude'], 'export ANTHROPIC_BASE_URL=http://127.0.0.1:7478\n'],
    [['claude', '--unset'], 'unset ANTHROPIC_BASE_URL\n'],
    [['openai', '--port', '9000'], 'export OPENAI_BASE_URL=http://127.0.0.1:9000/v1\n'],
    [['anthropic', '--shell', 'fish'], 'set -gx ANTHROPIC_BASE_URL http://127.0.0.1:7478\n'],
    [['openai', '--shell', 'pwsh'], "$env:OPENAI_BASE_URL = 'http://127.0.0.1:7478/v1'\n"],
    [
      ['codex'],
      `codex() { command codex -c 'model_provider="plimsoll"' -c 'model_providers.plimsoll={name="Plimsoll",base_url="http://127.0.0.1:7478/v1",wire_api="responses",env_key="OPENAI_API_KEY"}' "$@"; }\n`,
    ],
    [['codex', '--unset'], 'unset -f codex\n'],
  ])('prints the shell lines for %s', async (options, stdout) => {
    expect(await runCaptured(['env', ...options])).toEqual({ code: 0, stdout, stderr: '' })
  })

  it('says how Cline CLI is connected, which reads no variable', async () => {
    expect(await runCaptured(['env', 'cline'])).toEqual({ code: 2, stdout: '', stderr: `error: ${run.noAddress}\n` })
  })

  it('keeps the user’s own address in the shell, and --unset gives it back', async () => {
    const shell: Record<string, string> = { ANTHROPIC_BASE_URL: "https://proxy.example/it's" }
    const evaluate = async (...options: readonly string[]) => {
      const { stdout } = await runCaptured(['env', 'claude', ...options], { environment: shell })
      const names = ['ANTHROPIC_BASE_URL', 'PLIMSOLL_OWN_ANTHROPIC_BASE_URL']
      const printed = execFileSync('sh', ['-c', `${stdout}\nfor n in ${names.join(' ')}; do printenv $n || echo; done`], {
        env: shell,
      })
      const values = printed.toString().split('\n')
      names.forEach((name, index) => {
        if (values[index] === '') delete shell[name]
        else shell[name] = values[index] ?? ''
      })
      return shell['ANTHROPIC_BASE_URL']
    }
    expect(await evaluate()).toBe('http://127.0.0.1:7478')
    expect(await evaluate('--port', '9000')).toBe('http://127.0.0.1:9000')
    expect(await evaluate('--unset')).toBe("https://proxy.example/it's")
    expect(Object.keys(shell)).toEqual(['ANTHROPIC_BASE_URL'])
  })

  it('says what else Copilot CLI needs', async () => {
    expect((await runCaptured(['env', 'copilot'])).stderr).toBe(`${strings.copilotModel}\n`)
    expect((await runCaptured(['env', 'copilot'], { environment: { COPILOT_MODEL: 'gpt-5-mini' } })).stderr).toBe('')
  })

  it('uses the configured port', async () => {
    const { stdout } = await runCaptured(['env', 'claude'], { environment: { PLIMSOLL_GATEWAY__PORT: '9001' } })
    expect(stdout).toBe('export ANTHROPIC_BASE_URL=http://127.0.0.1:9001\n')
  })

  it('prints what else Gemini CLI needs on standard error', async () => {
    expect(await runCaptured(['env', 'gemini'])).toEqual({
      code: 0,
      stdout: 'export GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:7478\n',
      stderr: `${strings.geminiLogin}\n`,
    })
  })

  it('prints JSON with --json', async () => {
    const { stdout } = await runCaptured(['env', 'claude', '--json'])
    expect(JSON.parse(stdout)).toEqual({ variables: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:7478' }, arguments: [] })
  })

  it.each([
    [
      ['cursor'],
      strings.unknownAgent('"cursor"', 'claude, codex, gemini, opencode, copilot, qwen, pi, aider, openai, anthropic'),
    ],
    [['claude', '--shell', 'tcsh'], strings.unknownShell('"tcsh"', 'sh, fish, powershell')],
    [['claude', '--port', 'x'], stringsFor('en').server.serve.badPort('"x"')],
    [['claude', '--port', '0'], strings.anyPort],
  ])('refuses %s and explains why', async (options, sentence) => {
    expect(await runCaptured(['env', ...options])).toEqual({ code: 2, stdout: '', stderr: `error: ${sentence}\n` })
  })
})
