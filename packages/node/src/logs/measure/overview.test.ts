import type { Message } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadLog, ReadSession, ReportedUsage } from '../log-reader.ts'
import { readLogText } from '../read-log.ts'
import { preservedLines } from '../testing/preserved-log.ts'
import { linesOf } from '../testing/recordings.ts'
import { type Breakdown, type BreakdownBy, breakdowns } from './breakdown.ts'
import { measureRead } from './measure-log.ts'
import { slimMessage } from './measured-part.ts'
import { createOverview, type Overview, type ShownBill } from './overview.ts'

function answered(id: string, at: number, model: string | null, input: number, cacheRead: number): [Message, ReportedUsage] {
  return [
    { id, role: 'assistant', parts: [{ type: 'text', text: 'Yes.' }], at },
    { after: id, usage: { input, cacheRead, cacheWrite: 0, output: 10 }, model },
  ]
}

function logOf(answers: readonly [Message, ReportedUsage][], fields: Partial<ReadSession> = {}): ReadLog {
  const session: ReadSession = {
    id: 's',
    title: 'A title',
    messages: answers.map(([message]) => message),
    usages: answers.map(([, usage]) => usage),
    compactions: 0,
    sidechains: 0,
    abandoned: 0,
    ...fields,
  }
  return { format: 'pi', sessions: [session], skipped: [], unread: {} }
}

function overviewOf(...logs: readonly (readonly [string, ReadLog])[]): Overview {
  return shownBy({}, ...logs)
}

function shownBy(bill: ShownBill, ...logs: readonly (readonly [string, ReadLog])[]): Overview {
  const overview = createOverview(bill)
  for (const [index, [agent, log]] of logs.entries())
    overview.add({ agent, path: `/logs/${index}`, bytes: 100, stamp: null }, measureRead(log, 'linux'))
  return overview.finish()
}

/** Put together here, so that no search for keys finds it in the sources. */
const key = ['sk', 'ant', 'api03', 'abcdefghijklmnop'.repeat(5)].join('-')

