import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Policy, policiesNamed, recall, specPolicies } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { startAgent, type TestAgent } from '../packages/node/src/agent/testing/start-agent.ts'
import { streamedAnswer } from '../packages/node/src/agent/testing/streamed-answer.ts'
import type { ChatMessage } from '../packages/node/src/model/testing/openai-server.ts'
import { recallSourceOf } from '../packages/node/src/session/recall-source.ts'

interface Call {
  readonly tool: string
  readonly input: object
}

const minute = 60_000
const outdated = '此命令返回内容已过时'
const lines = (count: number, text = 'line') => Array.from({ length: count }, (_, at) => `${text} ${at + 1}\n`).join('')
const files = {
  'CODE_LAW.md': 'Tests first.\n',
  'src/long.ts': lines(700, 'const value ='),
  ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`pages/page-${at}.ts`, lines(20, 'needle on page')])),
}

/** An agent whose model makes the calls of each round one by one. Every call takes three minutes, and the user 20 between rounds. */
async function agentWithRounds(rounds: readonly (readonly Call[])[], policies: readonly Policy[] = digests) {
  const clock = { now: Date.UTC(2026, 0, 5, 9) }
  const answers = rounds.flatMap((calls, round) => [
    ...calls.map(({ tool, input }, at) => streamedAnswer({ calls: [{ id: `call-${round}-${at}`, tool, input }] })),
    streamedAnswer({ text: 'Finish' }),
  ])
  const [first = streamedAnswer({ text: 'Finish' }), ...others] = answers
  const test = await startAgent({
    files,
    policies,
    answers: [first, ...others],
    // Without a cache every rule takes effect at once, and what was trimmed stays trimmed.
    config: { prices: { test: { input: 1, output: 2 } } },
    options: { now: () => clock.now },
    onEvent({ type }) {
      if (type === 'tool_call_end') clock.now += 3 * minute
    },
  })
  for (const round of rounds.keys()) {
    await test.turn(`Round ${round + 1}`)
    clock.now += 20 * minute
  }
  return test
}

/** Messages of one of the requests; by default of the last one. */
function sentIn({ server }: TestAgent, request = -1): readonly ChatMessage[] {
  return server?.requests.at(request)?.body.messages ?? []
}

function resultsIn(test: TestAgent, request = -1): readonly string[] {
  return sentIn(test, request)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
}

const digests = policiesNamed('digests')
const question: readonly Call[] = []
const command = (text: string): Call => ({ tool: 'Bash', input: { command: text } })
const reading = (path: string, range: object = {}): Call => ({ tool: 'Read', input: { file_path: path, ...range } })

describe('004, A1: layers', () => {
  it('R004-1 R004-2 R004-3 R004-4 come in order: system prompt, CODE_LAW.md, history, input, recap', async () => {
    const todos = [{ content: 'Write the parser', status: 'in_progress' }]
    const test = await agentWithRounds([[{ tool: 'TodoWrite', input: { todos } }], question])
    const [system, ...rest] = sentIn(test)
    expect(system?.content).toMatch(/^You are a coding agent[^]*\n\nProject rules \(CODE_LAW\.md\):\n\nTests first\.$/)
    expect(rest.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Round 1'],
      ['assistant', null],
      ['tool', 'Todo: 0 open, 1 in progress, 0 done\n- [>] Write the parser'],
      ['assistant', 'Finish'],
      ['user', 'Round 2'],
      ['user', expect.stringMatching(/^<system-reminder>[^]*Write the parser/)],
    ])
  })
})

