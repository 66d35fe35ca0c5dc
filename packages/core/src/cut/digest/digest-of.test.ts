import { describe, expect, it } from 'vitest'
import type { Facts } from '../../facts.ts'
import { resultText, type ToolResultPart } from '../../message.ts'
import { type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { deepFreeze, exchange } from '../../testing/messages.ts'
import { handleOf } from '../../text/hash.ts'
import { digestOf } from './digest-of.ts'

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index + 1)).join('\n')

function placed(
  tool: string,
  input: unknown,
  text: string,
  facts: Facts = {},
  extra: Partial<ToolResultPart> = {},
): PlacedResult {
  return toolResults(deepFreeze(exchange('a', tool, input, text, extra)), facts)[0] as PlacedResult
}

/** The parsed digest of a result without its handle, which is checked here. Null if there is none. */
function digest(tool: string, input: unknown, text: string, facts: Facts = {}, extra: Partial<ToolResultPart> = {}): unknown {
  const result = placed(tool, input, text, facts, extra)
  const part = digestOf(result, facts)
  if (part === null) return null
  const shown = JSON.parse(resultText(part)) as { data: { recall?: string } }
  expect(shown.data.recall).toBe(handleOf(resultText(result.part)))
  delete shown.data.recall
  return shown
}

describe('by the kind of tool', () => {
  it('R004-9 Q-41 keeps the folder, the counts and the first 10 entries of a listing', () => {
    const text = `${lines(20, (at) => `dir${at}/`)}\n${lines(40, (at) => `file${at}.ts`)}`
    expect(digest('LS', { path: 'src' }, text)).toEqual({
      status: 'success',
      data: {
        path: 'src',
        entries: ['dir1/', 'dir2/', 'dir3/', 'dir4/', 'dir5/', 'dir6/', 'dir7/', 'dir8/', 'dir9/', 'dir10/'],
        total: 60,
        folders: 20,
        files: 40,
      },
    })
  })

  it.each([
    [
      'as ls -l writes them',
      `total 48\n${'drwxr-xr-x 2 a a 4096 .git\n'.repeat(9)}${'-rw-r--r-- 1 a a 12 a.ts\n'.repeat(11)}`,
      9,
      11,
    ],
    ['with a mark before them', `Directory listing for src:\n${'[DIR] lib\n'.repeat(20)}${'a.ts\n'.repeat(40)}`, 20, 40],
  ])('R004-9 distinguishes folders from files %s', (_name, text, folders, files) => {
    expect(digest('list_directory', { path: 'src' }, text)).toMatchObject({ data: { total: folders + files, folders, files } })
  })

  it('R004-10 Q-41 keeps the pattern, the number of hits, the first 10, and the truncation flag of a glob', () => {
    const text = `Found 40 files\n${lines(40, (at) => `src/file${at}.ts`)}\n(Results are truncated. Use a narrower pattern.)`
    expect(digest('Glob', { pattern: '**/*.ts' }, text)).toEqual({
      status: 'success',
      data: { pattern: '**/*.ts', hits: 40, paths: lines(10, (at) => `src/file${at}.ts`).split('\n'), truncated: true },
    })
  })

  const matches = lines(40, (at) => `src/file${at % 7}.ts:${at}:  const total = ${at}`)
  const first = lines(5, (at) => `src/file${at}.ts:${at}:  const total = ${at}`).split('\n')

  it('R004-11 R004-17 Q-41 keeps the pattern, the numbers of matches and files, and the first 5 matches of a search', () => {
    expect(digest('Grep', { pattern: 'total' }, matches)).toEqual({
      status: 'success',
      data: { pattern: 'total', matches: 40, files: 7, first },
    })
  })

  it('R004-11 adds the file name to a match under a heading', () => {
    const text = `Found 24 matches\n${lines(3, (file) => `src/f${file}.ts:\n${lines(8, (at) => `  Line ${at}: total is ${at}`)}\n`)}`
    expect(digest('grep', { pattern: 'total' }, text)).toEqual({
      status: 'success',
      data: {
        pattern: 'total',
        matches: 24,
        files: 3,
        first: lines(5, (at) => `src/f1.ts:Line ${at}: total is ${at}`).split('\n'),
      },
    })
  })

  it('R004-11 keeps the first files of a search that names only files', () => {
    expect(digest('Grep', { pattern: 'total' }, `Found 60 files\n${lines(60, (at) => `src/a${at}.ts`)}`)).toEqual({
      status: 'success',
      data: { pattern: 'total', matches: 60, first: ['src/a1.ts', 'src/a2.ts', 'src/a3.ts', 'src/a4.ts', 'src/a5.ts'] },
    })
  })

  it('R004-12 R004-17 Q-43 keeps the first 500 lines of a read with their numbers in the file', () => {
    const text = lines(900, (at) => `const value${at} = ${at}`)
    expect(digest('Read', { file_path: 'a.ts', offset: 11 }, text)).toEqual({
      status: 'success',
      data: {
        path: 'a.ts',
        lines: '11-510',
        lines_read: 900,
        content: lines(500, (at) => `${at + 10}→const value${at} = ${at}`),
      },
    })
  })

  it('R004-12 keeps existing line numbers and derives the range from them', () => {
    const text = `📄 a.ts (lines 200-1099/2000)\n${lines(900, (at) => `${at + 199}→const value${at} = ${at}`)}`
    expect(digest('filesystem-read', { filePath: 'a.ts' }, text)).toEqual({
      status: 'success',
      data: { path: 'a.ts', lines: '200-698', lines_read: 900, content: text.split('\n').slice(0, 500).join('\n') },
    })
  })

  it('R004-12 leaves a read of up to 500 lines unchanged', () => {
    expect(
      digest(
        'Read',
        { file_path: 'a.ts' },
        lines(500, (at) => `line ${at}`),
      ),
    ).toBeNull()
  })

  it('R004-13 R004-17 Q-41 keeps the file, the changed lines and a fragment of 20 lines of an edit', () => {
    const text = `The file a.ts has been updated.\n${lines(60, (at) => `${at + 100}→  call(${at})`)}`
    expect(digest('Edit', { file_path: 'a.ts' }, text)).toEqual({
      status: 'success',
      data: { path: 'a.ts', changed: ['101-160'], fragment: text.split('\n').slice(0, 20).join('\n') },
    })
  })

  it('R004-13 keeps only counts and places of a large diff', () => {
    const hunk = (at: number) =>
      `@@ -${at},30 +${at + 1},31 @@\n${lines(30, (line) => `-old ${line}`)}\n${lines(31, (line) => `+new ${line}`)}`
    const text = `Applied.\n--- a/a.ts\n+++ b/a.ts\n${hunk(10)}\n${hunk(200)}`
    expect(digest('apply_patch', { path: 'a.ts' }, text)).toEqual({
      status: 'success',
      data: { path: 'a.ts', summary: 'Applied.', added: 62, removed: 60, changed: ['11-41', '201-231'] },
    })
  })

  it.each([
    ['created', 'File created successfully at: a.ts'],
    ['overwritten', 'Successfully overwrote a.ts; here is what it holds now:'],
  ])('R004-14 R004-17 Q-41 keeps path, action and the first 50 lines of a file that was %s', (action, said) => {
    const text = `${said}\n${lines(120, (at) => `call(${at})`)}`
    expect(digest('Write', { file_path: 'a.ts' }, text)).toEqual({
      status: 'success',
      data: { path: 'a.ts', action, fragment: text.split('\n').slice(0, 50).join('\n') },
    })
  })

  it('R004-15 Q-41 keeps the exit code, the first 3 and last 5 lines of stdout and the last 20 of stderr of a command', () => {
    const stdout = lines(90, (at) => `ok ${at}`)
    const stderr = lines(50, (at) => `warning ${at}`)
    expect(digest('terminal-execute', { command: 'npm test' }, JSON.stringify({ stdout, stderr, exitCode: 1 }))).toEqual({
      status: 'error',
      data: {
        command: 'npm test',
        exitCode: 1,
        stdout_summary: 'ok 1\nok 2\nok 3\n…\nok 86\nok 87\nok 88\nok 89\nok 90',
        stdout_lines: 90,
        stderr_tail: lines(20, (at) => `warning ${at + 30}`),
      },
    })
  })

  it('R004-15 Q-9c counts stdout only and keeps the tail of stderr of a command whose text merges both', () => {
    const stderr = lines(50, (at) => `warning ${at}`)
    const text = `${lines(90, (at) => `ok ${at}\nwarning ${at}`)}\n[exit code 0]`
    const stdout = `ok 1\nok 2\nok 3\nok 4\n${lines(20, (at) => `ok ${at + 70}`)}`
    const extra = { metadata: { exitCode: 0, stdout, stdoutLines: 90, stderrTail: stderr } }
    expect(digest('Bash', { command: 'make' }, text, {}, extra)).toMatchObject({
      data: {
        exit_code: 0,
        stdout_summary: 'ok 1\nok 2\nok 3\n…\nok 86\nok 87\nok 88\nok 89\nok 90',
        stdout_lines: 90,
        stderr_tail: lines(20, (at) => `warning ${at + 30}`),
      },
    })
  })

  it('R004-15 shortens plain-text output and removes terminal control sequences', () => {
    const text = `\u001b[32mbuilding\u001b[0m\n${lines(200, (at) => `step ${at}`)}\n10 %\r100 %\nexit code: 0`
    expect(digest('Bash', { command: 'make' }, text)).toEqual({
      status: 'success',
      data: {
        command: 'make',
        exit_code: 0,
        stdout_summary: 'building\nstep 1\nstep 2\n…\nstep 198\nstep 199\nstep 200\n100 %\nexit code: 0',
        stdout_lines: 203,
      },
    })
  })

  it('R004-15 keeps the last 20 lines of a failed command in plain text', () => {
    const text = `${lines(90, (at) => `ok ${at}`)}\nexit code: 2`
    expect(digest('Bash', { command: 'make' }, text)).toMatchObject({
      status: 'error',
      data: { exit_code: 2, stderr_tail: text.split('\n').slice(-20).join('\n') },
    })
  })

  it.each([
    ['one long line', 'x'.repeat(4000)],
    ['eight long lines', lines(8, (at) => String(at).repeat(900))],
    ['many long lines', lines(80, (at) => '字'.repeat(100 + at))],
    ['characters of two units', '🎉'.repeat(3000)],
  ])('R004-15 Q-41 limits the summary of stdout to 500 characters: %s', (_name, text) => {
    const shown = digest('Bash', {}, text) as { data: { stdout_summary: string } }
    const characters = [...shown.data.stdout_summary]
    expect(characters.length).toBeLessThanOrEqual(500)
    expect(characters.length).toBeGreaterThan(450)
    expect(shown.data.stdout_summary.isWellFormed()).toBe(true)
  })

  it.each([
    ['of the call', (tasks: readonly object[]) => [{ todos: tasks }, 'Todos were changed. '.repeat(60)] as const],
    ['of the answer', (tasks: readonly object[]) => [{}, JSON.stringify({ todos: tasks })] as const],
  ])('R004-16 keeps only a recap of a task list, %s', (_name, write) => {
    const tasks = Array.from({ length: 30 }, (_, at) => ({
      content: `task ${at}`,
      status: at < 20 ? 'completed' : at === 25 ? 'in_progress' : 'pending',
      activeForm: `Doing task ${at}`,
    }))
    const open = [25, 20, 21, 22, 23, 24, 26, 27, 28, 29].map((at) => `${at === 25 ? 'in_progress' : 'pending'}: task ${at}`)
    expect(digest('TodoWrite', ...write(tasks))).toEqual({
      status: 'success',
      data: { recap: { total: 30, done: 20, open } },
    })
  })

  it('R004-16 reads checkboxes as tasks', () => {
    const text = `${lines(40, (at) => `- [x] finished task number ${at}`)}\n- [ ] the open one`
    expect(digest('todo_write', {}, text)).toEqual({
      status: 'success',
      data: { recap: { total: 41, done: 40, open: ['pending: the open one'] } },
    })
  })

  it('R004-18 Q-41 keeps 1000 characters, head and tail, of an unknown tool', () => {
    const text = `${'a'.repeat(3000)}${'🎉'.repeat(3000)}`
    expect(digest('mcp__tracker__list', {}, text)).toEqual({
      status: 'success',
      data: { content: `${'a'.repeat(500)}…${'🎉'.repeat(499)}`, omitted_chars: 5001 },
    })
  })

  it('R004-18 keeps flags, short fields and the first list items of data from an unknown tool', () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ id: at, name: `row ${at}` }))
    expect(digest('mcp__tracker__list', {}, JSON.stringify({ more: true, rows, note: 'n'.repeat(2000) }))).toEqual({
      status: 'success',
      data: { more: true, rows: rows.slice(0, 5), rows_total: 100, note: `${'n'.repeat(100)}…${'n'.repeat(99)}` },
    })
  })

  it.each(['Read', 'Grep', 'mcp__x'])('R004-18 shows data as text that is nested too deeply to be serialized: %s', (tool) => {
    const text = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    expect(digest(tool, {}, text)).toEqual({
      status: 'success',
      data: { content: `${'['.repeat(500)}…${']'.repeat(499)}`, omitted_chars: 99_001 },
    })
  })

  it.each(['repo_map', 'screenshot', 'recall'])('R004-18 compresses %s like an unknown tool', (tool) => {
    expect(digest(tool, {}, 'y'.repeat(5000))).toEqual({
      status: 'success',
      data: { content: `${'y'.repeat(500)}…${'y'.repeat(499)}`, omitted_chars: 4001 },
    })
  })
})

