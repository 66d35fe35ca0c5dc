import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { exportLine, functionLine, unsetFunctionLine, unsetLine } from './agent-wiring.ts'

const nasty = [
  '',
  'plain',
  'http://127.0.0.1:7478/v1',
  "it's",
  'a b\tc',
  '"quoted" and \\back\\slashed\\',
  '$(touch /tmp/never) `id` ${HOME} $HOME !! *',
  "'; echo injected; '",
  'two\nlines',
  '{"a":"b \\" c"}',
  '-n',
  '中文 🙂',
  '#;&|<>()[]~=',
]

describe('lines for a shell', () => {
  it.runIf(process.platform !== 'win32')('restore every value unchanged', () => {
    const script = [
      ...nasty.map((value, index) => exportLine('sh', `VALUE_${index}`, value)),
      ...nasty.map((_, index) => `printf '%s\\0' "$VALUE_${index}"`),
    ]
    const printed = execFileSync('sh', ['-c', script.join('\n')], { encoding: 'utf8' })
    expect(printed.split('\0').slice(0, -1)).toEqual(nasty)
  })

  it.runIf(process.platform !== 'win32')('put arguments before a command’s own, and undo it', () => {
    const script = [
      'PATH=/nonexistent:$PATH',
      functionLine('sh', 'printf', ['%s\\0', ...nasty]),
      "printf 'my own' words",
      unsetFunctionLine('sh', 'printf'),
      "printf '%s\\0' left",
    ]
    const printed = execFileSync('sh', ['-c', script.join('\n')], { encoding: 'utf8' })
    expect(printed.split('\0').slice(0, -1)).toEqual([...nasty, 'my own', 'words', 'left'])
  })

  it('support fish and PowerShell', () => {
    expect([
      exportLine('fish', 'A', "it's \\ $x"),
      unsetLine('fish', 'A'),
      functionLine('fish', 'codex', ['-c', 'a="b"']),
      unsetFunctionLine('fish', 'codex'),
      exportLine('powershell', 'A', "it's $x"),
      unsetLine('powershell', 'A'),
      functionLine('powershell', 'codex', ['-c', 'a={b="c"}', 'd="e\\\\f"']),
      unsetFunctionLine('powershell', 'codex'),
      unsetLine('sh', 'A'),
    ]).toEqual([
      "set -gx A 'it\\'s \\\\ $x'",
      'set -e A',
      'function codex; command codex -c \'a="b"\' $argv; end',
      'functions -e codex',
      "$env:A = 'it''s $x'",
      'Remove-Item -ErrorAction SilentlyContinue Env:A',
      `function codex { & (Get-Command -CommandType Application,ExternalScript codex | Select-Object -First 1) '-c' 'a={b=''c''}' 'd="e\\\\f"' @args }`,
      'Remove-Item -ErrorAction SilentlyContinue Function:codex',
      'unset A',
    ])
  })
})
