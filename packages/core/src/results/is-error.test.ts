import { describe, expect, it } from 'vitest'
import type { ToolResultPart } from '../message.ts'
import { isError } from './tool-results.ts'
import { toolRules } from './tools.ts'

const part = (text: string, extra: Partial<ToolResultPart> = {}): ToolResultPart => ({
  type: 'tool-result',
  callId: null,
  tool: null,
  content: { type: 'text', text },
  ...extra,
})
const terminal = (text: string, stderrIsError = true) =>
  isError(part(text), { kind: 'terminal', rules: toolRules('Bash'), stderrIsError })
const other = (text: string, extra: Partial<ToolResultPart> = {}) =>
  isError(part(text, extra), { kind: 'other', rules: null, stderrIsError: true })

function geminiShell(stdout: string, stderr: string): string {
  return `Command: make\nDirectory: (root)\nStdout: ${stdout}\nStderr: ${stderr}\nError: (none)\nExit Code: 0\nSignal: (none)`
}

describe('Q-45 isError, for any tool', () => {
  it.each<[string, boolean]>([
    ['Error: Command failed with exit code 1', true],
    ['  \nError: indented', true],
    ['Errors: none', false],
    ['an Error: later on', false],
    ['{"success":false,"error":"no"}', true],
    ['{"success":true}', false],
    ['{"status":"error","error":{"code":"NOT_FOUND"}}', true],
    ['{"status":"success"}', false],
    ['{"status":"failed"}', true],
    ['<tool_use_error>no such tool</tool_use_error>', true],
    ['{"isError":true}', true],
    ['[{"toolCallId":"a","success":true},{"toolCallId":"b","success":false}]', true],
    ['[{"name":"a","success":false}]', false],
    ['{"stderr":"not a command"}', false],
    ['{"exitCode":1}', false],
    ['', false],
    ['{"success":false', false],
    ['{"is_error":true}', true],
    ['{"is_error":false}', false],
    ['[{"toolCallId":"a","success":true}]', false],
    ['{"stdout":"cut","exitCode":1', false],
    ['\ufeffError: after a byte order mark', true],
    [`\u001b[${'1;'.repeat(300)}mError: after more than a colour`, false],
  ])('R000-32 R001-39 %s -> %s', (text, expected) => expect(other(text)).toBe(expected))

  it("R000-33 trusts the status and the API format's flag over the text", () => {
    expect(other('...', { status: 'error' })).toBe(true)
    expect(other('...', { isError: true })).toBe(true)
    expect(other('...', { isError: false })).toBe(false)
  })

  it.each<readonly [unknown, boolean]>([
    [{ success: false }, true],
    [{ success: true }, false],
    ['{"success":false}', true],
    [null, false],
    [false, false],
  ])('treats a JSON value like its text: %j -> %s', (value, expected) => {
    const json = part('', { content: { type: 'json', value } })
    expect(isError(json, { kind: 'other', rules: null, stderrIsError: true })).toBe(expected)
    expect(isError(json, { kind: 'terminal', rules: null, stderrIsError: true })).toBe(expected)
  })
})