describe('a response that has a frame already', () => {
  const found = Array.from({ length: 30 }, (_, at) => ({ file: 'a.ts', line: at, text: 'total' }))
  const frame = {
    text: 'x'.repeat(900),
    stats: { time_ms: 12 },
    context: { cwd: '/', params_input: { pattern: 'total', path: 'src' } },
  }

  it('R004-19 R004-20 R004-47 R004-55 keeps status and flags, compresses data, drops text, stats and context', () => {
    const text = JSON.stringify({ status: 'partial', data: { matches: found, truncated: true, fallback: 'python' }, ...frame })
    const part = digestOf(placed('Grep', {}, text), {})
    expect(part?.content).toEqual({
      type: 'text',
      text: `{"status":"partial","data":{"path":"src","pattern":"total","matches":${JSON.stringify(found.slice(0, 5))},"matches_total":30,"truncated":true,"fallback":"python","recall":"${handleOf(text)}"}}`,
    })
  })

  it('Q-22 moves path, pattern, query and the change note into the data before the rest is dropped', () => {
    const text = `${'x'.repeat(900)}\nNote: a.ts was modified externally.`
    const context = { path: 'a.ts', params: { query: 'total' } }
    expect(digest('Read', {}, JSON.stringify({ status: 'success', data: { content: 'short' }, text, context }))).toEqual({
      status: 'success',
      data: { path: 'a.ts', query: 'total', modified_externally: true, content: 'short' },
    })
  })

  it('Q-22 prefers a subject in the data to the one in the call', () => {
    const data = { path: 'real/a.ts', content: 'short' }
    const shown = digest('Read', { file_path: 'asked' }, JSON.stringify({ status: 'success', data, ...frame }))
    expect(shown).toEqual({ status: 'success', data: { path: 'real/a.ts', pattern: 'total', content: 'short' } })
  })

  it('R004-19 Q-42 keeps an error in full, with its code and message', () => {
    const error = { code: 'TIMEOUT', message: 'm'.repeat(3000) }
    const data = { stdout: 'y\n'.repeat(4000), stderr: lines(40, (at) => `e${at}`) }
    expect(digest('Bash', {}, JSON.stringify({ status: 'error', error, data, ...frame }))).toEqual({
      status: 'error',
      data: {
        path: 'src',
        pattern: 'total',
        stdout_summary: 'y\ny\ny\n…\ny\ny\ny\ny\ny',
        stdout_lines: 4000,
        stderr_tail: lines(20, (at) => `e${at + 20}`),
      },
      error,
    })
  })

  it('R004-19 Q-42 keeps an error in full in data without a frame', () => {
    const message = 'm'.repeat(3000)
    expect(digest('mcp__x', {}, JSON.stringify({ success: false, message, trace: 't'.repeat(3000) }))).toEqual({
      status: 'error',
      data: { success: false, trace: `${'t'.repeat(100)}…${'t'.repeat(99)}` },
      error: message,
    })
  })

  it('keeps the text of a response without data, by the kind of its tool', () => {
    const text = lines(40, (at) => `src/file${at}.ts`)
    expect(digest('Glob', {}, JSON.stringify({ status: 'success', data: null, text, stats: {} }))).toMatchObject({
      data: { hits: 40 },
    })
  })

  it('treats an unknown status as data', () => {
    const issue = { status: 'open', text: 'x'.repeat(3000), title: 'a bug' }
    expect(digest('mcp__tracker__get', {}, JSON.stringify(issue))).toMatchObject({
      status: 'success',
      data: { status: 'open', title: 'a bug' },
    })
  })
})

