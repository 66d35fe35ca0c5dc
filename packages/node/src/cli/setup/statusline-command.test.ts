import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeLine, claudeUser, linesOf } from '../../logs/testing/recordings.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome } from '../testing/state-home.ts'

const [english, chinese] = [stringsFor('en').statusline, stringsFor('zh').statusline]

/** Tests run at 2026-01-31T10:00:00Z. */
const answer = (minute: number, hour = false) => ({
  ...claudeLine('a1', 'u1', 1, {
    type: 'assistant',
    message: {
      id: 'm1',
      role: 'assistant',
      model: 'claude-opus-4-5-20251101',
      content: [{ type: 'text', text: 'So.' }],
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 60_000,
        cache_creation_input_tokens: 2_000,
        cache_creation: { ephemeral_1h_input_tokens: hour ? 2_000 : 0 },
        output_tokens: 5,
      },
    },
  }),
  timestamp: new Date(Date.parse('2026-01-31T10:00:00Z') - minute * 60_000).toISOString(),
})
const hook = (fields: object) => JSON.stringify({ model: { id: 'claude-opus-4-5', display_name: 'Opus 4.5' }, ...fields })
const measured = { context_window_size: 200_000, current_usage: { input_tokens: 10, cache_read_input_tokens: 95_990 } }

describe('plimsoll statusline', () => {
  it('prints one line with context use, cache state and cost', async () => {
    const home = createStateHome()
    const transcript_path = home.write('log.jsonl', linesOf([claudeLine('u1', null, 0, claudeUser('Why?')), answer(2)]))
    const stdin = hook({ transcript_path, context_window: measured, cost: { total_cost_usd: 0.423 } })
    expect(await home.run(['statusline'], { stdin })).toEqual({
      code: 0,
      stdout: `Opus 4.5 · ${english.measured('96.0k', '192k', '50 %')} · ${english.cacheHot('3 min')} · $0.423\n`,
      stderr: '',
    })
    expect((await home.run(['statusline'], { stdin, environment: { LANG: 'zh_CN.UTF-8' } })).stdout).toBe(
      `Opus 4.5 · ${chinese.measured('96.0k', '192k', '50 %')} · ${chinese.cacheHot('3 分钟')} · $0.423\n`,
    )
  })

  it('recognises one-hour caches and cold caches', async () => {
    const home = createStateHome()
    const run = async (minute: number, hour: boolean) => {
      const transcript_path = home.write(`${minute}.jsonl`, linesOf([answer(minute, hour)]))
      const { stdout } = await home.run(['statusline', '--json'], { stdin: hook({ transcript_path }) })
      return JSON.parse(stdout) as object
    }
    expect(await run(10, true)).toMatchObject({ used: 62_010, cache: 'hot', cacheSecondsLeft: 3000 })
    expect(await run(6, false)).toMatchObject({ cache: 'cold', cacheSecondsLeft: 0 })
  })

  it('shows how much trimming could save', async () => {
    const home = createStateHome()
    const long = Array.from({ length: 3000 }, (_, line) => `line ${line} of a very long output`).join('\n')
    const transcript_path = home.write(
      'log.jsonl',
      linesOf([
        claudeLine('a1', null, 1, {
          type: 'assistant',
          message: {
            id: 'm1',
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'make' } }],
          },
        }),
        claudeLine('r1', 'a1', 2, claudeUser([{ type: 'tool_result', tool_use_id: 'c1', content: long }])),
      ]),
    )
    const { stdout } = await home.run(['statusline'], { stdin: hook({ transcript_path }) })
    expect(stdout).toMatch(/^Opus 4\.5 · [\d.]+k of 192k tokens estimated \(\d+ %\) · [\d.,]+k? could be trimmed\n$/)
  })

  it('uses the latest session of the folder if there is no input', async () => {
    const home = createStateHome()
    const file = join(home.path, '.claude', 'projects', '-home-sam-shop', 'x.jsonl')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, linesOf([answer(4)]))
    expect((await home.run(['statusline'], { folder: '/home/sam/shop' })).stdout).toBe(
      `claude-opus-4-5-20251101 · ${english.measured('62.0k', '192k', '32 %')} · ${english.cacheHot('1 min')} · $0.043\n`,
    )
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"model'],
    ['other JSON', '[1]'],
    ['fields of other types', '{"model":5,"context_window":[],"cost":{"total_cost_usd":"much"},"transcript_path":{}}'],
    ['a missing log', '{"transcript_path":"/nonexistent/log.jsonl"}'],
    ['a folder in place of a log', '{"transcript_path":"/"}'],
  ])('prints an empty line and exits with 0 for %s', async (_name, stdin) => {
    expect(await createStateHome().run(['statusline'], { stdin })).toEqual({ code: 0, stdout: '\n', stderr: '' })
  })

  it('reads characters whose bytes arrive in two chunks', async () => {
    const stdin = JSON.stringify({ model: { display_name: '一个名字很长的模型' } })
    expect((await createStateHome().run(['statusline'], { stdin })).stdout).toBe('一个名字很长的模型\n')
  })

  it('removes control characters', async () => {
    const stdin = JSON.stringify({ model: { display_name: 'Evil\u001b]0;x\u0007\u202e' } })
    expect((await createStateHome().run(['statusline'], { stdin })).stdout).toBe('Evil\n')
  })
})