describe('Q-4 isError, for commands', () => {
  it('takes stderr for a failure of a command alone', () => {
    const shown = part('done', { metadata: { stderrTail: 'a warning' } })
    const judged = (kind: 'terminal' | 'search') => isError(shown, { kind, rules: null, stderrIsError: true })
    expect([judged('terminal'), judged('search')]).toEqual([true, false])
  })

  it.each<[string, boolean]>([
    ['{"stdout":"","stderr":"Connection refused","exitCode":1}', true],
    ['{"stdout":"ok","stderr":"a warning","exitCode":0}', true],
    ['{"stdout":"ok","stderr":"","exitCode":0}', false],
    ['{"stdout":"3 failed","stderr":"","exitCode":1}', true],
    ['{"stdout":"x","exit_code":"2"}', true],
    ['{"output":"x","metadata":{"exit_code":1}}', true],
    ['{"output":"x","metadata":{"exit_code":0}}', false],
    ['{"stdout":"","stderr":"","signal":"SIGKILL"}', true],
    ['{"stdout":"","stderr":"","timedOut":true}', true],
    ['{"stdout":"","stderr":"","interrupted":false}', false],
    ['{"interrupted":true}', true],
    ['{"timed_out":true}', true],
    ['{"timed_out":false}', false],
    ['{"timeout":true}', true],
    ['{"timeout":false}', false],
    ['{"timeout":120000}', false],
    ['{"signal":"SIGKILL"}', true],
    ['{"signal":""}', false],
    ['{"signal":null}', false],
    ['{"returncode":1}', true],
    ['{"exit":1}', true],
    ['{"exit":0}', false],
    ['{"exitCode":"none"}', false],
    ['{"exitCode":["1"]}', false],
    ['[1]', false],
  ])('%s -> %s', (text, expected) => expect(terminal(text)).toBe(expected))

  it('uses only the exit code if configured', () => {
    expect(terminal('{"stdout":"ok","stderr":"a warning","exitCode":0}', false)).toBe(false)
    expect(terminal('{"stdout":"ok","stderr":"a warning","exitCode":3}', false)).toBe(true)
  })

  it.each<[string, Partial<ToolResultPart>, boolean]>([
    ['two\nwarn\n[exit code 0]', { metadata: { stderrTail: 'warn', stdout: 'two', stdoutLines: 1 } }, true],
    ['two\n[exit code 0]', { metadata: { stderrTail: '' } }, false],
    ['two\n[exit code 0]', { metadata: { stderrTail: 7 } }, false],
    [geminiShell('two', 'warn'), {}, true],
    [geminiShell('two', '(empty)'), {}, false],
    ['Command: ls\nStderr: printed by the command', {}, false],
  ])('R000-32 Q-9c counts the stderr of a merged text: %j %j -> %s', (text, extra, expected) => {
    const context = { kind: 'terminal', rules: toolRules('Bash') } as const
    expect(isError(part(text, extra), { ...context, stderrIsError: true })).toBe(expected)
    expect(isError(part(text, extra), { ...context, stderrIsError: false })).toBe(false)
  })

  it('R000-34 probes the rest of cut JSON, and reports no error if nothing is found', () => {
    expect(terminal('{"stdout":"aaa ... [截断', true)).toBe(false)
    expect(terminal('{"exitCode":1,"stdout":"aaa ... ')).toBe(true)
    expect(terminal('{"stderr":"boom","stdout":"aaa ... ')).toBe(true)
    expect(terminal('{"stderr":"","exitCode":0,"stdout":"aaa ... ')).toBe(false)
    expect(terminal('{"stderr":"boom","more":"aaa ... ')).toBe(true)
    expect(terminal('{"stderr":"boom","more":"aaa ... ', false)).toBe(false)
    expect(terminal('{"exitCode":2,"more":"aaa ... ')).toBe(true)
    expect(terminal('{"stdout":"","timedOut":true,"more":"aaa ... ')).toBe(true)
  })

  it('does not report a text as an error without its tool’s row', () => {
    const context = { kind: 'terminal', stderrIsError: true } as const
    const rules = (exitCode: RegExp) => ({ name: 'run', kind: 'terminal', exitCode }) as const
    expect(isError(part('left with 1'), { ...context, rules: null })).toBe(false)
    expect(isError(part('left with 1'), { ...context, rules: rules(/left with (\d)/) })).toBe(true)
    expect(isError(part('LEFT WITH 1'), { ...context, rules: rules(/left with (\d)/i) })).toBe(true)
    expect(isError(part('left with 0, left with 1'), { ...context, rules: rules(/left with (\d)/g) })).toBe(true)
  })

  it('reads a text of 800 characters in full, a longer one at its ends', () => {
    const around = (count: number) => `${'.'.repeat(count)}\nexit code 1\n${'.'.repeat(count - 1)}`
    expect([around(394).length, terminal(around(394))]).toEqual([800, true])
    expect([around(395).length, terminal(around(395))]).toEqual([802, false])
  })

  it.each<[string, boolean]>([
    ['Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno such file', true],
    ['Exit code: 0\nOutput:\nfine', false],
    ['Process exited with code 127\nOutput:', true],
    ['<returncode>1</returncode>\n<output>\n</output>', true],
    ['<returncode>0</returncode>', false],
    ['text\n[The command completed with exit code 2.]', true],
    ['plain output without an exit code', false],
    ['lint: exit code 0\nunit: 3 failed\nExit code: 1', true],
    ['make: *** [all] Error 2\nexit status 2', true],
    ['done\nexit_code=1', true],
    ['exitCode: 0', false],
    ['EXIT CODE: 2', true],
    ['\u001b[31mError: in red\u001b[0m', true],
  ])('reads plain text by the tool’s row: %s -> %s', (text, expected) => expect(terminal(text)).toBe(expected))

  it('ignores an exit code in the middle of long output', () => {
    const noise = 'line of output\n'.repeat(100)
    expect(terminal(`${noise}exit code 1\n${noise}`)).toBe(false)
    expect(terminal(`${noise}${noise}Exit code: 1`)).toBe(true)
    expect(terminal(`step one: exit code 0\n${noise}Exit code: 1`)).toBe(true)
  })
})