describe('choosing a digest', () => {
  const text = lines(400, (at) => `src/file${at}.ts`)

  it('R004-49 depends on the name of the tool, for any agent', () => {
    const names = { LS: 'entries', list_dir: 'entries', glob: 'paths', file_search: 'paths', rg: 'first', unheard_of: 'content' }
    for (const [tool, field] of Object.entries(names))
      expect(digest(tool, {}, text), tool).toMatchObject({ data: { [field]: expect.anything() } })
  })

  it('R004-21 prefers a row of the caller’s own table to the built-in rule', () => {
    const tools = [{ name: 'Glob', kind: 'glob', digest: (source: { text: string }) => ({ said: source.text.length }) }] as const
    expect(digest('Glob', {}, text, { tools })).toEqual({ status: 'success', data: { said: text.length } })
    const whole = [{ name: 'Glob', kind: 'glob', digest: () => null }] as const
    expect(digest('Glob', {}, text, { tools: whole })).toBeNull()
  })

  it('Q-41 takes all numbers from settings and ignores invalid ones', () => {
    const config = { compression: { glob_entries: 2 } }
    expect(digest('Glob', {}, text, { config })).toMatchObject({ data: { paths: ['src/file1.ts', 'src/file2.ts'] } })
    const odd = { compression: { glob_entries: Number.NaN, list_entries: -1, other_chars: 'many' as unknown as number } }
    expect(digest('Glob', {}, text, { config: odd })).toMatchObject({ data: { hits: 400 } })
    expect(digest('LS', {}, text, { config: odd })).toMatchObject({ data: { total: 400 } })
    expect(digest('x', {}, text, { config: odd })).toMatchObject({ data: { content: expect.any(String) } })
  })
})

