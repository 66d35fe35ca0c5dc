import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { claudeAnswer, claudeLine, claudeUser, codexLines, linesOf } from '../../logs/testing/recordings.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { runCaptured } from '../testing/run-captured.ts'

const { overview: strings, command } = stringsFor('en')

const homes: string[] = []
afterEach(() => {
  for (const path of homes.splice(0)) rmSync(path, { recursive: true, force: true })
})

/** A home folder with these files. */
function homeWith(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-home-'))
  homes.push(home)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), text)
  }
  return home
}

const read = (id: string, path: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: path } })
const brought = (id: string, text: string) => claudeUser([{ type: 'tool_result', tool_use_id: id, content: text }])
const source = 'export const tide = "high"\n'.repeat(100)

const claude = linesOf([
  claudeLine('u1', null, 1, claudeUser('Where is the tide table kept?')),
  claudeLine('a1', 'u1', 2, claudeAnswer('m1', read('c1', '/home/sam/shop/tide.ts'), 20)),
  claudeLine('r1', 'a1', 3, brought('c1', source)),
  claudeLine('a2', 'r1', 4, claudeAnswer('m2', read('c2', 'tide.ts'), 20)),
  claudeLine('r2', 'a2', 5, brought('c2', source)),
  claudeLine('a3', 'r2', 6, claudeAnswer('m3', { type: 'text', text: 'In tide.ts.' }, 20)),
])
const pi = linesOf([
  { type: 'session', id: 'p1', timestamp: '2026-01-06T09:00:00.000Z', cwd: '/home/sam/harbour' },
  { type: 'message', id: 'e1', timestamp: '2026-01-06T09:00:01.000Z', message: { role: 'user', content: 'Count the boats.' } },
  {
    type: 'message',
    id: 'e2',
    timestamp: '2026-01-06T09:00:02.000Z',
    message: {
      role: 'assistant',
      model: 'claude-opus-5',
      content: [{ type: 'text', text: 'Seven.' }],
      usage: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 },
    },
  },
])
const logs = {
  '.claude/projects/-home-sam-shop/shop-1.jsonl': claude,
  '.pi/agent/sessions/--home-sam-harbour--/p1.jsonl': pi,
}

async function overview(home: string, args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) {
  return runCaptured(args, { environment: { HOME: home, COLUMNS: '80', ...more } })
}

