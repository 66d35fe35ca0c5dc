import type { ToolCallPart } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { callKind, callTexts } from './call-texts.ts'
import { idsIn, pathsIn, symbolsIn } from './need-symbols.ts'
import { anchorsIn, errorLinesIn, factsIn } from './need-uses.ts'

function call(tool: string, input: unknown): ToolCallPart {
  return { type: 'tool-call', callId: 'c', tool, input }
}

describe('N1 the lines that an edit expects', () => {
  const lines = '  const total = 0\n}\n  return total  '
  const found = ['  const total = 0', '  return total']
  const patch =
    '*** Begin Patch\n*** Update File: a.ts\n@@ f\n   const total = 0\n-  return total\n+  return total + 1\n*** End Patch'
  it.each<[string, ToolCallPart, readonly string[]]>([
    ['Claude Code', call('Edit', { file_path: 'a.ts', old_string: lines, new_string: 'nothing at all' }), found],
    ['several at once', call('MultiEdit', { edits: [{ old_string: lines }, { old_string: lines }] }), found],
    ['as text', call('Edit', JSON.stringify({ old_string: lines })), found],
    ['OpenHands and SWE-agent', call('str_replace_editor', { command: 'str_replace', old_str: lines, new_str: 'x' }), found],
    ['lines with their numbers', call('Edit', { old_string: '    12\t  const total = 0\n  13→  return total' }), found],
    ['a view of the same tool', call('str_replace_editor', { command: 'view', path: 'a.ts' }), []],
    ['pi', call('edit', { path: 'a.ts', oldText: lines, newText: 'x' }), found],
    ['Codex', call('apply_patch', { input: patch }), found],
    ['Codex, as plain text', call('apply_patch', patch), found],
    ['a patch in a command', call('exec_command', { cmd: `apply_patch <<'EOF'\n${patch}\nEOF` }), found],
    [
      'a unified diff',
      call('apply_diff', {
        diff: '--- a/a.ts\n+++ b/a.ts\n@@ -1,2 +1,2 @@\n   const total = 0\n-  return total\n+  new line here\n',
      }),
      found,
    ],
    ['Cline', call('replace_in_file', { diff: `------- SEARCH\n${lines}\n=======\nnew code here\n+++++++ REPLACE` }), found],
    [
      'search and replace blocks',
      call('replace_in_file', { diff: `<<<<<<< SEARCH\n${lines}\n=======\nmore of it\n>>>>>>> REPLACE` }),
      found,
    ],
    ['sed', call('Bash', { command: "sed -i 's/const total = 0/x/' a.ts" }), []],
    ['a read', call('Read', { file_path: 'a.ts', search: lines }), []],
    ['no arguments', call('Edit', null), []],
  ])('%s', (_, given, expected) => expect(anchorsIn(given)).toEqual(expected))
})

describe('N2 the paths that a call names', () => {
  it.each<[string, ToolCallPart, readonly string[]]>([
    ['an argument', call('Read', { file_path: '/repo/src/a.ts' }), ['/repo/src/a.ts']],
    ['several', call('read_files', { paths: ['src/a.ts', 'src/b.ts'] }), ['src/a.ts', 'src/b.ts']],
    ['an argument of an unknown tool', call('mcp__x__y', { sourceFile: './lib/c.py' }), ['lib/c.py']],
    ['the top folder of a search', call('Grep', { pattern: 'a/b/c', path: 'lib/' }), []],
    ['a folder', call('Grep', { pattern: 'x', path: 'src/lib/' }), ['src/lib']],
    [
      'paths in a command',
      call('Bash', { command: 'cd src/lib && cat "helper.py" main.x:12 > /dev/null' }),
      ['src/lib', 'helper.py'],
    ],
    ['patterns of sed', call('Bash', { command: "sed 's/one/two/g' src/a.ts" }), ['src/a.ts']],
    ['a URL', call('Bash', { command: 'curl https://example.org/a/b' }), []],
    ['a pattern', call('Bash', { command: 'ls src/*.ts' }), []],
    ['the head of a patch', call('apply_patch', { input: '*** Begin Patch\n*** Update File: src/a.ts\n@@' }), ['src/a.ts']],
    ['a command without paths', call('Bash', { command: 'npm test' }), []],
  ])('%s', (_, given, expected) => expect(pathsIn(given)).toEqual(expected))
})

