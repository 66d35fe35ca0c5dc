import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

const { command, view } = stringsFor('en')

const folder = createFolder()
afterAll(folder.remove)

const now = Date.parse('2026-01-31T10:00:00Z')
const minute = 60_000
const shell = (stdout: string) => JSON.stringify({ stdout, stderr: '', exitCode: 0 })

interface Answer {
  readonly messages: readonly Record<string, unknown>[]
  readonly report: {
    readonly tokensBefore: number
    readonly tokensAfter: number
    readonly edits: readonly Record<string, unknown>[]
    readonly rules: Readonly<Record<string, { readonly edits: number; readonly tokensSaved: number }>>
    readonly truncationRate: number
  }
}

/** A call and its result in OpenAI's format. */
function exchange(
  id: string,
  tool: string,
  input: unknown,
  content: string,
  minutesAgo: number,
): readonly Record<string, unknown>[] {
  const timestamp = now - minutesAgo * minute
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }],
      timestamp,
    },
    { role: 'tool', tool_call_id: id, content, timestamp },
  ]
}

const matches = Array.from({ length: 150 }, (_, at) => `cart.ts:${at + 1}: price`)
/** Three outdated commands, seven reads of one file, and two results over their limits. */
const busy = [
  { role: 'user', content: 'Build it, and find out who uses the price.', timestamp: now - 60 * minute },
  ...[1, 2, 3].flatMap((at) =>
    exchange(`old-${at}`, 'terminal-execute', { command: 'make' }, shell(`built ${at}\n`.repeat(40)), 60 - at),
  ),
  ...[1, 2, 3, 4, 5, 6, 7].flatMap((at) =>
    exchange(
      `read-${at}`,
      'filesystem-read',
      { filePath: at % 2 === 0 ? 'price.ts' : './price.ts' },
      `1→export const price = ${at}\n`.repeat(20),
      40 - at,
    ),
  ),
  ...exchange('nameless', 'filesystem-read', {}, '1→export const price = 8', 20),
  ...exchange('grep', 'grep_search', { pattern: 'price' }, matches.join('\n'), 5),
  ...exchange('log', 'terminal-execute', { command: 'npm test' }, 'ok: the total is right\n'.repeat(600), 2),
]

function write(value: unknown, name = 'chat.json'): string {
  return folder.write(name, JSON.stringify(value))
}

async function answerTo(...args: readonly string[]): Promise<Answer> {
  const { code, stdout, stderr } = await runCaptured(['view', ...args, '--json'])
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Answer
}