describe('plimsoll without arguments', () => {
  it('shows tokens and cost of the logs on this machine', async () => {
    const { code, stdout, stderr } = await overview(homeWith(logs))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      `${[
        'Plimsoll · 2 sessions · 4 requests · 1.0M tokens · ≥ $5.00 at API prices',
        ' 2026-01-05 to 2026-01-06 · 8.4 KB of logs · 0.0 % of the input from the cache',
        ` ${strings.priceDate('2026-11-15')}`,
        ' No price for claude-x (3), so only their tokens are counted: plimsoll prices',
        ' claude-x',
        '',
        '  agent        sessions  requests  tokens stored  tokens sent  cached     cost',
        '  pi                  1         1             14         1.0M   0.0 %    $5.00',
        '  Claude Code         1         3          1,517          345  87.0 %        -',
        '  all                 2         4          1,531         1.0M   0.0 %  ≥ $5.00',
        '',
        strings.spending,
        '  today $0.00 · this week $0.00 · this month ≥ $5.00',
        '',
        strings.holds,
        `  ${strings.holdsNote}`,
        '                                                     tokens    share     cost',
        '  user          ▏                                        19    1.2 %  $0.0001',
        '  tool results  █████████████████████████████████     1,452   94.8 %',
        '  tool calls    █                                        38    2.5 %',
        '  assistant     █                                        22    1.4 %    $0.00',
        '',
        'Files read again',
        `  ${strings.reads('1', '2', '722')}`,
        `  ${strings.sameReads('1', '722')}`,
        '  1 of 2 reads  tide.ts  Where is the tide table kept?',
        '',
        strings.largest,
        '    722 Read  /home/sam/shop/tide.ts  Where is the tide table kept?',
        '    722 Read  tide.ts                 Where is the tide table kept?',
        '',
        'Plimsoll would have saved nothing in all 2 sessions: trimming is worth it in',
        'longer ones.',
        `  ${strings.compare} plimsoll replay ~/.claude/projects`,
      ].join('\n')}\n`,
    )
  })

  it('says which costs are recorded, what searches cost, and which usage cannot be', async () => {
    const answer = (id: string, model: string, usage: object) => ({
      type: 'message',
      id,
      timestamp: `2026-01-05T10:00:0${id}.000Z`,
      message: { role: 'assistant', model, content: [{ type: 'text', text: 'Yes' }], usage },
    })
    const lines = [
      { type: 'session', id: 's', cwd: '/home/sam/shop', timestamp: '2026-01-05T10:00:00.000Z' },
      answer('1', 'gpt-5.5', { input: 1000, cacheRead: 0, output: 0, cost: { total: 0.5 } }),
      answer('2', 'claude-opus-5', { input: 1000, cacheRead: 0, output: 0, server_tool_use: { web_search_requests: 12 } }),
      answer('3', 'claude-opus-5', { input: -1000, cacheRead: 0, output: 'lots' }),
    ]
    const { stdout } = await overview(homeWith({ '.pi/agent/sessions/x/1.jsonl': linesOf(lines) }), [], { COLUMNS: '400' })
    const said = stdout.replaceAll(/\n +/g, ' ')
    expect(stdout.split('\n')[0]).toMatch(/\$0\.625$/)
    expect(said).toContain(strings.partlyRecorded('pi', '2026-11-15'))
    expect(said).toContain(strings.searches('12', '$0.120'))
    expect(said).toContain(strings.badUsage('1', '1'))
  })

  it('prints the same as JSON', async () => {
    const home = homeWith(logs)
    const { code, stdout, stderr } = await overview(home, ['--json'])
    const answer = JSON.parse(stdout) as Record<string, unknown>
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(answer).toMatchObject({
      example: false,
      sessions: 2,
      requests: 4,
      places: [
        { agent: 'Claude Code', folder: join(home, '.claude/projects'), logs: 1 },
        { agent: 'pi', folder: join(home, '.pi/agent/sessions'), logs: 1 },
      ],
      reads: { reads: 2, again: { count: 1 }, same: { count: 1 } },
      usage: { requests: 4, cacheRead: 300 },
      money: { dollars: 5, unpriced: 3 },
      unreadable: [],
    })
    expect(JSON.stringify(answer)).not.toContain('export const tide')
  })

  it.each([[['overview']], [['--']], [['--no-color']]])('prints the same for %j', async (args) => {
    const home = homeWith(logs)
    expect(await overview(home, args)).toEqual(await overview(home))
  })

  it('reports an unknown option as one of the overview', async () =>
    expect((await overview(homeWith({}), ['--json', '--frob'])).stderr).toBe(
      `error: ${command.unknownOption('--frob')}. ${command.seeHelp('plimsoll overview')}\n`,
    ))

  it.each(['en_US.UTF-8', 'zh_CN.UTF-8'])('fits 60, 80 and 120 columns (%s)', async (LANG) => {
    const home = homeWith({
      ...logs,
      '.codex/sessions/2026/01/05/rollout-x.jsonl': 'no log at all, and this is said of a file whose name is rather long',
    })
    for (const terminal of [60, 80, 120]) {
      const { stdout } = await runCaptured([], { terminal, environment: { HOME: home, LANG, NO_COLOR: '1' } })
      expect(stdout.split('\n').filter((line) => displayWidth(line) > terminal)).toEqual([])
      expect(stdout).not.toContain('\u001b')
    }
  })

  it('uses colours on a terminal, and none with NO_COLOR', async () => {
    const home = homeWith(logs)
    expect((await runCaptured([], { terminal: 80, environment: { HOME: home } })).stdout).toContain('\u001b[1m')
    expect((await runCaptured([], { terminal: 80, environment: { HOME: home, NO_COLOR: '1' } })).stdout).not.toContain('\u001b')
  })

  it('removes control characters of a log', async () => {
    const hostile = claude.replaceAll('tide', '\\u001b[2Jtide\\u202e')
    const home = homeWith({ '.claude/projects/-x/\u001b[31mred.jsonl': hostile })
    for (const args of [[], ['--json']]) {
      const { code, stdout } = await overview(home, args)
      expect(code).toBe(0)
      expect(stdout).toContain('tide')
      expect(stdout).not.toMatch(/[\u001b\u202e]/)
    }
  })

  it('uses the configured language', async () =>
    expect((await overview(homeWith(logs), [], { PLIMSOLL_LOCALE: 'zh' })).stdout).toMatch(/^Plimsoll · 会话 2 个/))
})