describe('N3 names of code', () => {
  it.each([
    [
      'written as names',
      'parseLine parse_line MAX_TOTAL utf16le HTTPServer',
      ['parseLine', 'parse_line', 'MAX_TOTAL', 'utf16le', 'HTTPServer'],
    ],
    [
      'used as names',
      'validate(x); tokens.reader; "lookup"; class Account; Pool::acquire',
      ['validate', 'tokens', 'reader', 'lookup', 'Account', 'acquire'],
    ],
    ['a complete argument', 'handler', ['handler']],
    ['prose', 'The handler gracefully recovers. Because reasons.', []],
    ['parts of paths', 'src/tokenReader.ts is in packages/nodeCore', []],
    ['keywords', 'function(x) { return isinstance(y) }', []],
    ['hashes', 'deadbeef12 abcdef0', []],
    ['too short', 'aB12 x_y_z', []],
    ['each once', 'fooBar1 fooBar1', ['fooBar1']],
  ])('%s', (_, text, expected) => expect(symbolsIn(text)).toEqual(expected))
})

describe('N4 strings that cannot be guessed', () => {
  it.each([
    ['a hash', 'git show 9a3cc84', ['9a3cc84']],
    ['words and numbers like hashes', 'feedbee 1234567', []],
    ['a UUID', 'id 123e4567-e89b-12d3-a456-426614174000', ['123e4567-e89b-12d3-a456-426614174000']],
    ['a URL', 'see https://example.org/a?b=c.', ['https://example.org/a?b=c']],
    ['a version', 'pip install x==1.24.3', ['1.24.3']],
    ['a port', 'curl localhost:8931', ['8931', 'localhost:8931']],
    ['an issue', 'fixes #512', ['#512']],
    ['a number with its key', 'seed=4711 and "timeout: 90"', ['seed=4711', 'timeout: 90']],
    ['a bare number', 'wait 90 seconds', []],
  ])('%s', (_, text, expected) => expect(idsIn(text)).toEqual(expected))
})

describe('N5 error lines', () => {
  const lines = (text: string, tool: string | null = 'Bash') =>
    errorLinesIn({ type: 'tool-result', callId: null, tool, content: { type: 'text', text } }, null).map((line) => line.text)
  it.each([
    [
      'of a compiler',
      "ok\nsrc/a.ts(7,2): error TS2304: Cannot find name 'readAll2'.\nok",
      ["src/a.ts(7,2): error TS2304: Cannot find name 'readAll2'."],
    ],
    ['of an interpreter', '  ParseError: bad_token at 7', ['ParseError: bad_token at 7']],
    ['of a test', '--- FAIL: TestParseLine (0.00s)', ['--- FAIL: TestParseLine (0.00s)']],
    ['without a name', 'error: it did not work', []],
    ['code', 'func (a *App) ReadAll2() (int, error) {', []],
    ['lines of a file', '12→  throw new ParseError("x") // error: bad_token', []],
    ['only the start of a long one', `error: bad_token ${'x'.repeat(137)} yyyyyyyyyy`, [`error: bad_token ${'x'.repeat(137)}`]],
    ['each once', 'error: bad_token\nerror: bad_token', ['error: bad_token']],
  ])('%s', (_, text, expected) => expect(lines(text)).toEqual(expected))

  it('ignores a file that was read', () => expect(lines('error: bad_token', 'Read')).toEqual([]))
  it('returns at most twenty', () =>
    expect(lines(Array.from({ length: 99 }, (_, n) => `error: bad_token ${n}`).join('\n'))).toHaveLength(20))
})

describe('N6 facts in an answer', () => {
  it.each([
    ['quotations', 'It says `npm run build` and "no such table".', ['npm run build', 'no such table']],
    ['code', 'So:\n```\nconst total = 1\n}\n```\nand no more of it', ['const total = 1']],
    [
      'paths, ids and names',
      'In src/parser/lines.ts at 9a3cc84d1f02 parseAllLines',
      ['src/parser/lines.ts', '9a3cc84d1f02', 'parseAllLines'],
    ],
    ['short strings are ignored', 'Done: `a.ts` fixed.', []],
  ])('%s', (_, text, expected) => expect(factsIn(text)).toEqual(expected))
})

describe('callTexts', () => {
  it('returns texts without the quotes of JSON, at any nesting', () =>
    expect(callTexts(call('x', { a: 'one\ntwo', b: [{ c: 'three' }, 'four'], d: 5, e: null }))).toEqual([
      { key: 'a', text: 'one\ntwo' },
      { key: 'd', text: '5' },
      { key: 'b', text: 'four' },
      { key: 'c', text: 'three' },
    ]))

  it('ends on arguments that contain themselves', () => {
    const input: Record<string, unknown> = { text: 'one' }
    input['self'] = input
    expect(callTexts(call('x', input))).toHaveLength(12)
  })

  it.each([
    ['Edit', {}, 'edit'],
    ['str_replace_editor', { command: 'view' }, 'file-read'],
    ['unknown', {}, 'other'],
  ])('callKind tells what %s does', (tool, input, kind) => expect(callKind(call(tool, input))).toBe(kind))
})