async function logOf(level: string): Promise<readonly Record<string, unknown>[]> {
  const { stderr } = await runCaptured(['view', write(busy), '--json'], { environment: { PLIMSOLL_LOG: level } })
  return stderr
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('plimsoll view --json', () => {
  it('R000-19 sends a new message with a trimmed view: old commands and reads become one line', async () => {
    const path = write(busy)
    const { messages } = await answerTo(path, '--strings', 'specification')
    const outdated = '此命令返回内容已过时'
    const repeated = '[该文件的历史读取内容已压缩,请参看最新读取结果]'
    const shown = (id: string) => messages.find((message) => message['tool_call_id'] === id)?.['content']
    expect([shown('old-1'), shown('old-3'), shown('read-1'), shown('read-2')]).toEqual([outdated, outdated, repeated, repeated])
    expect(messages).toHaveLength(busy.length)
    expect(messages[0]).toEqual(busy[0])
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(busy)
  })

  it('R000-40 R001-47 R003-25 counts the tokens saved by each rule and the share of truncated results', async () => {
    const { report } = await answerTo(write(busy))
    const saved = Object.fromEntries(Object.entries(report.rules).map(([rule, { edits }]) => [rule, edits]))
    expect(saved).toEqual({ 'trim-outdated-commands': 3, 'trim-repeated-reads': 2, 'limit-tool-output': 2 })
    const sum = Object.values(report.rules).reduce((tokens, rule) => tokens + rule.tokensSaved, 0)
    expect(sum).toBe(report.tokensBefore - report.tokensAfter)
    expect(Object.values(report.rules).every(({ tokensSaved }) => tokensSaved > 0)).toBe(true)
    expect(report.truncationRate).toBeCloseTo(2 / 13)
  })

  it.each([
    ['R000-41 a longer threshold', 'outdated_commands: { after_minutes: 120 }', 'trim-outdated-commands', 0],
    ['R000-41 more recent results kept', 'outdated_commands: { keep_recent: 11 }', 'trim-outdated-commands', 2],
    ['R001-48 fewer reads kept', 'repeated_reads: { keep_latest: 2 }', 'trim-repeated-reads', 5],
    ['R001-48 all reads kept', 'repeated_reads: { keep_latest: 7 }', 'trim-repeated-reads', 0],
  ])('%s changes the statistics', async (_name, settings, rule, edits) => {
    const { report } = await answerTo(write(busy), '--config', folder.write('tune.yaml', settings))
    expect(report.rules[rule]?.edits ?? 0).toBe(edits)
  })

  it.each<[string, Record<string, string>, readonly string[], string, string]>([
    ['English by default', {}, [], 'english', '[output of an outdated command removed]'],
    ['the specification in a Chinese locale', { LANG: 'zh_CN.UTF-8' }, [], 'specification', '此命令返回内容已过时'],
    ['what the environment sets', { PLIMSOLL_STRINGS: 'specification' }, [], 'specification', '此命令返回内容已过时'],
    [
      'what the option sets',
      { PLIMSOLL_STRINGS: 'chinese' },
      ['--strings', 'english'],
      'english',
      '[output of an outdated command removed]',
    ],
  ])('writes for the model in %s, and names the language', async (_, environment, options, language, sentence) => {
    const path = write(busy)
    const { stdout } = await runCaptured(['view', path, '--json', ...options], { environment })
    expect(JSON.parse(stdout)).toMatchObject({ strings: language })
    expect(stdout).toContain(sentence)
    const { view } = stringsFor(environment['LANG'] ?? null)
    const screen = await runCaptured(['view', path, ...options], { environment })
    expect(screen.stdout).toContain(view.languages[language as keyof typeof view.languages])
  })

  it('refuses a language that it does not know', async () => {
    const { code, stderr } = await runCaptured(['view', '--strings', 'latin'])
    expect({ code, stderr: stderr.includes('--strings: expected "auto", ') }).toEqual({ code: 2, stderr: true })
  })

  it('prints only the messages, the report, the window and the language', async () => {
    const answer = await answerTo(write([{ role: 'user', content: 'hi' }]))
    expect(Object.keys(answer)).toEqual(['messages', 'report', 'window', 'strings'])
    expect(answer.report).toEqual({
      tokensBefore: answer.report.tokensBefore,
      tokensAfter: answer.report.tokensBefore,
      edits: [],
      waiting: [],
      withdrawn: [],
      rewrite: null,
      problems: [],
      rules: {},
      truncationRate: 0,
      timing: null,
      load: { tokens: 5, low: 5, high: 7, source: 'estimate', estimate: 5, factor: 1 },
      overflow: null,
    })
  })

  const longOutput = 'x'.repeat(9000)
  const anthropic = [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'build', name: 'Bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'build', content: longOutput }] },
  ]
  const aiSdk = [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'build', toolName: 'bash', input: {} }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'build', toolName: 'bash', output: { type: 'text', value: longOutput } }],
    },
  ]
  const openai = exchange('build', 'bash', {}, longOutput, 1)
  const responses = [
    { type: 'function_call', call_id: 'build', name: 'shell', arguments: '{}' },
    { type: 'function_call_output', call_id: 'build', output: longOutput },
  ]
  const gemini = [
    { role: 'model', parts: [{ functionCall: { name: 'run_shell_command', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'run_shell_command', response: { output: longOutput } } }] },
  ]
  it.each<[string, string, unknown, readonly unknown[]]>([
    ['openai-responses', 'a request', { model: 'm', input: responses }, responses],
    ['gemini', 'a request', { contents: gemini }, gemini],
    ['gemini', 'a request to count', { generateContentRequest: { model: 'models/m', contents: gemini } }, gemini],
    ['openai-chat', 'a list', openai, openai],
    ['openai-chat', 'a request', { model: 'm', messages: openai }, openai],
    ['openai-chat', 'a trajectory', { history: openai }, openai],
    ['openai-chat', 'a record', [{ traj: openai }], openai],
    ['anthropic', 'a list', anthropic, anthropic],
    ['anthropic', 'a request', { system: 'be brief', messages: anthropic }, anthropic],
    ['ai-sdk', 'a list', aiSdk, aiSdk],
  ])('prints %s, %s, in its own format', async (dialect, _form, value, messages) => {
    const path = write(value)
    const answer = await answerTo(path, '--strings', 'specification')
    const limited = JSON.parse(
      JSON.stringify(messages).replace(
        longOutput,
        String(/x+\\n\\n\.\.\..*?x+\\n\[recall [0-9a-f]{12}\]/.exec(JSON.stringify(answer.messages))?.[0]),
      ),
    ) as unknown
    expect(JSON.stringify(answer.messages)).toContain('截断了')
    expect(answer.messages).toEqual(limited)
    expect(answer.report.edits).toMatchObject([
      { policy: 'limit-tool-output', kind: 'replace', message: '1', part: 0, cache: 'free' },
    ])
    expect((await runCaptured(['view', path])).stdout).toContain(` ${dialect} · `)
  })

  it('reads JSON lines, standard input, and the selected conversation', async () => {
    const lines = folder.write('lines.jsonl', openai.map((message) => JSON.stringify(message)).join('\n'))
    expect((await answerTo(lines)).messages).toHaveLength(2)
    const stdin = await runCaptured(['view', '-', '--json'], { stdin: JSON.stringify(openai) })
    expect((JSON.parse(stdin.stdout) as Answer).messages).toHaveLength(2)
    const several = await runCaptured([
      'view',
      write([{ messages: openai }, { messages: [{ role: 'user', content: 'hi' }] }]),
      '--conversation',
      '2',
      '--json',
    ])
    expect((JSON.parse(several.stdout) as Answer).messages).toEqual([{ role: 'user', content: 'hi' }])
    expect(several.stderr).toContain(view.conversations(2, 2))
  })

  it('takes the time, the folder, the policies and the dialect from its options', async () => {
    const path = write(busy)
    expect((await answerTo(path, '--now', '2026-01-31T09:10:00Z')).report.rules['trim-outdated-commands']).toBeUndefined()
    expect(Object.keys((await answerTo(path, '--policies', 'trim-repeated-reads, limit-tool-output')).report.rules)).toEqual([
      'trim-repeated-reads',
      'limit-tool-output',
    ])
    const absolute = [1, 2, 3, 4, 5, 6].flatMap((at) =>
      exchange(`r${at}`, 'filesystem-read', { filePath: at === 1 ? '/project/b.ts' : 'b.ts' }, 'text', 1),
    )
    expect((await answerTo(write(absolute), '--root', '/project')).report.rules['trim-repeated-reads']?.edits).toBe(1)
    expect((await answerTo(write(absolute), '--root', '/else')).report.rules['trim-repeated-reads']).toBeUndefined()
    expect((await runCaptured(['view', write([{ role: 'user', content: 'hi' }]), '--dialect', 'anthropic'])).stdout).toContain(
      ' anthropic · ',
    )
  })

  it('counts exactly with --exact', async () => {
    const path = write([{ role: 'user', content: 'a tide table for the harbour board' }])
    expect((await runCaptured(['view', path, '--exact'])).stdout).toContain(view.exact('o200k'))
    expect((await runCaptured(['view', path])).stdout).toContain(view.estimated)
  })
})

