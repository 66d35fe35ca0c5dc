import { spawnSync } from 'node:child_process'
import { buildView, type Codec, codecs, specPolicies, trimMessages } from '@plimsoll/core'
import { viewRequest } from '@plimsoll/core/wire'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

// Plimsoll's behaviour where the source documents contradict each other.

const minute = 60_000
const outdated = '此命令返回内容已过时'

describe('outdated commands', () => {
  it('Q-1 an error is kept by its own rule and does not count towards the five kept results', () => {
    const history = [...command('old', 0), ...five(1), ...command('failed', 6, { exitCode: 1 })]
    expect(trimmedIds(history, 60)).toEqual(['old'])
  })

  it.each([
    ['an old call with a recent result', { called: 0, answered: 50 }, []],
    ['a recent call with an old result', { called: 50, answered: 0 }, ['odd']],
  ])('Q-12 the age of a command is that of its result: %s', (_name, { called, answered }, trimmed) => {
    const [call, result] = command('odd', answered)
    expect(trimmedIds([{ ...call, timestamp: called * minute }, result, ...five(52)], 60)).toEqual(trimmed)
  })
})

describe('one internal format for every dialect', () => {
  it('Q-13 the same conversation gets the same edits in every dialect', () => {
    const log = 'ordinary line\n'.repeat(2000)
    const seen = [
      edits(codecs['openai-chat'], [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'bash', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: log },
      ]),
      edits(codecs['openai-chat'], [
        { role: 'assistant', content: null, function_call: { name: 'bash', arguments: '{}' } },
        { role: 'function', name: 'bash', content: log },
      ]),
      edits(codecs.anthropic, [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'bash', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: log }] },
      ]),
      edits(codecs['ai-sdk'], [
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'bash', input: {} }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'bash', output: { type: 'text', value: log } }],
        },
      ]),
    ]
    expect(seen[0]).toEqual([{ policy: 'limit-tool-output', message: '1', part: 0, tool: 'bash' }])
    expect(seen).toEqual(seen.map(() => seen[0]))
  })
})

describe('the same input, the same bytes', () => {
  const history = [...command('old', 0), ...five(1), ...command('new', 50)]

  it('Q-32 a copy of the conversation gives the same text, and so does a later time if nothing has aged', () => {
    const once = JSON.stringify(trimMessages(history, { now: 60 * minute }))
    expect(JSON.stringify(trimMessages(structuredClone(history), { now: 60 * minute }))).toBe(once)
    expect(JSON.stringify(trimMessages(history, { now: 60 * minute + 1234 }))).toBe(once)
    expect(once).toContain(outdated)
  })

  it.each(['economic', 'auto'] as const)(
    'Q-32 an unsent conversation gives the same text with any timing, such as %s',
    (timing) => {
      const { messages } = codecs['openai-chat'].read(history)
      const input = { messages, policies: specPolicies, facts: { now: 60 * minute } }
      const { view } = buildView({ ...input, timing: 'immediate' })
      expect(JSON.stringify(buildView({ ...input, timing }).view)).toBe(JSON.stringify(view))
      expect(JSON.stringify(view)).toContain(outdated)
    },
  )
})

it('Q-44 the policies run in this order', () => {
  expect(specPolicies.map((policy) => policy.name)).toEqual([
    'pair-tool-calls',
    'filter-binary',
    // What a terminal would show; no rule looks for escape sequences.
    'shorten-losslessly',
    'trim-outdated-commands',
    'trim-repeated-reads',
    'compress-old-results',
    'limit-tool-output',
    'fit-window',
  ])
})

describe('the log', () => {
  it.each([
    ['its own limit', 'repo_map', 'info', /^工具 repo_map 输出被截断: 28000 -> \d+ 字符 \(\d+\.\d% 减少\)$/],
    ['the global limit', 'bash', 'warn', /^工具结果被截断: 28000 -> \d+ 字符$/],
  ])('Q-25b reports a cut by %s', (_name, tool, level, sentence) => {
    const request = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: tool, arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'ordinary line\n'.repeat(2000) },
    ]
    const records = viewRequest(codecs['openai-chat'], request, specPolicies, {}).log()
    expect(records.map((record) => record.level)).toEqual([level])
    expect(records[0]?.message).toMatch(sentence)
  })

  it('Q-51 goes to standard error as one JSON object per line, never to standard output', () => {
    const bin = `${root}/packages/node/bin/plimsoll.js`
    const environment = { ...process.env, LANG: 'C', LC_ALL: 'C', PLIMSOLL_LOG: 'info' }
    const { stdout, stderr, status } = spawnSync(process.execPath, [bin, 'view', '--json'], {
      encoding: 'utf8',
      cwd: root,
      env: environment,
    })
    const records = stderr
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as { message: string })
    expect(status).toBe(0)
    expect(Object.keys(JSON.parse(stdout) as object)).toEqual(['messages', 'report', 'window', 'strings'])
    expect(records.map((record) => record.message)).toContainEqual(expect.stringMatching(/^精简了 \d+ 个过时命令返回内容$/))
    expect(stdout).not.toContain('精简了')
  })
})

function command(id: string, at: number, { exitCode = 0 } = {}) {
  const call = { id, type: 'function', function: { name: 'terminal-execute', arguments: '{"command":"make"}' } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, timestamp: at * minute, content: JSON.stringify({ stdout: 'done', stderr: '', exitCode }) },
  ] as const
}

/** Five successful commands, one per minute. */
function five(from: number) {
  return [0, 1, 2, 3, 4].flatMap((index) => command(`five-${index}`, from + index))
}

function trimmedIds(history: readonly object[], now: number): readonly unknown[] {
  const { messages } = trimMessages(history as readonly Record<string, unknown>[], { now: now * minute })
  return messages.filter((message) => message['content'] === outdated).map((message) => message['tool_call_id'])
}

function edits(codec: Codec, request: unknown): readonly object[] {
  return viewRequest(codec, request, specPolicies, {}).report.edits.map(({ policy, message, part, tool }) => ({
    policy,
    message,
    part,
    tool,
  }))
}