const usage = { input: 100, output: 5, reasoning: 0, cache: { read: 50, write: 0 } }
const everyAgent = {
  ...logs,
  '.codex/sessions/2026/01/05/rollout-x.jsonl': linesOf(codexLines),
  '.gemini/tmp/shop/chats/session-1.json': JSON.stringify({
    sessionId: 'g1',
    messages: [
      { id: '1', type: 'user', content: 'Count the boats.', timestamp: '2026-01-07T09:00:00.000Z' },
      { id: '2', type: 'gemini', content: 'Seven.', model: 'gemini-x', tokens: { input: 10, output: 2, cached: 4 } },
    ],
  }),
  '.local/share/opencode/storage/session/global/ses_1.json': JSON.stringify({ id: 'ses_1', title: 'Boats' }),
  '.local/share/opencode/storage/message/ses_1/msg_1.json': JSON.stringify({ id: 'msg_1', role: 'user' }),
  '.local/share/opencode/storage/part/msg_1/prt_1.json': JSON.stringify({ type: 'text', text: 'Count the boats.' }),
  '.local/share/opencode/storage/message/ses_1/msg_2.json': JSON.stringify({ id: 'msg_2', role: 'assistant', tokens: usage }),
  '.local/share/opencode/storage/part/msg_2/prt_2.json': JSON.stringify({ type: 'text', text: 'Seven.' }),
  '.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api_conversation_history.json': JSON.stringify([
    { role: 'user', content: [{ type: 'text', text: 'Count the boats.' }], ts: 1_768_000_000_000 },
    { role: 'assistant', content: [{ type: 'text', text: 'Seven.' }], ts: 1_768_000_001_000 },
  ]),
  '.copilot/session-state/0f1e/events.jsonl': linesOf([
    { type: 'session.start', id: '1', timestamp: '2026-01-07T09:00:00.000Z', data: { sessionId: '0f1e' } },
    { type: 'user.message', id: '2', timestamp: '2026-01-07T09:00:01.000Z', data: { content: 'Count the boats.' } },
    { type: 'assistant.message', id: '3', timestamp: '2026-01-07T09:00:02.000Z', data: { messageId: 'm', content: 'Seven.' } },
  ]),
  'chat.json': JSON.stringify([{ role: 'user', content: 'Count the boats.' }]),
}

describe('plimsoll without arguments, for every agent', () => {
  it('finds and reads its logs', async () => {
    const home = homeWith(everyAgent)
    const stored = await runCaptured(['import', join(home, 'chat.json')], { environment: { HOME: home } })
    expect(stored.code).toBe(0)
    const { code, stdout } = await overview(home, ['--json'], { XDG_CONFIG_HOME: join(home, '.config') })
    const { agents, unreadable } = JSON.parse(stdout) as { agents: { agent: string; sessions: number }[]; unreadable: unknown[] }
    expect({ code, unreadable }).toEqual({ code: 0, unreadable: [] })
    expect(agents.map(({ agent, sessions }) => `${agent} ${sessions}`).toSorted()).toEqual([
      'Claude Code 1',
      'Cline 1',
      'Codex 1',
      'Copilot CLI 1',
      'Gemini CLI 1',
      'Plimsoll 1',
      'opencode 1',
      'pi 1',
    ])
  })
})

