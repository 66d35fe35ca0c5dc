import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildView, type Message } from '@plimsoll/core'
import { promptTotal, type Usage } from '@plimsoll/core/bill'
import { defaultConfig } from '@plimsoll/core/policies'
import { countMessage, estimator } from '@plimsoll/core/text'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ReadSession } from '../logs/log-reader.ts'
import { readLog } from '../logs/read-log.ts'
import { type PriceRow, priceOfRow, priceRowNamed } from '../replay/bill/price-rows.ts'
import type { OwnAccount } from '../replay/own-account.ts'
import { recordSession } from '../replay/record-session.ts'
import { replaySession } from '../replay/replay-session.ts'
import { recordedFile } from '../replay/testing/recorded-file.ts'
import type { InspectedRequest, Inspection } from '../shared/inspection/inspection.ts'
import { type PackedInspection, packInspection, unpackInspection } from '../shared/inspection/pack-inspection.ts'
import { inspectLog } from './inspect-log.ts'
import { type InspectedUnderPolicies, inspectUnder, openInspectedUnder } from './inspect-under.ts'
import { exampleLog } from './inspector.ts'
import { whatIf } from './what-if.ts'
import { underChoices, underNamed } from './what-if-choices.ts'

const settings = { config: defaultConfig, isWindowSet: false, day: '2026-01-31' }

async function sessionIn(path: string): Promise<ReadSession> {
  const { value } = await readLog(path)
  return value?.sessions[0] as ReadSession
}

function under(read: ReadSession, policies: string, price?: string): InspectedUnderPolicies {
  const named = underNamed({ policies, ...(price === undefined ? {} : { price }) })
  return inspectUnder(read, named, { ...settings, id: 'log.1', format: 'made', bytes: null, tokens: estimator })
}

function fileOf(content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-under-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'log.json')
  writeFileSync(path, content)
  return path
}

/** The provider counts a quarter more than we do, has 8,000 tokens before the messages, and forgets them after a pause. */
function reported(read: ReadSession): ReadSession {
  let sent = 0
  let before = 0
  const usages = read.messages.flatMap((message, index) => {
    const prompt = 8000 + Math.round(sent * 1.25)
    sent += countMessage(message, estimator)
    if (message.role !== 'assistant' || index === 0) return []
    const cacheRead = (message.at ?? 0) - (read.messages[index - 2]?.at ?? 0) > 600_000 ? 0 : before
    before = prompt
    return [{ after: message.id, model: 'gpt-5.5', usage: { input: prompt - cacheRead, cacheRead, cacheWrite: 0, output: 100 } }]
  })
  return { ...read, model: 'gpt-5.5', usages }
}