describe('004, A2: reasoning works with full results, history has the compressed record', () => {
  it('R004-5 R004-6 Q-43c sends full results until the round is finished, then digests', async () => {
    const test = await agentWithRounds([[command('seq 1 400'), reading('src/long.ts', { limit: 150 })], question])
    const [output = '', file = ''] = resultsIn(test, 2)
    expect(output.split('\n')).toHaveLength(401)
    expect(file).toContain('const value = 150')
    expect(JSON.parse(resultsIn(test)[0] ?? '')).toMatchObject({ status: 'success', data: { stdout_lines: 400 } })
  })

  it('Q-43b Q-43c follows 000 and 001 in the running round, and leaves trimmed what they trimmed', async () => {
    const commands = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => command(`echo ${number}`))
    const afterCommands = await agentWithRounds([commands, question])
    const shown = [outdated, outdated, '3', '4', '5', '6', '7', '8']
    expect(resultsIn(afterCommands, 8).map((text) => text.split('\n', 1)[0])).toEqual(shown)
    expect(resultsIn(afterCommands).map((text) => text.split('\n', 1)[0])).toEqual(shown)
    const reads = [0, 1, 2, 3, 4, 5].map((more) => reading('src/long.ts', { limit: 600 + more }))
    const running = resultsIn(await agentWithRounds([reads]), 6)
    expect(running.map((text) => text.includes('const value = 600'))).toEqual([false, true, true, true, true, true])
  })

  it('R004-12 R004-15 Q-43b shows digests of completed rounds where 000 and 001 would show one line', async () => {
    const rounds = [[command('seq 1 400')], ...[1, 2, 3, 4, 5, 6].map(() => [reading('src/long.ts')]), question]
    const [output, ...files] = resultsIn(await agentWithRounds(rounds)).map((text) => JSON.parse(text).data)
    expect(output).toMatchObject({ command: 'seq 1 400', stdout_lines: 400 })
    expect(files.map(({ content }) => content.split('\n').length)).toEqual([500, 500, 500, 500, 500, 500])
    const [line, repeated, latest] = resultsIn(await agentWithRounds(rounds, specPolicies))
    expect([line, repeated]).toEqual([outdated, expect.stringMatching(/^\[该文件的历史读取内容/)])
    expect(latest).toContain('const value = 700')
  })
})

describe('004, A3: what history keeps of each tool', () => {
  // biome-ignore format: a table
  it.each<readonly [label: string, call: Call, expected: object]>([
    ['R004-9 LS: folder, counts, first 10 entries', { tool: 'LS', input: { path: 'pages' } }, { path: 'pages', total: 30, files: 30, entries: { length: 10 } }],
    ['R004-10 Glob: pattern, hits, first 10', { tool: 'Glob', input: { pattern: 'pages/*.ts' } }, { pattern: 'pages/*.ts', hits: 30, paths: { length: 10 } }],
    ['R004-11 Grep: summary, first 5 matches with file and line', { tool: 'Grep', input: { pattern: 'needle' } }, { pattern: 'needle', first: { length: 5, 0: 'pages/page-0.ts:1:needle on page 1' } }],
    ['R004-12 R004-17 Read: the range with line numbers, 500 lines', reading('src/long.ts'), { path: 'src/long.ts', lines: '1-499', content: expect.stringMatching(/\n {3}499\tconst value = 499$/) }],
    ['R004-15 Bash: summary', command('seq 1 400'), { command: 'seq 1 400', exit_code: 0, stdout_summary: '1\n2\n3\n…\n396\n397\n398\n399\n400', stdout_lines: 400 }],
  ])('%s', async (_label, call, expected) => {
    const test = await agentWithRounds([[call], question])
    const digest: unknown = JSON.parse(resultsIn(test)[0] ?? '')
    expect(digest).toMatchObject({ status: 'success', data: { ...expected, recall: expect.stringMatching(/^[0-9a-f]{12}$/) } })
  })

  it('R004-15 R004-19 Bash with stderr: status error, exit code, the last 20 lines of stderr', async () => {
    const test = await agentWithRounds([[command('seq 1 400; seq 500 560 >&2; exit 3')], question])
    const { status, data } = JSON.parse(resultsIn(test)[0] ?? '')
    expect([status, data.exit_code, data.stderr_tail]).toEqual([
      'error',
      3,
      lines(20, '')
        .replaceAll(/ (\d+)/g, (_, at) => `${540 + Number(at)}`)
        .trim(),
    ])
  })

  it('R004-16 TodoWrite: the recap', async () => {
    const todos = [{ content: 'Write the parser', status: 'pending' }]
    const test = await agentWithRounds([[{ tool: 'TodoWrite', input: { todos } }], question])
    expect(resultsIn(test)).toEqual(['Todo: 1 open, 0 in progress, 0 done\n- [ ] Write the parser'])
  })

  it('R004-8 keeps the log complete, so that every digest can be recalled', async () => {
    const test = await agentWithRounds([[command('seq 1 400')], question])
    const { data } = JSON.parse(resultsIn(test)[0] ?? '')
    const found = recall({ handle: data.recall }, recallSourceOf(test.session))
    expect(found).toMatchObject({
      kind: 'found',
      text: `${Array.from({ length: 400 }, (_, at) => at + 1).join('\n')}\n[exit code 0]`,
    })
  })
})

