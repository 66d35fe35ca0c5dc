import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildView, type Message } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import { estimator } from '@plimsoll/core/text'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ReadSession } from '../logs/log-reader.ts'
import { readLog } from '../logs/read-log.ts'
import { recordSession } from '../replay/record-session.ts'
import { replaySession } from '../replay/replay-session.ts'
import { costOf } from '../replay/summarise-price.ts'
import { recordedFile } from '../replay/testing/recorded-file.ts'
import { overheadOf } from '../replay/view-source.ts'
import type { Inspection } from '../shared/inspection/inspection.ts'
import { type PackedInspection, packInspection, unpackInspection } from '../shared/inspection/pack-inspection.ts'
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

const peakOf = ({ requests }: Pick<Inspection, 'requests'>) => Math.max(...requests.map(({ fill }) => fill.tokens))

describe('inspectUnder', () => {
  // The logs and the prices take turns: each set is seen with both of each.
  it.each(underChoices().map((set, index) => [set, index % 2 === 0 ? ['r.10', 'gpt-5.5'] : ['gpt-5.5', 'r.10']] as const))(
    'returns the cost and the prompts of a replay under %s at %s',
    async (policies, prices) => {
      for (const [index, path] of [exampleLog(), fileOf(recordedFile(60))].entries()) {
        const price = prices[index] as string
        const read = await sessionIn(path)
        const { inspection } = under(read, policies, price)
        const { set, row } = underNamed({ policies, price })
        const session = recordSession(read, { name: 'it', format: 'made', tokens: estimator })
        const run = replaySession({
          session,
          needs: [],
          set,
          rows: [row],
          tokens: estimator,
          isCalibrated: false,
          withPrompts: true,
        })
        const [bill] = run.bills
        expect(inspection.session.cost).toEqual({ dollars: bill === undefined ? null : costOf(bill), unpriced: 0 })
        expect(inspection.requests.map(({ fill }) => fill.tokens)).toEqual(run.prompts?.[0])
        expect(peakOf(inspection)).toBe(bill?.peak)
      }
    },
  )

  it('agrees with what-if, with the same tokenizer', async () => {
    const path = exampleLog()
    const { value: log } = await readLog(path)
    const { texts } = await openInspectedUnder(
      { log: log as never, path, number: 0, id: 'example', under: { policies: 'economy', price: 'r.10' } },
      settings,
    )
    const inspection = await texts.inspection()
    const { rows } = await whatIf({ path, number: 0 }, { policies: ['economy'], prices: ['r.10'] })
    const row = rows.find(({ policies }) => policies === 'economy')
    expect([peakOf(inspection), inspection.session.cost.dollars, inspection.requests.length]).toEqual([
      row?.peak,
      row?.bill,
      row?.prompts.length,
    ])
  })

  it('adds up each request, and shows no more than the log has', async () => {
    const read = await sessionIn(exampleLog())
    const { inspection, sent } = under(read, 'economy')
    for (const { fill, id } of inspection.requests) {
      const around = overheadOf({ canRecall: true }, estimator)
      const view = sent(id) as readonly Message[]
      expect(Object.values(fill.categories).reduce((sum, tokens) => sum + tokens, 0)).toBe(fill.tokens)
      expect(fill.tokens).toBeGreaterThan(around)
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
    expect(inspection.session.under).toEqual({ policies: 'economy', price: 'r.10' })
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