describe('the log on standard error', () => {
  it('R000-37 has the number of trimmed outdated commands, at level info', async () => {
    expect(await logOf('info')).toContainEqual({
      level: 'info',
      event: 'commands_trimmed',
      message: '精简了 3 个过时命令返回内容',
      count: 3,
    })
  })

  it('R001-43 has the number of trimmed reads, at level info', async () => {
    expect(await logOf('info')).toContainEqual({
      level: 'info',
      event: 'reads_trimmed',
      message: '精简了 2 个历史文件读取内容',
      count: 2,
    })
  })

  it('R001-44 has files with read counts and reads without a path, at level debug only', async () => {
    const detail = (records: readonly Record<string, unknown>[]) => records.filter(({ level }) => level === 'debug')
    expect(detail(await logOf('info'))).toEqual([])
    const events = detail(await logOf('debug'))
    expect(events).toContainEqual(expect.objectContaining({ event: 'file_reads_trimmed', file: 'price.ts', count: 2 }))
    expect(events).toContainEqual(expect.objectContaining({ event: 'read_without_path' }))
  })

  it('R003-16 has a result cut by the global cap, at level warn', async () => {
    const cut = (await logOf('warn')).find(({ event }) => event === 'result_cut')
    expect(cut).toMatchObject({ level: 'warn', before: 13_800 })
    expect(cut?.['message']).toMatch(/^工具结果被截断: 13800 -> \d+ 字符$/)
  })

  it('R003-22 has a result cut by its own limit, with the share, at level info', async () => {
    const records = await logOf('info')
    expect(records.find(({ event }) => event === 'tool_output_cut')?.['message']).toMatch(
      /^工具 grep_search 输出被截断: \d+ -> \d+ 字符 \(\d+\.\d% 减少\)$/,
    )
    expect((await logOf('warn')).map(({ level }) => level)).toEqual(['warn'])
  })

  it('is empty when silent, and short on a terminal', async () => {
    expect(await logOf('silent')).toEqual([])
    const surroundings = { terminal: 80, environment: { PLIMSOLL_LOG: 'info' } }
    const { stderr } = await runCaptured(['view', write(busy), '--no-color'], surroundings)
    expect(stderr.split('\n')[0]).toBe('· 精简了 3 个过时命令返回内容')
  })

  it.each([
    ['en_US.UTF-8', undefined, /\n7 edits · [\d,]+ → [\d,]+ tokens \(-\d+\.\d %\)\n$/],
    ['en_US.UTF-8', 80, /\n7 edits · [\d,]+ → [\d,]+ tokens \(-\d+\.\d %\)\n$/],
    ['zh_CN.UTF-8', undefined, /\n7 \S*\p{Script=Han}\S* · [\d,]+ → [\d,]+ /u],
  ])('is empty without PLIMSOLL_LOG, and a line in the user’s language sums up: %s, terminal %s', async (LANG, columns, line) => {
    const surroundings = { environment: { LANG, NO_COLOR: '1' }, ...(columns === undefined ? {} : { terminal: columns }) }
    const { stdout, stderr } = await runCaptured(['view', write(busy)], surroundings)
    expect(stderr).toBe('')
    expect(stdout).toMatch(line)
    expect((await runCaptured(['view', write(busy), '--json'], surroundings)).stderr).toBe('')
  })

  it('warns about valid but doubtful settings, in a sentence or in the log', async () => {
    const config = folder.write('small.yaml', 'tool_output_limits: { tools: { read_file: { max_chars: 100 } } }')
    const args = ['view', write([]), '--config', config]
    const { stderr } = await runCaptured(args, { environment: { PLIMSOLL_LOG: 'warn' } })
    const record = JSON.parse(stderr) as { readonly message: string }
    expect(record).toMatchObject({ level: 'warn', event: 'configuration_warning' })
    expect((await runCaptured(args)).stderr).toBe(`${record.message}\n`)
  })
})