describe('adding up logs', () => {
  it('is empty without sessions, with no ratio', () => {
    const { sessions, requests, usage, money, first, agents } = overviewOf()
    expect({ sessions, requests, usage, dollars: money.dollars, first, agents }).toEqual({
      sessions: 0,
      requests: 0,
      usage: null,
      dollars: null,
      first: null,
      agents: [],
    })
  })

  it('counts a compaction of Claude Code that kept messages, and each message once', async () => {
    const log = (await readLogText(linesOf(preservedLines), { take: slimMessage })).value as ReadLog
    const { compactions, requests, tokens, usage, reads, skipped } = overviewOf(['Claude Code', log])
    expect({ compactions, requests, sent: usage?.cacheWrite, reads: reads.reads, skipped }).toEqual({
      compactions: 1,
      requests: 7,
      sent: 20_010 + 50_060 + 65_110 + 21_100 + 23_200 + 25_300 + 25_350 - 7 * 10,
      reads: 4,
      skipped: { lines: 0, files: 0 },
    })
    expect(tokens.summaries).toBeGreaterThan(5)
    // The second read of src/ledger.ts is the first one since its earlier read was summarised.
    expect(reads.again.count).toBe(0)
  })

  it('tells what was sent, what of it came from a cache, and what it cost, by agent', () => {
    const overview = overviewOf(
      ['pi', logOf([answered('a', 1000, 'claude-opus-5', 100_000, 900_000)])],
      ['Codex', logOf([answered('b', 2000, 'gpt-5.5', 200_000, 0), answered('c', 3000, 'gpt-5.5', 0, 0)])],
    )
    expect(overview.usage).toEqual({
      requests: 3,
      input: 300_000,
      cacheRead: 900_000,
      cacheWrite: 0,
      output: 30,
      reasoning: 0,
      webSearches: 0,
      hitRatio: 0.75,
    })
    expect(overview.agents.map(({ agent, requests, dollars }) => [agent, requests, dollars?.toFixed(2)])).toEqual([
      ['Codex', 2, '1.00'],
      ['pi', 1, '0.95'],
    ])
    expect(overview.money.dollars?.toFixed(2)).toBe('1.95')
    expect([overview.first, overview.last]).toEqual(['1970-01-01T00:00:01.000Z', '1970-01-01T00:00:03.000Z'])
  })

  it('a model without a price is named, and what it cost is not guessed', () => {
    const { money, agents } = overviewOf([
      'pi',
      logOf([answered('a', 1, 'nobody-knows-1', 1000, 0), answered('b', 2, null, 1000, 0), answered('c', 3, 'gpt-5.5', 1000, 0)]),
    ])
    expect(money.models.map(({ model, requests, dollars }) => [model, requests, dollars === null])).toEqual([
      ['gpt-5.5', 1, false],
      ['nobody-knows-1', 1, true],
      [null, 1, true],
    ])
    expect([money.unpriced, agents[0]?.unpriced]).toEqual([2, 2])
  })

  it('adds up each log if that is asked for, and counts an answer for the first log that has it', () => {
    const [first, second] = [answered('a', 1, 'gpt-5.5', 100_000, 0), answered('b', 2, 'claude-opus-5', 2_000_000, 0)]
    const named = (answer: typeof first): typeof first => [answer[0], { ...answer[1], answer: answer[0].id }]
    const log = logOf([named(first), named(second)], { root: '/shop' })
    const copy = logOf([named(first), named(answered('c', 9, 'nobody-knows-1', 5, 0))], { title: 'A copy' })
    const { logs } = shownBy({ byLog: true }, ['pi', log], ['Codex', copy])
    expect(logs).toMatchObject([
      {
        agent: 'pi',
        title: 'A title',
        project: '/shop',
        model: 'claude-opus-5',
        requests: 2,
        tokens: 2_100_020,
        first: 1,
        last: 2,
      },
      {
        agent: 'Codex',
        title: 'A copy',
        project: null,
        model: 'nobody-knows-1',
        requests: 1,
        dollars: null,
        unpriced: 1,
        last: 9,
      },
    ])
    expect(logs?.[0]?.dollars).toBeCloseTo(10.5, 1)
    expect(overviewOf(['pi', log]).logs).toBeUndefined()
  })

  it('uses the user’s own prices before all others', () => {
    const log = logOf([answered('a', 1, 'nobody-knows-1', 1_000_000, 0), answered('b', 2, 'gpt-5.5', 1_000_000, 0)])
    const prices = { 'nobody-*': { input: 3, output: 0 }, 'gpt-5.5': { input: 4, output: 0 } }
    expect(shownBy({ prices }, ['pi', log]).money).toMatchObject({ dollars: 7, unpriced: 0 })
  })

  it('uses the cost that a log recorded over an estimate, and says which is which', () => {
    const withCost = ([message, usage]: [Message, ReportedUsage], cost: number): [Message, ReportedUsage] => [
      message,
      { ...usage, cost },
    ]
    const recorded = logOf([
      withCost(answered('a', 1, 'gpt-5.5', 1_000_000, 0), 0.5),
      withCost(answered('b', 2, 'nobody-knows-1', 1_000_000, 0), 0.25),
      withCost(answered('c', 3, null, 1_000_000, 0), 0.125),
    ])
    const estimated = logOf([answered('d', 4, 'claude-opus-5', 1_000_000, 0)])
    const { money, agents } = overviewOf(['pi', recorded], ['Codex', estimated])
    const rows = agents.map(({ agent, dollars, unpriced, basis, recordedDollars }) => [
      agent,
      dollars,
      unpriced,
      basis,
      recordedDollars,
    ])
    expect(rows[1]).toEqual(['pi', expect.closeTo(0.875, 9), 0, 'recorded', 0.875])
    expect(rows[0]).toEqual(['Codex', expect.closeTo(5, 1), 0, 'estimated', 0])
    expect(money).toMatchObject({ basis: 'mixed', recordedDollars: 0.875, unpriced: 0 })
    expect(money.models.map(({ model, basis }) => [model, basis])).toEqual([
      ['claude-opus-5', 'estimated'],
      ['gpt-5.5', 'recorded'],
      ['nobody-knows-1', 'recorded'],
      [null, 'recorded'],
    ])
    const { input, cacheRead, cacheWrite, output } = money.parts
    expect(input + cacheRead + cacheWrite + output).toBeCloseTo(money.dollars ?? 0, 9)
  })

  it('counts reasoning and web searches, and prices searches by the thousand', () => {
    const [message, usage] = answered('a', 1, 'claude-opus-5', 1_000_000, 0)
    const searched = (model: string | null, id: string) =>
      [
        { ...message, id, at: id === 'a' ? 1 : 2 },
        { ...usage, after: id, model, webSearches: 20, reasoning: 4 },
      ] satisfies [Message, ReportedUsage]
    const plain = overviewOf(['pi', logOf([[message, usage]])])
    const {
      money,
      usage: sum,
      agents,
    } = overviewOf(['pi', logOf([searched('claude-opus-5', 'a'), searched('nobody-knows-1', 'b')])])
    expect(sum).toMatchObject({ webSearches: 40, reasoning: 8 })
    expect(money.searchDollars).toBeCloseTo(0.2, 9)
    expect(money.dollars).toBeCloseTo((plain.money.dollars ?? 0) + 0.2, 9)
    expect(agents[0]?.dollars).toBeCloseTo(money.dollars ?? 0, 9)
    expect(money.parts).toEqual(plain.money.parts)
  })

  it('counts a copy without the recorded cost once', () => {
    const [message, usage] = answered('a', 1, 'gpt-5.5', 1_000_000, 0)
    const { money } = overviewOf(['pi', logOf([[message, { ...usage, cost: 0.5 }]])], ['Plimsoll', logOf([[message, usage]])])
    expect(money).toMatchObject({ dollars: expect.closeTo(0.5, 9), basis: 'recorded' })
  })

  it('counts answers whose usage cannot be, apart from all sums', () => {
    const { badUsages, usage } = overviewOf(['pi', logOf([answered('a', 1, 'gpt-5.5', 10, 0)], { badUsages: 3 })])
    expect({ badUsages, requests: usage?.requests }).toEqual({ badUsages: { answers: 3, sessions: 1 }, requests: 1 })
  })

  it('the model of a session is that of an answer that names none', () =>
    expect(
      overviewOf(['pi', logOf([answered('a', 1, null, 1000, 0)], { model: 'gpt-5.5' })]).money.models.map(({ model }) => model),
    ).toEqual(['gpt-5.5']))

  it('counts an answer that is in two logs once, as the log with more of it reports it', () => {
    const [message, usage] = answered('a', 5, 'claude-opus-5.5', 100, 0)
    const part = logOf([[message, { ...usage, answer: 'm1' }]])
    const other = {
      at: 7,
      model: 'claude-opus-5.5',
      usage: { ...usage.usage, cacheWrite: 1000, cacheWriteHour: 1000, output: 50 },
    }
    const complete = logOf([answered('b', 9, 'claude-opus-5.5', 1, 0)], { otherUsages: [{ ...other, answer: 'm1' }] })
    for (const logs of [
      [part, complete],
      [complete, part],
    ]) {
      const { usage: sum, requests, money } = overviewOf(...logs.map((log) => ['Claude Code', log] as const))
      expect({ sent: sum?.input, output: sum?.output, requests }).toEqual({ sent: 101, output: 60, requests: 2 })
      // 101 × $4, 1000 × $8 for an hour and 60 × $20, each per million
      expect(money.dollars).toBeCloseTo(0.009604, 9)
    }
  })

  it('counts an answer once that is in the logs of two sessions', () => {
    const shared = [answered('a', 1000, 'gpt-5.5', 1000, 0), answered('b', 2000, 'gpt-5.5', 2000, 0)]
    const more = [...shared, answered('c', 3000, 'gpt-5.5', 3000, 0)]
    const { requests, usage, repeatedAnswers, sessions } = overviewOf(['pi', logOf(shared)], ['pi', logOf(more)])
    expect({ requests, input: usage?.input, repeatedAnswers, sessions }).toEqual({
      requests: 3,
      input: 6000,
      repeatedAnswers: 2,
      sessions: 2,
    })
  })

  it('counts every answer of the same time and usage once, whatever else has the same time', () => {
    const answer = fc.record({ at: fc.integer({ min: 1, max: 3 }), input: fc.integer({ min: 0, max: 2 }), cacheRead: fc.nat(1) })
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 30 }), (answers) => {
        const logs = answers.map(({ at, input, cacheRead }) => logOf([answered('a', at, 'gpt-5.5', input, cacheRead)]))
        const different = new Set(answers.map((one) => JSON.stringify(one))).size
        const { usage, repeatedAnswers } = overviewOf(...logs.map((log) => ['pi', log] as const))
        expect([usage?.requests ?? 0, repeatedAnswers]).toEqual([different, answers.length - different])
      }),
    )
  })

  it('a session whose every answer is known is a copy of another and is left out', () => {
    const log = logOf([answered('a', 1000, 'gpt-5.5', 1000, 0)])
    const once = overviewOf(['Codex', log])
    const twice = overviewOf(['Codex', log], ['Codex', log])
    expect(twice).toEqual({ ...once, files: 2, bytes: 200, repeatedAnswers: 1, copies: 1 })
  })

  it('counts all answers without a time, as none can be matched to another', () => {
    const [message, usage] = answered('a', 0, 'gpt-5.5', 1000, 0)
    const { at: _, ...timeless } = message
    expect(overviewOf(['pi', logOf([[timeless, usage]])], ['pi', logOf([[timeless, usage]])]).usage?.requests).toBe(2)
  })

  it('redacts keys in the titles it shows', () => {
    const messages: readonly Message[] = [
      { id: '1', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'Bash', input: { command: 'ls' } }] },
      { id: '2', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: null, content: { type: 'text', text: 'ok' } }] },
    ]
    const title = `Use ${key} please`
    const [big] = overviewOf(['pi', logOf([], { messages, title })]).biggest
    expect(big?.title).toMatch(/^Use .* please$/)
    expect(big?.title).not.toContain('abcdefghijklmnop')
  })

  it('redacts keys in the commands it shows', () => {
    const command = `curl -H "Authorization: Bearer ${key}" x`
    const messages: readonly Message[] = [
      { id: '1', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'Bash', input: { command } }] },
      { id: '2', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: null, content: { type: 'text', text: 'ok' } }] },
    ]
    const [big] = overviewOf(['pi', logOf([], { messages })]).biggest
    expect(big?.about).toContain('curl')
    expect(big?.about).not.toContain('abcdefghijklmnop')
  })

  it('shows no half of a key at the end of a long command', () => {
    const command = `echo ${'word '.repeat(56)}${key}`
    const messages: readonly Message[] = [
      { id: '1', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'Bash', input: { command } }] },
      { id: '2', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: null, content: { type: 'text', text: 'ok' } }] },
    ]
    expect(command.slice(0, 300)).toContain(key.slice(0, 10))
    const [big] = overviewOf(['pi', logOf([], { messages })]).biggest
    expect(big?.about).toMatch(/^echo (?:word ?)+$/)
  })

  it('a time that no calendar has is none', () =>
    expect(overviewOf(['pi', logOf([answered('a', 1e300, null, 1, 1)])]).first).toBeNull())
})

