import { describe, expect, it } from 'vitest'
import { resultText, type ToolResultPart } from '../../message.ts'
import { type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { exchange } from '../../testing/messages.ts'
import { digestOf } from './digest-of.ts'

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index + 1)).join('\n')

/** The digest of a result, parsed. */
function digest(tool: string, input: unknown, text: string, extra: Partial<ToolResultPart> = {}): Record<string, unknown> {
  const part = digestOf(toolResults(exchange('a', tool, input, text, extra), {})[0] as PlacedResult, {})
  expect(part).not.toBeNull()
  return JSON.parse(resultText(part as ToolResultPart)) as Record<string, unknown>
}

describe('commands in the formats of agents', () => {
  const output = lines(90, (at) => `ok ${at}`)
  const summary = { stdout_summary: 'ok 1\nok 2\nok 3\n…\nok 86\nok 87\nok 88\nok 89\nok 90', stdout_lines: 90 }

  it.each([
    [
      'run_shell_command',
      `Command: make\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: 0\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 17`,
    ],
    [
      'execute_bash',
      `${output}\n[The command completed with exit code 0.]\n[Current working directory: /repo]\n[Python interpreter: /usr/bin/python]\n[Command finished with exit code 0]`,
    ],
    ['bash', `<returncode>0</returncode>\n<output>\n${output}\n</output>`],
    [
      'exec_command',
      `Chunk ID: 1a2b\nWall time: 0.5 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n${output}\n`,
    ],
  ])('R004-15 does not treat the lines around the output of %s as output', (tool, text) => {
    expect(digest(tool, { command: 'make' }, text)['data']).toMatchObject({ command: 'make', exit_code: 0, ...summary })
  })

  it('R004-15 keeps a signal and an error below the output', () => {
    const text = `Command: make\nDirectory: src\nOutput: ${output}\nError: killed\nExit Code: 137\nSignal: 9\nBackground PIDs: (none)`
    expect(digest('run_shell_command', {}, text)['data']).toMatchObject({
      exit_code: 137,
      stdout_summary: 'ok 1\nok 2\nok 3\n…\nok 89\nok 90\nError: killed\nExit Code: 137\nSignal: 9',
    })
  })

  it('R004-15 keeps the last 20 lines of a failed command whose two streams are one field', () => {
    const text = JSON.stringify({ output: `${output}\nmake: Error 2`, metadata: { exit_code: 2, duration_seconds: 1 } })
    expect(digest('shell', { command: ['make'] }, text)).toMatchObject({
      status: 'error',
      data: { stderr_tail: `${lines(19, (at) => `ok ${at + 71}`)}\nmake: Error 2` },
    })
  })
})

describe('reads in the formats of agents', () => {
  it('R004-12 does not treat columns of numbers in a file as line numbers', () => {
    const text = lines(900, (at) => `${at * 3}\tvalue\t${at}`)
    expect(digest('Read', { file_path: 'a.tsv', offset: 20 }, text)['data']).toMatchObject({
      lines: '20-519',
      lines_read: 900,
      content: lines(500, (at) => `${at + 19}→${at * 3}\tvalue\t${at}`),
    })
  })

  it('R004-12 reports no range for a read of several files', () => {
    const file = (name: string) => `📄 ${name}\n${lines(300, (at) => `${at}→line`)}`
    const { data } = digest('filesystem-read', { filePath: ['a', 'b'] }, `${file('a')}\n${file('b')}`) as { data: object }
    expect(data).toMatchObject({ path: 'a, b', lines_read: 600 })
    expect(data).not.toHaveProperty('lines')
  })

  it('R004-12 ignores a banner above part of a file when numbering lines', () => {
    const banner =
      "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines 2001-2900 of 5000 total lines.\nAction: To read more of the file, use the 'offset' parameter.\n\n--- FILE CONTENT (truncated) ---\n"
    const text = banner + lines(900, (at) => `line ${at + 2000}`)
    expect(digest('read_file', { absolute_path: 'a', offset: 2000 }, text)['data']).toMatchObject({
      lines: '2001-2500',
      lines_read: 900,
      content: lines(500, (at) => `${at + 2000}→line ${at + 2000}`),
    })
  })

  it.each([
    [
      'Claude Code',
      `${lines(900, (at) => `${`${at + 10}`.padStart(6)}→text`)}\n\n<system-reminder>\nA note.\n</system-reminder>\n`,
    ],
    ['Anthropic', `Here's the result of running \`cat -n\` on a:\n${lines(900, (at) => `${`${at + 10}`.padStart(6)}\ttext`)}\n`],
    [
      'opencode',
      `<path>/a</path>\n<type>file</type>\n<content>\n${lines(900, (at) => `${at + 10}: text`)}\n\n(Showing lines 11-910 of 2000. Use offset=911 to continue.)\n</content>`,
    ],
    [
      'opencode before',
      `<file>\n${lines(900, (at) => `${`${at + 10}`.padStart(5, '0')}| text`)}\n\n(End of file - total 910 lines)\n</file>`,
    ],
    ['pi', `${lines(900, () => 'text of one line')}\n\n[1090 more lines in file. Use offset=911 to continue.]`],
    [
      'pi at its limit',
      `${lines(900, () => 'text of one line')}\n\n[Showing lines 11-910 of 2000 (50.0KB limit). Use offset=911 to continue]`,
    ],
    ['a file with a final newline', `${lines(900, () => 'text of one line')}\n`],
  ])('R004-12 counts the lines of the file in a read of %s', (_name, text) => {
    const { data } = digest('read', { path: 'a', offset: 11 }, text) as { data: { content: string } }
    expect(data).toMatchObject({ lines_read: 900, lines: expect.stringMatching(/^11-5\d\d$/) })
    expect(data.content).toMatch(/(?:^|\n)\s{0,6}0{0,3}11(?:→|\t|: |\| )text/)
  })

  it('R004-12 starts numbering at the line that the response names', () => {
    const text = JSON.stringify({
      content: lines(900, (at) => `line ${at + 99}`),
      startLine: 100,
      endLine: 999,
      totalLines: 2000,
    })
    expect(digest('filesystem-read', { filePath: 'a' }, text)['data']).toMatchObject({ lines: '100-599', totalLines: 2000 })
  })

  it.each([
    ['L1: text', (at: number) => `L${at}: text`],
    ['1 | text', (at: number) => `${at} | text`],
  ])('R004-12 does not repeat numbers written as %s', (_name, line) => {
    const text = lines(900, line)
    expect(digest('read_file', { path: 'a' }, text)['data']).toMatchObject({
      lines: '1-500',
      content: lines(500, line),
    })
  })
})