describe('no digest', () => {
  it.each([
    ['an empty result', 'Bash', ''],
    ['a short result', 'Grep', 'src/a.ts:1: total'],
    ['an error in plain text', 'Grep', `Error: ${'no '.repeat(2000)}`],
  ])('Q-31 is made of %s', (_name, tool, text) => expect(digest(tool, {}, text)).toBeNull())

  it('Q-31 is made if it would have more tokens, though fewer characters', () => {
    const tokens = { name: 'spaces', count: (text: string) => text.split('"').length }
    expect(digest('mcp__x', {}, 'y'.repeat(5000), { tokens })).toBeNull()
  })
})

describe('the digested part', () => {
  it('keeps everything but its content, and an image next to it', () => {
    const image = { type: 'media', mediaType: 'image/png', data: { url: 'a' } } as const
    const part: ToolResultPart = {
      type: 'tool-result',
      callId: 'call-a',
      tool: null,
      status: 'done',
      content: { type: 'list', items: [image, { type: 'text', text: 'y'.repeat(4000) }, { type: 'text', text: 'z' }] },
    }
    const shown = digestOf(placed('mcp__x', {}, '', {}, part), {})
    expect(shown).toEqual({
      ...part,
      content: { type: 'list', items: [image, { type: 'text', text: expect.stringContaining('"recall"') }] },
    })
    expect(shown?.content.type === 'list' && shown.content.items[0]).toBe(image)
  })

  it('names the complete content of an extract', () => {
    const blob = { sha256: 'f'.repeat(64), bytes: 9_000_000, handle: 'abcdefabcdef' }
    const part = digestOf(placed('mcp__x', {}, 'y'.repeat(4000), {}, { blob }), {})
    expect(part === null ? null : JSON.parse(resultText(part))).toMatchObject({ data: { recall: 'abcdefabcdef' } })
  })

  it('Q-10 is the same object while its inputs are unchanged', () => {
    const result = placed('mcp__x', {}, 'y'.repeat(4000))
    const part = digestOf(result, {})
    expect(digestOf(result, {})).toBe(part)
    expect(digestOf({ ...result }, { now: 5 })).toBe(part)
    expect(digestOf(result, { config: { compression: { other_chars: 10 } } })).not.toEqual(part)
  })
})