describe('inspectUnder', () => {
  // The logs and the prices take turns: each set is seen with both of each.
  it.each(underChoices().map((set, index) => [set, index % 2 === 0 ? ['r.10', 'gpt-5.5'] : ['gpt-5.5', 'r.10']] as const))(
    'returns the cost and the prompts of a replay under %s at %s',
    async (policies, prices) => {
      for (const [index, path] of [exampleLog(), fileOf(recordedFile(60))].entries()) {
        const price = prices[index] as string
        const read = await sessionIn(path)
        const { inspection } = under(read, policies, price)
        const { set } = underNamed({ policies })
        const row = priceRowNamed(price) as PriceRow
        const session = recordSession(read, { name: 'it', format: 'made', tokens: estimator })
        const run = replaySession({
          session,
          needs: [],
          set,
          rows: [row],
          tokens: estimator,
          isCalibrated: false,
          withPrompts: true,
          priceOf: () => priceOfRow(row),
        })
        const { shown, recorded } = run.account as OwnAccount
        if (run.bills[0]?.keepAlive === 0) expect(inspection.session.cost.dollars).toBeCloseTo(shown.dollars, 9)
        else expect(inspection.session.cost.dollars).toBeGreaterThan(shown.dollars)
        expect(inspection.recorded?.cost).toEqual({ dollars: expect.closeTo(recorded.dollars, 9) as number, unpriced: 0 })
        expect(inspection.requests.map(({ usage }) => promptTotal(usage as Usage))).toEqual(shown.prompts)
        expect(inspection.recorded?.usages.map(promptTotal)).toEqual(recorded.prompts)
      }
    },
  )

  it('agrees with what-if at the session’s own prices', async () => {
    const path = fileOf(recordedFile(40))
    const { value: log } = await readLog(path)
    const { texts } = await openInspectedUnder(
      { log: log as never, path, number: 0, id: 'example', under: { policies: 'economy', price: 'session' } },
      settings,
    )
    const inspection = await texts.inspection()
    const { rows } = await whatIf({ path, number: 0 }, { policies: ['economy'], prices: [] })
    const [raw, economy] = rows
    expect(economy?.bill).toBeCloseTo(inspection.session.cost.dollars, 9)
    expect(raw?.bill).toBeCloseTo(inspection.recorded?.cost.dollars ?? -1, 9)
    expect(economy?.prompts.length).toBe(inspection.requests.length)
  })

  it('has the same tokens and cost on both sides for what is not trimmed, in each category and in total', async () => {
    const read = reported(await sessionIn(exampleLog()))
    const plain = inspectLog(read, { ...settings, id: 'log.1', format: 'made', bytes: null }).inspection
    const { inspection } = under(read, 'gateway-economy')
    const others = ({ fill }: Pick<Inspection, 'fill'>) => ({ ...fill.categories, results: 0, tools: 0 })
    const smaller = inspection.requests.filter(({ fill }, index) => {
      const recorded = plain.requests[index] as InspectedRequest
      expect(others({ fill })).toEqual(others(recorded))
      expect(fill.tokens).toBe(Object.values(fill.categories).reduce((sum, tokens) => sum + tokens, 0))
      return fill.tokens < recorded.fill.tokens
    })
    expect(smaller.length).toBeGreaterThan(5)
    expect(inspection.recorded?.fill).toEqual(plain.fill)
    expect(inspection.recorded?.cost).toEqual(plain.session.cost)
    expect(inspection.recorded?.costs).toEqual(plain.requests.map(({ cost }) => cost))
  })

  it('shows a session that is not trimmed as recorded', async () => {
    const read = await sessionIn(exampleLog())
    const short = reported({ ...read, messages: read.messages.slice(0, 8) })
    const plain = inspectLog(short, { ...settings, id: 'log.1', format: 'made', bytes: null }).inspection
    const { inspection } = under(short, 'rolling-mask-10')
    expect(plain.requests.length).toBeGreaterThan(1)
    expect(inspection.requests.map(({ fill, usage, cost }) => ({ fill, usage, cost }))).toEqual(
      plain.requests.map(({ fill, usage, cost }) => ({
        fill,
        usage: usage === null ? null : { ...usage, cacheWriteHour: 0 },
        cost,
      })),
    )
    expect([inspection.fill, inspection.session.cost]).toEqual([plain.fill, plain.session.cost])
  })

  it('adds up each request, and shows no more than the log has', async () => {
    const read = await sessionIn(exampleLog())
    const { inspection, sent } = under(read, 'economy')
    for (const { fill, id } of inspection.requests) {
      const view = sent(id) as readonly Message[]
      expect(Object.values(fill.categories).reduce((sum, tokens) => sum + tokens, 0)).toBe(fill.tokens)
      expect(view.length).toBeGreaterThan(0)
    }
    const { tokens, shown } = inspection.messages
    expect(shown.reduce((sum, count) => sum + count, 0)).toBeLessThan(tokens.reduce((sum, count) => sum + count, 0) / 2)
    expect(sent('nonsense')).toBeNull()
  })

  it('makes the same edits as a single view of the last request', async () => {
    const read = await sessionIn(exampleLog())
    const { inspection, sent, edit } = under(read, 'spec-immediate')
    const { set } = underNamed({ policies: 'spec-immediate' })
    const session = recordSession(read, { name: 'it', format: 'made', tokens: estimator })
    const last = session.steps.at(-1)
    const before = session.steps.at(-2)
    const messages = (session.segments[last?.segment ?? 0] ?? []).slice(0, last?.length)
    const { view, edits } = buildView({
      messages,
      policies: set.policies,
      timing: 'immediate',
      sent: messages[(before?.length ?? 0) - 1]?.id ?? null,
      facts: {
        platform: 'linux',
        now: last?.at ?? 0,
        tokens: estimator,
        config: { context_window: 100_000_000, request_limits: { max_bytes: null, max_images: null } },
        ...(read.root === undefined ? {} : { root: read.root }),
      },
    })
    const active = inspection.edits.filter(({ state }) => state === 'in-force').map(({ id }) => id)
    expect(active.length).toBeGreaterThan(5)
    expect(active.toSorted()).toEqual(edits.map(({ id }) => id).toSorted())
    expect(active.map(edit)).toEqual(active.map((id) => edits.find((one) => one.id === id)))
    expect(sent(inspection.requests.at(-1)?.id ?? '')).toEqual(view)
  })

  it('names the first changed message, and the tokens billed again', async () => {
    const { inspection } = under(await sessionIn(exampleLog()), 'spec-immediate')
    const broken = inspection.requests.flatMap((request) => (request.broken === null ? [] : [request]))
    expect(broken.map(({ broken: one }) => one?.reason)).toContain('edit')
    for (const { broken: one, usage, edits } of broken.filter((request) => request.broken?.reason === 'edit')) {
      const made = inspection.edits.find(({ number, policy }) => number === one?.message && policy === one?.policy)
      expect([made?.policy, edits > 0]).toEqual([one?.policy, true])
      // Tokens that are billed again were written again.
      expect(one?.tokens).toBeGreaterThan(0)
      expect(one?.tokens).toBeLessThanOrEqual((usage?.cacheWrite ?? 0) + (usage?.input ?? 0))
    }
  })

  it('keeps edits pending that are not worth it, and applies them once the cache expired', async () => {
    const { inspection } = under(await sessionIn(exampleLog()), 'spec')
    const pending = inspection.requests.findIndex((request) => request.waiting > 0)
    const idle = inspection.requests.findIndex((request) => request.broken?.reason === 'idle')
    expect([pending >= 0, idle > pending]).toEqual([true, true])
    expect([inspection.requests[idle]?.waiting, (inspection.requests[idle]?.edits ?? 0) > 0]).toEqual([0, true])
    expect(inspection.requests.some((request) => request.broken?.reason === 'edit')).toBe(false)
  })

  it('assigns each edit to a request, and adds up their savings', async () => {
    const { inspection } = under(await sessionIn(exampleLog()), 'economy')
    const { edits, requests } = inspection
    expect(edits.length).toBeGreaterThan(20)
    expect(requests.reduce((sum, request) => sum + request.edits, 0)).toBe(edits.length)
    expect(requests.reduce((sum, request) => sum + request.saved, 0)).toBe(
      edits.reduce((sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter, 0),
    )
    expect(edits.every(({ request, number }) => number <= (requests[request ?? -1]?.last ?? -1))).toBe(true)
    expect(inspection.session.under).toEqual({ policies: 'economy', price: 'session' })
  })

  it('survives packing unchanged', async () => {
    const { inspection } = under(await sessionIn(exampleLog()), 'spec-immediate')
    const sent: unknown = JSON.parse(JSON.stringify(packInspection({ ...inspection, troubles: [] })))
    expect(unpackInspection(sent as PackedInspection)).toEqual({ ...inspection, troubles: [], requestCount: 27 })
  })
})

describe('inspectUnder, with a log that its own agent compacted,', () => {
  const file = () => {
    const messages = Array.from({ length: 12 }, (_, index) => [
      {
        id: `a${index}`,
        role: 'assistant',
        parts: [{ type: 'tool-call', callId: `c${index}`, tool: 'Bash', input: { command: `cat ${index}` } }],
      },
      {
        id: `t${index}`,
        role: 'tool',
        parts: [
          {
            type: 'tool-result',
            callId: `c${index}`,
            tool: 'Bash',
            content: { type: 'text', text: `line of file ${index}\n`.repeat(1500) },
            isError: false,
          },
        ],
      },
    ]).flat() as unknown as Message[]
    const start: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Look at all of it.' }] }
    const fold: Message = { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text: 'Half was looked at.' }] }
    const end: Message = { id: 'end', role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] }
    const all = [start, ...messages.slice(0, 12), fold, ...messages.slice(12), end].map((message, index) => ({
      ...message,
      at: 1_700_000_000_000 + index * 1000,
    }))
    return { id: null, title: null, messages: all, usages: [], compactions: 1, sidechains: 0, abandoned: 0 } as ReadSession
  }

  it('keeps edits of folded messages, and reports that the fold broke the cache', () => {
    const { inspection } = under(file(), 'cap-head-tail-8k')
    const folded = inspection.requests.find(({ isCompacted }) => isCompacted)
    expect(folded?.broken).toEqual({ message: 13, policy: null, reason: 'fold', tokens: 0 })
    const early = inspection.edits.filter(({ number }) => number < 13)
    expect(early.length).toBeGreaterThan(0)
    expect(early.every(({ state }) => state === 'in-force')).toBe(true)
    expect(inspection.messages.shown.slice(0, 13)).toEqual(Array.from({ length: 13 }, () => 0))
  })
})

