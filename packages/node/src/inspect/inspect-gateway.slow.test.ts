import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Message } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { completeConfig } from '@plimsoll/core/policies'
import { afterAll, describe, expect, it } from 'vitest'
import type { GatewayMessage, GatewayRequest } from '../store/gateway-record.ts'
import { openSqliteStore } from '../store/sqlite/open-sqlite-store.ts'
import { createInspector, type GatewayTarget, type InspectQuestion } from './inspector.ts'

const tenant = 'tenant'
const limits = { window: 200_000, reserve: 8192 }
const result: Message = {
  id: 'm3',
  role: 'tool',
  parts: [{ type: 'tool-result', callId: 'c1', tool: 'grep', content: { type: 'text', text: 'long '.repeat(100) } }],
}
const messages: readonly GatewayMessage[] = [
  { id: 'm1', role: 'user', tokens: 10, category: 'user', tool: null, at: 100 },
  { id: 'm2', role: 'assistant', tokens: 20, category: 'calls', tool: 'grep', at: 200 },
  { id: 'm3', role: 'tool', tokens: 120, category: 'results', tool: 'grep', at: 200 },
]
const edit: ReportedEdit = {
  id: 'e1',
  policy: 'limit-tool-output',
  kind: 'replace',
  message: 'm3',
  part: 0,
  tool: 'grep',
  tokensBefore: 120,
  tokensAfter: 30,
  why: 'too long',
  cache: 'free',
}
const cost = { dollars: 0.5, parts: { input: 0.5, cacheRead: 0, cacheWrite: 0, output: 0 } }

function requestOf(number: number, more: Partial<GatewayRequest>): GatewayRequest {
  return {
    id: `r${number}`,
    conversation: 'conversation',
    number,
    after: null,
    at: 100 * (number + 1),
    dialect: 'openai-chat',
    model: 'gpt-4o',
    mode: 'safe',
    isHeldOut: false,
    status: 200,
    tokensBefore: 10,
    tokensAfter: 10,
    fill: { tokens: 10, categories: { user: 10 }, results: [], source: 'estimate', ...limits },
    sharedMessages: 0,
    messages: ['m1'],
    edits: [],
    waiting: 0,
    broken: null,
    findings: [],
    usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 1 },
    cost,
    untrimmed: null,
    milliseconds: { firstByte: 1, whole: 2, planned: 1 },
    ...more,
  }
}

const path = join(mkdtempSync(join(tmpdir(), 'plimsoll-inspected-')), 'store.sqlite')
const inspector = createInspector({ config: completeConfig({}), isWindowSet: false, day: '2026-01-05' })
const target: GatewayTarget = { kind: 'gateway', store: path, tenant, conversation: 'conversation', id: 'g1', canHide: true }

async function ask<Answer>(question: InspectQuestion, of = target): Promise<Answer> {
  const { bytes } = await inspector.ask(of, question)
  return JSON.parse(new TextDecoder().decode(bytes)) as Answer
}

describe('inspecting a gateway conversation', async () => {
  const store = await openSqliteStore({ path, now: () => 1000 })
  const tools = ['grep', 'edit', 'mcp__hub__find'].map((name) => ({ name, tokens: 10 }))
  const [first, ...later] = messages as [GatewayMessage, ...GatewayMessage[]]
  await store.record(tenant, { request: requestOf(0, { tools }), label: 'a label', messages: [first], texts: [], branch: null })
  const shown = { ...(result.parts[0] as object), content: { type: 'text', text: 'cut' } } as Message['parts'][number]
  const decision = { key: 'c1', part: 0, original: 'h', policy: edit.policy, why: edit.why, with: shown, at: 200 }
  const original = { handle: 'abcdef012345', conversation: 'conversation', message: result, call: null, at: 200 }
  await store.claim(tenant, [{ decision, original }])
  await store.record(tenant, {
    request: requestOf(1, {
      tokensBefore: 150,
      tokensAfter: 60,
      after: 'r0',
      sharedMessages: 1,
      messages: ['m2', 'm3'],
      edits: [edit],
      called: ['grep'],
      broken: { message: 2, policy: 'limit-tool-output', reason: 'edit', tokens: 5 },
    }),
    label: null,
    messages: later,
    texts: [],
    branch: null,
  })
  afterAll(async () => {
    await inspector.close()
    await store.close()
  })

  it('shows stored figures without any text', async () => {
    expect(await ask({ what: 'inspection', locale: 'en' })).toMatchObject({
      session: { id: 'g1', title: 'a label', format: 'openai-chat', model: 'gpt-4o', isOwn: false, cost: { dollars: 1 } },
      messages: { ids: ['m1', 'm2', 'm3'], tokens: [10, 20, 120], shown: [10, 20, 30], tools: [-1, 0, 0], toolNames: ['grep'] },
      requests: [
        { id: 'r0', last: 0, edits: 0, saved: 0, broken: null },
        { id: 'r1', last: 2, edits: 1, saved: 90, broken: { message: 2, policy: 'limit-tool-output' } },
      ],
      edits: [{ id: 'e1', number: 2, request: 1, state: 'in-force' }],
      note: expect.stringContaining('--keep-text'),
      troubles: [],
      findings: [
        { kind: 'mcp', about: 'hub', tokens: 10, requests: 2 },
        { kind: 'tools', about: 'edit', count: 1, of: 2, tokens: 10, requests: 2 },
      ],
    })
  })

  it('shows trimmed messages in full, and others by size', async () => {
    const page = await ask<readonly { message: Message; edits: readonly string[] }[]>({ what: 'messages', from: 0, to: 10 })
    expect(page.map(({ message, edits }) => [message.id, edits, message.parts[0]?.type])).toEqual([
      ['m1', [], 'text'],
      ['m2', [], 'text'],
      ['m3', ['e1'], 'tool-result'],
    ])
    expect(page[0]?.message.parts).toEqual([{ type: 'text', text: expect.stringContaining('not its text') }])
    expect(page[2]?.message).toEqual(result)
  })

  it('shows a request as sent, and an edit before and after', async () => {
    const { messages: sent } = await ask<{ messages: readonly Message[] }>({ what: 'request', id: 'r1' })
    expect(sent[2]?.parts).toEqual([shown])
    expect(await ask({ what: 'edit', id: 'e1', locale: 'en' })).toEqual({
      before: 'long '.repeat(100),
      after: 'cut',
      trouble: null,
    })
  })

  it('shows new requests, and texts once they are kept', async () => {
    const text: Message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Where is it?' }] }
    const request = requestOf(2, { after: 'r1', sharedMessages: 3, messages: [] })
    await store.record(tenant, { request, label: null, messages: [], texts: [text], branch: null })
    expect(await ask({ what: 'inspection', locale: 'en' })).toMatchObject({ requests: [{}, {}, { last: 2 }], troubles: [] })
    expect(await ask({ what: 'messages', from: 0, to: 1 })).toMatchObject([{ message: text }])
  })

  it.each([
    ['another conversation', { ...target, conversation: 'other' }, 'no-such-session'],
    ['another tenant', { ...target, tenant: 'other' }, 'no-such-session'],
    ['a replay', { ...target, under: { policies: 'economy', price: 'r.10' } }, 'cannot-replay'],
  ] as const)('rejects %s', async (_name, of, code) => {
    await expect(ask({ what: 'inspection', locale: null }, of)).rejects.toMatchObject({ code })
  })
})