describe('plimsoll without arguments and without logs', () => {
  it('shows the bundled example and labels it', async () => {
    const { code, stdout, stderr } = await overview(homeWith({ 'notes.txt': 'x' }), [], { COLUMNS: '100' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Plimsoll · example conversation\n No agent logs found on this machine \(Claude Code, Codex, /)
    expect(stdout).toContain(strings.noUsage)
    expect(stdout).toContain(`\n  ${strings.holdsTokens}\n`)
    expect(stdout).toContain(`\n${strings.exampleTrimmed('8,582', '79,806')}\n`)
    expect(stdout.match(/^ {2}plimsoll .*$/gm)?.map((line) => line.trim().split('  ')[0])).toEqual([
      'plimsoll view',
      'plimsoll serve',
      'plimsoll chat',
      'plimsoll view FILE',
    ])
  })

  it('labels the example in JSON too', async () => {
    const { code, stdout } = await overview(homeWith({}), ['--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ example: true, places: [], sessions: 1, usage: null, money: { dollars: null } })
  })

  it('ignores an empty log', async () =>
    expect((await overview(homeWith({ '.claude/projects/-x/empty.jsonl': '' }), ['--json'])).code).toBe(0))
})

describe('plimsoll without arguments, with unreadable files', () => {
  const broken = { '.codex/sessions/rollout-broken.jsonl': 'not a log' }

  it('names them and reads the rest', async () => {
    const home = homeWith({ ...logs, ...broken })
    const { code, stdout } = await overview(home)
    expect(code).toBe(0)
    expect(stdout).toContain('2 sessions')
    expect(stdout).toMatch(
      /\n1 log could not be read\n {2}! ~\/\.codex\/sessions\/rollout-broken\.jsonl, line 1, column 1: invalid\n? ?JSON/,
    )
    expect(JSON.parse((await overview(home, ['--json'])).stdout)).toMatchObject({
      unreadable: [{ agent: 'Codex', file: join(home, '.codex/sessions/rollout-broken.jsonl'), trouble: { kind: 'not-json' } }],
    })
  })

  it('counts cut-off lines and reads the others', async () => {
    const home = homeWith({ '.claude/projects/-x/a.jsonl': `${claude}{"parentUuid":"a3","type":"assis` })
    const { code, stdout } = await overview(home)
    expect(code).toBe(0)
    expect(stdout).toContain(strings.skippedLines(1, '1', '1'))
  })

  it('fails only if nothing could be read', async () => {
    const { code, stdout, stderr } = await overview(homeWith(broken))
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: ${strings.nothingRead(1)}\n` })
    expect(stdout).toContain('~/.codex/sessions/rollout-broken.jsonl')
  })

  it('survives link cycles, binary files and folders in place of files', async () => {
    const home = homeWith({ ...logs, '.claude/projects/-x/folder.jsonl/inner.jsonl': claude })
    symlinkSync(join(home, '.claude'), join(home, '.claude/projects/-x/around'))
    symlinkSync(join(home, '.pi'), join(home, '.copilot'))
    writeFileSync(join(home, '.claude/projects/-x/binary.jsonl'), Buffer.from([0xff, 0xfe, 0x00, 0x81, 0x0a, 0x7b]))
    const { code, stdout } = await overview(home, ['--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ sessions: 2 })
  })

  it('changes nothing on the disk', async () => {
    const home = homeWith(logs)
    await overview(home)
    expect(Object.keys(logs).map((name) => readFileSync(join(home, name), 'utf8'))).toEqual(Object.values(logs))
  })
})

describe('what plimsoll without arguments says was spent', () => {
  const log = claude
    .replaceAll('claude-x', 'claude-opus-4-5')
    .replaceAll(/"timestamp":"[^"]*:(\d\d)\.(\d+)Z"/g, '"timestamp":"2026-01-31T09:30:$1.$2Z"')
  const home = (config: string) =>
    homeWith({ '.claude/projects/-x/a.jsonl': log, '.config/plimsoll/config.yaml': `${config}\nlocale: en\n` })
  const shown = async (config: string, ...args: string[]) => {
    const folder = home(config)
    return (await overview(folder, args, { XDG_CONFIG_HOME: join(folder, '.config'), COLUMNS: '180' })).stdout
  }

  it('is compared with budgets, and has the current five-hour block of Claude Code', async () => {
    const stdout = await shown('budget: { day: 0.001, month: 500 }')
    expect(stdout).toContain(`\n  ! ${strings.budget.over(strings.today, '$0.0010')}\n`)
    expect(stdout).toMatch(/this month \$0\.\d+ of \$500\.00 \(0 %\) · last hour \$0\.\d+\n/)
    expect(stdout).toMatch(/\n {2}Claude Code, current five-hour block: \$0\.\d+, \d+ tokens, 4 h 0 min left, /)
  })

  it('is in JSON too', async () => {
    const { spending } = JSON.parse(await shown('budget: { week: 500 }', '--json')) as { spending: { today: object } }
    expect(spending).toMatchObject({
      today: { requests: 3, state: 'no-budget' },
      week: { budget: 500, state: 'ok' },
      block: { start: '2026-01-31T09:00:00.000Z', secondsLeft: 14_400 },
    })
  })
})

describe('what plimsoll without arguments says would have been saved', () => {
  it('is what plimsoll replay says of the same logs, and is remembered until one of them changes', async () => {
    const priced = claude
      .replaceAll('claude-x', 'claude-opus-4-5')
      .replaceAll(source.slice(0, 10), source.slice(0, 10).repeat(40))
    const home = homeWith({ '.claude/projects/-x/a.jsonl': priced })
    const file = join(home, '.claude/projects/-x/a.jsonl')
    utimesSync(file, 1_700_000_000, 1_700_000_000)
    const saving = async () => (JSON.parse((await overview(home, ['--json'])).stdout) as { saving: object }).saving
    const replayed = JSON.parse((await runCaptured(['replay', file, '--json'])).stdout) as {
      dollars: { recorded: number; effective: number }
    }
    const expected = {
      sessions: 1,
      isAll: true,
      dollars: { recorded: replayed.dollars.recorded, effective: replayed.dollars.effective },
    }
    const first = await saving()
    expect(first).toMatchObject({ ...expected, command: 'plimsoll run --trim economy -- claude' })
    const remembered = join(home, '.cache/plimsoll/overview-saving')
    const written = readFileSync(remembered, 'utf8')
    expect(await saving()).toEqual(first)
    expect(readFileSync(remembered, 'utf8')).toBe(written)
    writeFileSync(file, linesOf([claudeLine('u1', null, 1, claudeUser('x'))]))
    expect(await saving()).toBeNull()
  })

  it('covers the newest logs, and what is remembered of others', async () => {
    const work = (hour: number, rounds: number) =>
      linesOf([
        claudeLine(`u${hour}`, null, 1, claudeUser(`Look at hour ${hour}.`)),
        ...Array.from({ length: rounds }, (_, round) => [
          claudeLine(`a${hour}-${round}`, round === 0 ? `u${hour}` : `r${hour}-${round - 1}`, 2, {
            ...claudeAnswer(`m${hour}-${round}`, read(`c${hour}-${round}`, `file-${round}.ts`), 20),
            model: 'claude-opus-4-5',
          }),
          claudeLine(`r${hour}-${round}`, `a${hour}-${round}`, 3, brought(`c${hour}-${round}`, `text of ${round}\n`)),
        ]).flat(),
      ]).replaceAll('2026-01-05T09', `2026-01-05T${hour}`)
    const home = homeWith({})
    const add = (hour: number, rounds: number) => {
      const file = join(home, `.claude/projects/-x/${hour}.jsonl`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, work(hour, rounds))
      utimesSync(file, 1_700_000_000, 1_700_000_000)
    }
    const requests = async () =>
      (JSON.parse((await overview(home, ['--json'])).stdout) as { saving: { requests: number } }).saving.requests
    add(10, 40)
    add(11, 3)
    expect(await requests()).toBe(43)
    // More than can be replayed in time, if there is anything else.
    add(12, 601)
    add(13, 310)
    expect(await requests()).toBe(353)
    add(14, 2)
    expect(await requests()).toBe(355)
  })
})

describe('plimsoll without arguments, for the second time', () => {
  const requestsOf = async (home: string) =>
    (JSON.parse((await overview(home, ['--json'])).stdout) as { requests: number }).requests

  it('prints the same, and keeps what it has read in the cache folder', async () => {
    const home = homeWith(everyAgent)
    for (const name of Object.keys(everyAgent)) utimesSync(join(home, name), 1_700_000_000, 1_700_000_000)
    const first = await overview(home)
    expect(existsSync(join(home, '.cache/plimsoll/overview-index'))).toBe(true)
    expect(await overview(home)).toEqual(first)
    expect((await overview(home, [], { XDG_CACHE_HOME: join(home, 'elsewhere') })).stdout).toBe(first.stdout)
    expect(existsSync(join(home, 'elsewhere/plimsoll/overview-index'))).toBe(true)
  })

  it('finds a message that opencode has added in a file of its own', async () => {
    const home = homeWith(everyAgent)
    const storage = '.local/share/opencode/storage'
    for (const name of Object.keys(everyAgent)) utimesSync(join(home, name), 1_700_000_000, 1_700_000_000)
    const before = await requestsOf(home)
    writeFileSync(
      join(home, storage, 'message/ses_1/msg_3.json'),
      JSON.stringify({ id: 'msg_3', role: 'assistant', tokens: usage }),
    )
    mkdirSync(join(home, storage, 'part/msg_3'))
    writeFileSync(join(home, storage, 'part/msg_3/prt_3.json'), JSON.stringify({ type: 'text', text: 'Eight.' }))
    expect(await requestsOf(home)).toBe(before + 1)
  })
})

describe('plimsoll --by, --since and --until', () => {
  it('show tokens and cost by project, the most expensive first', async () => {
    const { code, stdout } = await overview(homeWith(logs), ['--by', 'project'])
    expect(code).toBe(0)
    expect(stdout).toContain(strings.byTitle.project)
    expect(stdout.indexOf('/home/sam/harbour')).toBeLessThan(stdout.indexOf('/home/sam/shop '))
  })

  it('count only the requests of some days', async () => {
    const { stdout } = await overview(homeWith(logs), ['--by=day', '--since', '2026-01-06', '--json'])
    const { breakdown, sessions } = JSON.parse(stdout) as { breakdown: { rows: { dollars: number }[] }; sessions: number }
    expect({ sessions, dollars: breakdown.rows.map(({ dollars }) => dollars) }).toEqual({ sessions: 1, dollars: [5] })
  })

  it('say so if there are none', async () => {
    const { code, stderr } = await overview(homeWith(logs), ['--until', '2020-01-01'])
    expect({ code, stderr: stderr.includes(strings.nothingThen) }).toEqual({ code: 1, stderr: true })
  })

  it.each([
    [['--by', 'colour'], strings.badBy('"colour"', 'day, week, month, model, project, session')],
    [['--since', 'yesterday'], strings.badDay('--since', '"yesterday"')],
    [['--until', '2026-13-01'], strings.badDay('--until', '"2026-13-01"')],
  ])('refuse another value: %j', async (args, sentence) => {
    const { code, stderr } = await overview(homeWith(logs), args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${sentence}\n` })
  })
})