describe('openInspectedUnder', () => {
  it('returns the original text of each edit and its replacement', async () => {
    const path = exampleLog()
    const { value: log } = await readLog(path)
    const opened = await openInspectedUnder(
      { log: log as never, path, number: 0, id: 'example', under: { policies: 'economy', price: 'r.10' } },
      settings,
    )
    onTestFinished(opened.close)
    const { texts } = opened
    const { edits } = await texts.inspection()
    for (const { id, kind, tokensBefore, tokensAfter, number } of edits) {
      const { before, after, trouble } = await texts.edit(id)
      expect([trouble, before === after]).toEqual([null, false])
      if (kind === 'replace') expect(before.length > after.length).toBe(tokensBefore > tokensAfter)
      const [message] = await texts.messages(number, number + 1)
      expect([message?.number, message?.edits.includes(id)]).toEqual([number, true])
    }
    await expect(texts.edit('nonsense')).rejects.toThrow('no-such-edit')
    await expect(texts.request('nonsense')).rejects.toThrow('no-such-request')
  })
})

describe('underChoices', () => {
  it('lists every set that makes edits', () => {
    expect(underChoices().slice(0, 4)).toEqual(['spec-immediate', 'spec', 'economy', 'economy-keep-alive'])
    expect(underChoices()).not.toContain('raw')
    expect(() => underNamed({ policies: 'oracle' })).toThrow('unknown-policies')
    expect(() => underNamed({ policies: 'spec', price: 'nothing' })).toThrow('unknown-prices')
  })
})