describe('changes in the formats of agents', () => {
  const diff = (name: string) =>
    `--- a/${name}\n+++ b/${name}\n@@ -1,20 +1,30 @@\n${lines(20, () => '-old')}\n${lines(30, () => '+new')}`

  it('R004-13 reports the changed lines per file for a diff of several files', () => {
    expect(digest('apply_patch', {}, `${diff('a.ts')}\n${diff('src/b.ts')}`)['data']).toMatchObject({
      added: 60,
      removed: 40,
      changed: ['a.ts:1-30', 'src/b.ts:1-30'],
    })
  })

  it('R004-13 R004-14 reads a diff inside a frame, and keeps flags', () => {
    const frame = { text: 'Edited. '.repeat(90), stats: {}, context: { params_input: { path: 'a.ts' } } }
    const answer = (data: object) => JSON.stringify({ status: 'success', data, ...frame })
    const edited = answer({ applied: true, diff_preview: diff('a.ts'), diff_truncated: false })
    expect(digest('Edit', { path: 'a.ts' }, edited)['data']).toMatchObject({ path: 'a.ts', applied: true, changed: ['1-30'] })
    const preview = `--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,90 @@\n${lines(90, (at) => `+line ${at}`)}`
    expect(digest('Write', { path: 'a.ts' }, answer({ applied: true, diff_preview: preview }))['data']).toMatchObject({
      action: 'created',
      fragment: preview.split('\n').slice(0, 50).join('\n'),
    })
  })

  it('R004-14 does not derive the action from the name or content of a file', () => {
    const text = `File created successfully at: src/existing.ts\n${lines(90, () => 'overwrites the existing one')}`
    expect(digest('Write', { file_path: 'src/existing.ts' }, text)['data']).toMatchObject({ action: 'created' })
  })
})

describe('lists and searches in the formats of agents', () => {
  it('R004-11 does not count separator lines as matches', () => {
    const text = `Found 30 results.\n\n# src/a.ts\n${lines(30, (at) => ` ${at + 9} | total${at}\n----`)}`
    expect(digest('search_files', { regex: 'total' }, text)['data']).toMatchObject({
      matches: 30,
      files: 1,
      first: lines(5, (at) => `src/a.ts:${at + 9} | total${at}`).split('\n'),
    })
  })

  it('R004-9 does not count a note below a listing as an entry', () => {
    const text = `${lines(40, (at) => `  - file${at}.ts`)}\n\nNOTE: do any of the files above seem odd?`
    expect(digest('LS', { path: '/repo' }, text)['data']).toMatchObject({ total: 40, files: 40 })
  })
})

describe('frames', () => {
  it('R004-19 R004-20 keeps code and message of an error without data, and drops text, stats and context', () => {
    const error = { code: 'NOT_FOUND', message: 'File a.ts does not exist' }
    const context = { cwd: '/', params_input: { path: 'a.ts' } }
    const text = JSON.stringify({ status: 'error', data: {}, text: 'It is not there. '.repeat(40), error, stats: {}, context })
    expect(digest('Read', { path: 'a.ts' }, text)).toEqual({
      status: 'error',
      data: { path: 'a.ts', recall: expect.any(String) },
      error,
    })
  })

  it('R004-19 R004-20 keeps the flags, but not the frame, of data that is too large even when shortened', () => {
    const row = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`field${at}`, 'v'.repeat(300)]))
    const data = { matches: Array.from({ length: 9 }, () => row), truncated: true }
    const text = JSON.stringify({ status: 'success', data, text: 'told', stats: { time_ms: 1 }, context: { cwd: '/secret' } })
    const shown = digest('Grep', { pattern: 'x' }, text)
    expect(shown).toMatchObject({ status: 'success', data: { truncated: true, omitted_chars: expect.any(Number) } })
    expect(JSON.stringify(shown)).not.toMatch(/secret|told|time_ms/)
  })
})