describe('the bill by day, model and the like', () => {
  // Noon and the hour before midnight of the user's own time zone.
  const time = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour).getTime()
  const one = logOf(
    [
      answered('a', time(3, 1), 'claude-opus-5.5', 100, 0),
      answered('b', time(3, 1, 23), 'gpt-5', 200, 0),
      answered('c', time(3, 2), 'claude-opus-5.5', 400, 0),
    ],
    { root: '/work/one' },
  )
  const two = logOf([answered('d', time(4, 5), 'own-model', 800, 0)], { id: 't', title: 'Another', root: '/work/two' })
  const rowsBy = (by: BreakdownBy, bill: ShownBill = {}) =>
    shownBy({ by, ...bill }, ['pi', one], ['pi', two]).breakdown?.rows.map(({ key, usage }) => [key, usage.input])

  it('has days, weeks from Monday and months in their order', () => {
    expect(rowsBy('day')).toEqual([
      ['2026-03-01', 300],
      ['2026-03-02', 400],
      ['2026-04-05', 800],
    ])
    expect(rowsBy('week')).toEqual([
      ['2026-02-23', 300],
      ['2026-03-02', 400],
      ['2026-03-30', 800],
    ])
    expect(rowsBy('month')).toEqual([
      ['2026-03', 700],
      ['2026-04', 800],
    ])
  })

  it('has models, projects and sessions by what they cost', () => {
    expect(rowsBy('model')).toEqual([
      ['claude-opus-5.5', 500],
      ['gpt-5', 200],
      ['own-model', 800],
    ])
    expect(rowsBy('project')).toEqual([
      ['/work/one', 700],
      ['/work/two', 800],
    ])
    expect(rowsBy('session')).toEqual([
      ['s', 700],
      ['t', 800],
    ])
  })

  it('counts only answers from the first day to the last, and their sessions', () => {
    const { sessions, requests, usage, breakdown } = shownBy(
      { by: 'day', since: '2026-03-02', until: '2026-04-04' },
      ['pi', one],
      ['pi', two],
    )
    expect({ sessions, requests, input: usage?.input, rows: breakdown?.rows.length }).toEqual({
      sessions: 1,
      requests: 1,
      input: 400,
      rows: 1,
    })
    expect(rowsBy('day', { since: '2026-04-01' })).toEqual([['2026-04-05', 800]])
    expect(rowsBy('day', { until: '2026-03-01' })).toEqual([['2026-03-01', 300]])
  })

  it('leaves out an answer without a time if there is a limit, and has a row for it if there is none', () => {
    const [{ at: _, ...message }, usage] = answered('e', 0, 'gpt-5', 1, 0)
    const bill = (shown: ShownBill) => shownBy(shown, ['pi', logOf([[message, usage]])])
    expect(bill({ by: 'day' }).breakdown?.rows.map(({ key }) => key)).toEqual([null])
    expect(bill({ since: '2026-01-01' }).sessions).toBe(0)
  })

  it('adds up to the whole, whatever the rows are', () => {
    for (const by of breakdowns) {
      const { breakdown, usage, money } = shownBy({ by }, ['pi', one], ['pi', two])
      const sum = (of: (row: Breakdown['rows'][number]) => number) => breakdown?.rows.reduce((total, row) => total + of(row), 0)
      expect([sum((row) => row.usage.requests), sum((row) => row.usage.input)]).toEqual([usage?.requests, usage?.input])
      expect(sum((row) => row.dollars ?? 0)).toBeCloseTo(money.dollars ?? -1, 9)
    }
  })
})

