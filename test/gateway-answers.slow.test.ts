import { type TrimMode, trimModes } from '@plimsoll/core/policies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type WireDialect, wireDialects } from '../packages/node/src/store/gateway-record.ts'
import { type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import { refusals } from './gateway/refusals.ts'
import type { Reply } from './gateway/reply.ts'
import { type StartedGateway, startGateway } from './gateway/start-gateway.ts'
import { giantLog, taskReply } from './gateway/task.ts'

let upstream: FakeUpstream
const gateways = new Map<TrimMode, StartedGateway>()

beforeAll(async () => {
  upstream = await startFakeUpstream(({ key, dialect }): Reply => {
    if (key.includes('calls')) return taskReply(0)
    if (key.includes('refusal') && dialect !== null) return refusals[dialect].overflow
    return { text: 'Grüße, 世界 🚢: a text that is more than ASCII.' }
  })
  for (const mode of trimModes) gateways.set(mode, await startGateway({ mode, upstream: upstream.url }))
})

afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.close()))
  await Promise.all([...gateways.values()].map((gateway) => gateway.remove()))
  await upstream.close()
})

describe.each(wireDialects)('%s', (dialect) => {
  test.each([false, true])('returns answers byte for byte with their headers (streamed: %s)', async (isStreamed) => {
    for (const kind of ['text', 'calls', 'refusal']) {
      const direct = await ask(upstream.url, dialect, `${kind}-direct`, isStreamed)
      expect(direct.status).toBe(kind === 'refusal' ? 400 : 200)
      for (const mode of trimModes) {
        const { own, ...through } = await ask(gateways.get(mode)?.url ?? '', dialect, `${kind}-${mode}`, isStreamed)
        expect({ kind, mode, ...through }).toEqual({
          kind,
          mode,
          status: direct.status,
          headers: direct.headers,
          body: direct.body,
        })
        expect(own).toEqual(expect.arrayContaining(['x-plimsoll-request-id', 'x-plimsoll-mode']))
      }
    }
  })
})

test('metrics of a gateway match its requests', async () => {
  const gateway = gateways.get('safe') as StartedGateway
  await expect.poll(() => gateway.measured.length).toBe(gateway.events.length)
  const text = await (await fetch(`${gateway.url}/metrics`)).text()
  const value = (line: string) => Number(new RegExp(`^${line} (\\S+)$`, 'm').exec(text)?.[1])
  const refused = gateway.events.filter((event) => event.type === 'answered' && event.status === 400)
  expect(refused.length).toBe(8)
  expect(value('plimsoll_overflow_total{provider="anthropic",kind="overflow"}')).toBe(2)
  expect(
    value(
      'plimsoll_requests_total{dialect="gemini",route="/v1beta/models/\\*:generateContent",status="200",mode="safe",end="complete"}',
    ),
  ).toBe(2)
  const removed = gateway.measured.reduce((sum, { removed: by }) => sum + (by['limit-tool-output'] ?? 0), 0)
  expect(removed).toBeGreaterThan(0)
  expect(value('plimsoll_tokens_removed_total{rule="limit-tool-output"}')).toBe(removed)
  expect(value('plimsoll_overhead_seconds_count')).toBe(gateway.events.length)
})

/** Headers of the connection, not of the answer, and the date. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'date'])

async function ask(url: string, dialect: WireDialect, key: string, isStreamed: boolean) {
  const { path, body } = question(dialect, isStreamed)
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}-${dialect}-${isStreamed}` },
    body: JSON.stringify(body),
  })
  const headers = [...answer.headers].filter(([name]) => !ofConnection.has(name))
  return {
    status: answer.status,
    headers: headers.filter(([name]) => !name.startsWith('x-plimsoll-')),
    own: headers.flatMap(([name]) => (name.startsWith('x-plimsoll-') ? [name] : [])),
    body: Buffer.from(await answer.arrayBuffer()).toString('base64'),
  }
}

function question(dialect: WireDialect, isStreamed: boolean): { readonly path: string; readonly body: unknown } {
  const input = { command: 'make' }
  const call = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: JSON.stringify(input) } }
  switch (dialect) {
    case 'anthropic':
      return {
        path: '/v1/messages?beta=true',
        body: {
          model: 'claude-sonnet-5',
          max_tokens: 100,
          stream: isStreamed,
          messages: [
            { role: 'user', content: 'Build it.' },
            { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'bash', input }] },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: giantLog }] },
          ],
        },
      }
    case 'openai-chat':
      return {
        path: '/v1/chat/completions',
        body: {
          model: 'gpt-4.1',
          stream: isStreamed,
          messages: [
            { role: 'user', content: 'Build it.' },
            { role: 'assistant', content: null, tool_calls: [call] },
            { role: 'tool', tool_call_id: 'call_1', content: giantLog },
          ],
        },
      }
    case 'openai-responses':
      return {
        path: '/v1/responses',
        body: {
          model: 'gpt-4.1',
          stream: isStreamed,
          store: false,
          input: [
            { role: 'user', content: 'Build it.' },
            { type: 'function_call', call_id: 'call_1', name: 'bash', arguments: JSON.stringify(input) },
            { type: 'function_call_output', call_id: 'call_1', output: giantLog },
          ],
        },
      }
    case 'gemini':
      return {
        path: `/v1beta/models/gemini-2.5-pro:${isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
        body: {
          contents: [
            { role: 'user', parts: [{ text: 'Build it.' }] },
            { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'bash', args: input } }] },
            { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'bash', response: { output: giantLog } } }] },
          ],
        },
      }
  }
}