describe('plimsoll statusline, what was spent', () => {
  // An answer of a day in January: 10 × $5, 60,000 × $0.50 and 2,000 × $6.25 per million, and output.
  const log = (minute: number) => linesOf([claudeLine('u1', null, 0, claudeUser('Why?')), answer(minute)])

  async function spentBy(config: string, more: Readonly<Record<string, string>> = {}) {
    const home = createStateHome()
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(home.path, name)), { recursive: true })
      writeFileSync(join(home.path, name), text)
    }
    write('.claude/projects/-x/other.jsonl', log(90).replaceAll('"m1"', '"m0"'))
    const transcript_path = join(home.path, '.claude/projects/-x/log.jsonl')
    write('.claude/projects/-x/log.jsonl', log(2))
    if (config !== '') write('.config/plimsoll/config.yaml', config)
    const environment = { XDG_CONFIG_HOME: join(home.path, '.config'), TZ: 'UTC', ...more }
    const run = async (...args: string[]) => (await home.run(args, { stdin: hook({ transcript_path }), environment })).stdout
    return { run, write, log: '.claude/projects/-x/log.jsonl' }
  }

  it('is that of all sessions today and in the last hour, as of the last overview', async () => {
    const { run } = await spentBy('')
    expect(await run('statusline')).not.toContain(english.today('', null).trim())
    await run('overview')
    expect(await run('statusline')).toContain(` · ${english.today('$0.085', '$0.043')}`)
  })

  it('has answers of this session that came since, each once', async () => {
    const { run, write, log: name } = await spentBy('')
    await run('overview')
    write(name, `${log(2)}${linesOf([answer(1)]).replaceAll('"m1"', '"m2"')}`)
    for (let times = 0; times < 2; times += 1)
      expect(JSON.parse(await run('statusline', '--json'))).toMatchObject({
        spending: { today: { requests: 3, state: 'no-budget' }, lastHour: expect.closeTo(0.08535, 4) },
      })
    await run('overview')
    expect(JSON.parse(await run('statusline', '--json'))).toMatchObject({ spending: { today: { requests: 3 } } })
  })

  it('is as the overview has it: without counts that cannot be, in fast mode, and at least that much without a price', async () => {
    const { run, write, log: name } = await spentBy('')
    const changed = (id: string, change: (text: string) => string) => change(linesOf([answer(1)]).replaceAll('"m1"', `"${id}"`))
    const lines = [
      changed('m3', (text) => text.replace('"output_tokens":5', '"output_tokens":-5')),
      changed('m4', (text) => text.replace('"output_tokens":5', '"output_tokens":5,"speed":"fast"')),
      changed('m5', (text) => text.replaceAll('claude-opus-4-5-20251101', 'foo-9')),
      changed('m1', (text) => text.replace('"output_tokens":5', '"output_tokens":1')),
    ]
    await run('overview')
    write(name, log(2) + lines.join(''))
    const before = await run('statusline')
    expect(before).toContain(` · ${english.today('≥ $0.171', '$0.128')}`)
    await run('overview')
    expect(await run('statusline')).toBe(before)
  })

  it('is compared with the budgets: the one that is most exceeded, or nearest to it', async () => {
    const { run, write } = await spentBy('budget: { day: 0.1, week: 100 }\n')
    await run('overview')
    expect(await run('statusline')).toContain(` · ${english.budget.day('$0.085', '$0.100')} !\n`)
    write('.config/plimsoll/config.yaml', 'budget: { day: 0.1, week: 0.05, month: 0.06 }\n')
    expect(await run('statusline')).toContain(` · ${english.budget.week('$0.085', '$0.050')} !!\n`)
    write('.config/plimsoll/config.yaml', 'budget: { day: much }\n')
    expect(await run('statusline')).toContain(english.today('$0.085', '$0.043'))
  })

  it('has a budget of the environment, and the user’s own prices', async () => {
    const { run } = await spentBy('prices: { claude-opus-4-5-20251101: { input: 1000, output: 0 } }\n', {
      PLIMSOLL_BUDGET__MONTH: '1',
    })
    await run('overview')
    expect(JSON.parse(await run('statusline', '--json'))).toMatchObject({
      spending: { month: { budget: 1, state: 'over', dollars: expect.closeTo(124, 0) } },
    })
  })
})