describe('what content costs', () => {
  const text = (count: number) => 'word '.repeat(count)
  const read = (call: string, path: string, at: number): [Message, ReportedUsage] => [
    { id: `a${call}`, role: 'assistant', parts: [{ type: 'tool-call', callId: call, tool: 'read', input: { path } }], at },
    { after: `a${call}`, usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 1 }, model: 'claude-opus-4-5' },
  ]
  const result = (call: string, content: string): Message => ({
    id: `r${call}`,
    role: 'tool',
    parts: [{ type: 'tool-result', callId: call, tool: 'read', content: { type: 'text', text: content } }],
  })
  const calls = [read('1', 'cart.ts', 1), read('2', 'cart.ts', 2), read('3', 'big.ts', 3), read('4', 'cart.ts', 4)] as const
  const contents = [text(1000), text(1000), text(1500), text(1000)]
  const messages = [
    ...calls.flatMap(([message], index) => [message, result(String(index + 1), contents[index] ?? '')]),
    { id: 'end', role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] } satisfies Message,
  ]
  const usages = calls.map(([, usage]) => usage)
  const overview = overviewOf(['pi', logOf([], { messages, usages, root: '/work' })])

  it('is a cache write and a cache read with each later request, of repeated reads by file', () => {
    const [file, ...others] = overview.reads.files
    expect(others).toEqual([])
    expect(file).toMatchObject({ path: 'cart.ts', reads: 3, repeats: 2, title: 'A title' })
    // The second read is carried by three requests, the fourth by one: two writes at $6.25 and two reads at $0.50.
    const each = (file?.tokens ?? 0) / 2
    expect(file).toMatchObject({ written: 2 * each, read: 2 * each })
    expect(file?.dollars).toBeCloseTo((2 * each * 6.25 + 2 * each * 0.5) / 1e6, 12)
    expect(overview.reads.again.dollars).toBeCloseTo(file?.dollars ?? 0, 12)
  })

  it('puts a small result that was carried for long before a large one that was not', () => {
    const longer = [
      ...messages,
      ...Array.from({ length: 40 }, (_, index): Message => ({ ...calls[0][0], id: `x${index}`, parts: [] })),
    ]
    const last = [
      { ...calls[2][0], id: 'last' },
      { ...result('3', text(2000)), id: 'result' },
      { ...calls[0][0], id: 'y', parts: [] },
    ]
    const { biggest } = overviewOf(['pi', logOf([], { messages: [...longer, ...last], usages })])
    expect(biggest.map(({ about }) => about)).toEqual(['big.ts', 'cart.ts'])
    expect((biggest[0]?.dollars ?? 0) > (biggest[1]?.dollars ?? 0)).toBe(true)
    expect(biggest.every(({ tokens }) => tokens < 2000)).toBe(true)
  })

  it('adds up to what all results cost', () => {
    const [kind] = overview.results
    expect(kind?.kind).toBe('file-read')
    expect((overview.dollars.results ?? 0) > (kind?.dollars ?? 1)).toBe(true)
    expect(overview.dollars.results).toBeCloseTo(kind?.dollars ?? 0, 3)
  })

  it('counts a lost cache once that is in the logs of two sessions', () => {
    const usage = (after: string, cacheRead: number, cacheWrite: number, answer: string): ReportedUsage => ({
      after,
      usage: { input: 0, cacheRead, cacheWrite, output: 1 },
      model: 'claude-opus-4-5',
      answer,
    })
    const at = (id: string, time: number): Message => ({ id, role: 'assistant', parts: [], at: time })
    const shared = [at('a', 0), at('b', 600_000)]
    const lost = [usage('a', 0, 100_000, 'm1'), usage('b', 0, 100_000, 'm2')]
    const logs = [
      logOf([], { messages: shared, usages: lost }),
      logOf([], { messages: [...shared, at('c', 1_200_000)], usages: [...lost, usage('c', 0, 100_000, 'm3')] }),
    ]
    const { cacheLosses } = overviewOf(...logs.map((log) => ['Claude Code', log] as const))
    expect(cacheLosses.pause).toEqual({ count: 2, tokens: 200_000, dollars: expect.closeTo(1.15, 9) })
    expect(cacheLosses.rows).toMatchObject([{ pauseSeconds: 600 }, { pauseSeconds: 600 }])
  })
})