describe('004, files that the user mentions, and files that others change', () => {
  it('R004-36 R004-37 R004-38 R004-40 sends a reminder below the user’s words, and no content of the files', async () => {
    const test = await startAgent({ files, policies: specPolicies, answers: [streamedAnswer({ text: 'Finish' })] })
    await test.turn('Compare @src/long.ts with @pages/page-1.ts and @src/long.ts; mail me@example.org')
    expect(sentIn(test).findLast(({ role }) => role === 'user')?.content).toBe(
      'Compare @src/long.ts with @pages/page-1.ts and @src/long.ts; mail me@example.org\n\n' +
        '<system-reminder>\nThe user mentioned @src/long.ts, @pages/page-1.ts.\nYou MUST read these files with the Read tool before answering.\n</system-reminder>',
    )
    expect(JSON.stringify(sentIn(test))).not.toContain('needle on page')
  })

  it('R004-44 R004-45 notes in a read that the file was changed by someone else since the last one', async () => {
    const read = (id: string) => streamedAnswer({ calls: [{ id, tool: 'Read', input: { file_path: 'CODE_LAW.md' } }] })
    const done = streamedAnswer({ text: 'Finish' })
    const test = await startAgent({ files, policies: specPolicies, answers: [read('first'), done, read('second'), done] })
    await test.turn('Read the law')
    const law = join(test.root, 'CODE_LAW.md')
    writeFileSync(law, 'Tests last.\n')
    utimesSync(law, 2_000_000_000, 2_000_000_000)
    await test.turn('Read it again')
    const [first = '', second = ''] = resultsIn(test)
    expect([first, second].map((text) => text.includes('Note: CODE_LAW.md was modified externally.'))).toEqual([false, true])
  })
})

describe('004, compression of the history', () => {
  it('R004-29 R004-33 R004-35 replaces older rounds with the template when the window is four fifths full', async () => {
    const said = (number: number) => `Answer ${number}. ${'The harbour master writes the tides down. '.repeat(250)}`
    const test = await startAgent({
      files,
      policies: specPolicies,
      config: { context_window: 24_000, output_reserve: 2000, compaction: { keep_rounds: 2, model: null } },
      answers: [
        ({ body }) => {
          const rounds = body.messages.filter(({ role }) => role === 'user').length
          return { kind: 'text', text: body.tools === undefined ? 'no summary' : said(rounds), prompt: 'estimated' }
        },
      ],
    })
    for (let round = 1; round <= 9; round += 1) await test.turn(`Question ${round}`)
    const requests = (test.server?.requests ?? []).filter(({ body }) => body.tools !== undefined)
    const text = (request: (typeof requests)[number] | undefined) => JSON.stringify(request?.body.messages)
    expect(text(requests[0])).not.toContain('Archived Session Summary')
    expect(text(requests.at(-1))).toContain('## 📌 Archived Session Summary')
    expect(text(requests.at(-1))).toContain('### 🎯 Objectives & Status')
    expect(text(requests.at(-1))).toContain('Question 9')
    // Of nine answers of 250 sentences, at most the latest three are whole.
    expect(text(requests.at(-1)).split('tides down').length).toBeLessThan(900)
  })
})

describe('004 in the default set', () => {
  it('Q-43b never gives a command or a read a digest: 000 and 001 keep or trim them', async () => {
    const test = await agentWithRounds([[command('seq 1 400'), reading('src/long.ts')], question], specPolicies)
    const [output = '', file = ''] = resultsIn(test)
    expect([output.split('\n').length, file.includes('const value = 700')]).toEqual([401, true])
  })
})
