import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

const folder = createFolder()
afterAll(folder.remove)

const user = { role: 'user', content: 'hello' }
const call = (id: unknown, input: unknown = '{}') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'Bash', arguments: input } }],
})
const result = (id: unknown, content: unknown) => ({ role: 'tool', tool_call_id: id, content })
const interrupted = 'Error: tool call was interrupted, no result'

let files = 0
function file(content: string | Uint8Array, extension = 'json'): string {
  files += 1
  return folder.write(`case-${files}.${extension}`, content)
}

describe('a file that cannot be viewed: exit code 1, one sentence, nothing on standard output', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'is empty'],
    ['blank', ' \n ', 'is empty'],
    ['binary', Uint8Array.of(0xff, 0x00, 0x9c), 'is not UTF-8 text'],
    [
      'cut off',
      '[{"role": "user", "content": "hel',
      'line 1, column 34: invalid JSON: expected the closing double quote of a string, got the end of the text',
    ],
    ['with a trailing comma', '[\n  {"role": "user"},\n]', 'line 3, column 1: invalid JSON: expected a value, got "]"'],
    [
      'with an escape sequence where JSON should be',
      '[\u001b[31m',
      'line 1, column 2: invalid JSON: expected a value, got U+001B',
    ],
    [
      'with an unknown role',
      JSON.stringify([user, { role: 'critic', content: 'no' }]),
      'messages[1].role: expected one of system, developer, user, assistant, tool, function, got "critic"',
    ],
    ['with a message that is not an object', JSON.stringify([user, 7]), 'messages[1]: expected'],
    ['with a message without a role', JSON.stringify([user, { content: 'x' }]), 'messages[1].role: expected one of'],
    [
      'nested 100,000 deep',
      `[{"role":"user","content":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`,
      'nested more than 1000 levels deep',
    ],
    [
      'of another kind',
      '{"name": "x"}',
      'expected a list of messages, or an object with such a list under "messages", "history" or "traj", got { "name" }',
    ],
    [
      'in a format not read yet',
      JSON.stringify({ model: 'm', input: 7 }),
      'looks like OpenAI Responses items, which this version cannot read',
    ],
  ])('%s', async (_name, content, sentence) => {
    const path = file(content)
    const { code, stdout, stderr } = await runCaptured(['view', path, '--json'])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).toContain(path)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(stderr).not.toMatch(/\n\s+at |\u001b/)
  })

  it.each([
    ['missing', '/nonexistent/chat.json', 'File not found: /nonexistent/chat.json'],
    ['a folder', folder.path, 'is a folder'],
    ['an empty name', '', 'File not found: ""'],
    ['an invisible name', '\u202e', 'File not found: ""'],
  ])('%s', async (_name, path, sentence) => {
    const { code, stdout, stderr } = await runCaptured(['view', path])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  it('has more messages and parts than fit into memory', async () => {
    const path = file(`[{"role":"user","content":[${'0,'.repeat(300_000)}0]}]`)
    expect(await runCaptured(['view', path])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${stringsFor('en').problem.tooManyParts(path, '300,000')}\n`,
    })
  })

  it('lacks the requested conversation', async () => {
    const path = file([{ messages: [user] }, { messages: [user] }].map((line) => JSON.stringify(line)).join('\n'), 'jsonl')
    expect(await runCaptured(['view', path, '--conversation', '3'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('from 1 to 2'),
    })
  })

  it('names a broken conversation among several by its number', async () => {
    const path = file(JSON.stringify([{ traj: [user] }, { traj: [{ role: 'critic' }] }]))
    expect((await runCaptured(['view', path, '--conversation', '2'])).stderr).toContain(
      `${path} (2) cannot be read as openai-chat: messages[0].role`,
    )
  })
})

describe('odd but readable input: exit code 0, content unchanged', () => {
  const same = (messages: readonly unknown[]) => messages
  it.each<[string, readonly unknown[], (messages: readonly unknown[]) => readonly unknown[]]>([
    ['an empty conversation', [], same],
    ['content null', [user, { role: 'assistant', content: null }], same],
    ['content that is a number', [{ role: 'user', content: 7 }], same],
    ['content that is an object', [{ role: 'user', content: { a: 1 } }], same],
    ['a list of unknown parts', [{ role: 'user', content: [{ type: 'hologram', data: [1, 2] }, 'x', null] }], same],
    ['arguments that do not parse', [call('a', '{"file'), result('a', 'ok')], same],
    ['arguments that are missing', [call('a', null), result('a', 'ok')], same],
    ['half a character', [user, { role: 'user', content: 'a\ud800b' }], same],
    ['a field called __proto__', [JSON.parse('{"role": "user", "content": "x", "__proto__": {"a": 1}}')], same],
    [
      'a call without an id',
      [{ role: 'assistant', content: 'x', tool_calls: [{ type: 'function', function: { name: 'Bash', arguments: '{}' } }] }],
      same,
    ],
    ['a result without an id', [user, { role: 'tool', content: 'x' }], same],
    [
      'a call without a result',
      [call('a'), user],
      () => [call('a'), expect.objectContaining({ role: 'tool', tool_call_id: 'a', content: interrupted }), user],
    ],
    ['a result before its call', [result('a', 'early'), call('a'), user], () => [call('a'), result('a', 'early'), user]],
    [
      'a result long before its call',
      [result('a', 'early'), user, call('a')],
      () => [user, call('a'), expect.objectContaining({ content: interrupted })],
    ],
    ['an id shared by two calls', [call('a'), result('a', 'one'), call('a'), result('a', 'two')], same],
    ['two results of one call', [call('a'), result('a', 'one'), result('a', 'two')], () => [call('a'), result('a', 'one')]],
  ])('%s', async (_name, messages, expected) => {
    const path = file(JSON.stringify(messages))
    const before = readFileSync(path)
    const { code, stdout, stderr } = await runCaptured(['view', path, '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const answer = JSON.parse(stdout) as { messages: unknown; report: { problems: unknown[] } }
    expect(answer.messages).toEqual(JSON.parse(JSON.stringify(messages)) && expected(messages))
    expect(answer.report.problems).toEqual([])
    expect(readFileSync(path)).toEqual(before)
    expect((await runCaptured(['view', path])).code).toBe(0)
  })

  it('handles a single line of 50 MB', async () => {
    const path = file(JSON.stringify([call('a'), result('a', 'x'.repeat(50_000_000)), user]))
    const { code, stdout, stderr } = await runCaptured(['view', path, '--json'])
    expect(code, stderr).toBe(0)
    expect(stdout.length).toBeLessThan(20_000)
  })

  it('shows names without their control characters', async () => {
    const evil = '\u001b]0;owned\u0007\u001b[2JBash\u202e\n'
    const path = file(
      JSON.stringify({
        model: evil,
        messages: [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'a', type: 'function', function: { name: evil, arguments: '{}' } }],
          },
        ],
      }),
    )
    const { code, stdout } = await runCaptured(['view', path, '--model', evil])
    expect(code).toBe(0)
    expect(stdout).toContain('Bash')
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]|owned/)
  })
})