describe('usage and configuration', () => {
  const path = join(folder.path, 'chat.json')
  it.each([
    [['view', path, '--nwo'], `${command.unknownOption('--nwo')}. ${command.didYouMean('--now')}`],
    [['veiw', path], `${command.unknownCommand('veiw')}. ${command.didYouMean('plimsoll view')}`],
    [['view', path, path], command.tooManyArguments],
    [['view', path, '--now'], command.missingValue('--now <ISO>')],
    [['view', path, '--now', 'yesterday'], '--now: expected a time such as 2026-01-31T10:00:00Z, got "yesterday"'],
    [['view', path, '--now', '2026-13-01T00:00:00Z'], '--now: expected a time'],
    [['view', path, '--conversation', '0'], command.badConversation('"0"')],
    [
      ['view', path, '--dialect', 'morse'],
      '--dialect: expected one of openai-chat, anthropic, ai-sdk, openai-responses, gemini, got "morse"',
    ],
    [['view', path, '--policies', ' , '], command.noPolicies],
    [['view', path, '--policies', 'trim-everything'], '--policies: policies.0: expected one of pair-tool-calls'],
    [['view', path, '--config', '/nonexistent/plimsoll.yaml'], '/nonexistent/plimsoll.yaml: file not found'],
  ])('exits with 2 and prints nothing on standard output: %j', async (args, sentence) => {
    const { code, stdout, stderr } = await runCaptured(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  it('runs the economy policies with policies: economy', async () => {
    const { code, stdout } = await runCaptured([
      'view',
      write([{ role: 'user', content: 'hello' }]),
      '--policies',
      'economy',
      '--json',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ report: { edits: [] } })
  })

  it.each(['economic', 'auto', 'null'])('changes nothing with timing: %s if nothing was sent yet', async (timing) => {
    const path = write(busy)
    const config = folder.write('timing.yaml', `timing: ${timing}\n`)
    expect(await answerTo(path, '--config', config)).toEqual(await answerTo(path))
  })

  it('finds a project configuration in the folder of --root', async () => {
    const project = createFolder()
    project.write('plimsoll.yaml', 'repeated_reads: { keep_latest: 1 }\n')
    const { report } = await answerTo(write(busy), '--root', project.path)
    expect(report.rules['trim-repeated-reads']?.edits).toBe(6)
    project.remove()
  })

  it('prints reasons in English with --json, in any locale', async () => {
    const path = write(busy)
    const inEnglish = ['view', path, '--json', '--strings', 'english']
    const answer = await runCaptured(inEnglish, { environment: { LANG: 'zh_CN.UTF-8' } })
    expect(answer.stdout).toBe((await runCaptured(inEnglish)).stdout)
    const asked = await runCaptured(['view', path, '--json'], { environment: { PLIMSOLL_LOCALE: 'zh' } })
    expect(asked.stdout).toContain('次读取已保留')
  })

  it('refuses an invalid configuration with file, line and column', async () => {
    folder.write('plimsoll.yaml', 'context_window: many\n')
    const { code, stdout, stderr } = await runCaptured(['view'], { folder: folder.path })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('plimsoll.yaml:1:17: context_window: expected a whole number')
    expect(await runCaptured(['view'], { environment: { PLIMSOLL_LOG: 'loud' } })).toMatchObject({ code: 2, stdout: '' })
  })

  it.each([[['--help']], [['help']], [['view', '--help']], [['--version']]])(
    'exits with 0 and prints on standard output: %j',
    async (args) => {
      const { code, stdout, stderr } = await runCaptured(args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(args[0] === '--version' ? /^\d+\.\d+\.\d+\n$/ : /^Usage: plimsoll/)
    },
  )

  it('prints help in Chinese for a Chinese locale', async () => {
    expect((await runCaptured(['view', '--help'], { environment: { LANG: 'zh_CN.UTF-8' } })).stdout).toMatch(/^用法：/)
    expect((await runCaptured(['veiw'], { environment: { LC_ALL: 'zh_TW' } })).stderr).toContain('未知命令“veiw”')
  })
})
