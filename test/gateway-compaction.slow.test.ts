import Anthropic from '@anthropic-ai/sdk'
import type { BetaContentBlockParam, BetaMessage, BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages'
import OpenAI from 'openai'
import type { Response, ResponseInputItem } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import { type StartedGateway, startGateway } from './gateway/start-gateway.ts'

// An upstream that knows neither compaction nor `context_management`.
let upstream: FakeUpstream
let gateway: StartedGateway

beforeAll(async () => {
  upstream = await startFakeUpstream((exchange, number) => {
    const body = exchange.body.toString()
    if (/"(?:compaction|compact_20260112|context_management)"/.test(body))
      return { status: 400, body: { error: { message: 'unknown field' } } }
    return number % 2 === 0
      ? { text: 'Reading on. 漢字', calls: [{ id: `new_${number}`, name: 'bash', input: { command: 'make' } }] }
      : { text: 'done' }
  })
  gateway = await startGateway({ mode: 'safe', upstream: upstream.url })
})

afterAll(async () => {
  await gateway.close()
  await gateway.remove()
  await upstream.close()
})

/** Files of which a request has 60,000 tokens. */
const files = Array.from({ length: 8 }, (_, number) => ({
  path: `src/part-${number}.ts`,
  text: Array.from({ length: 900 }, (_line, line) => `export const value${number}_${line} = ${line * 7919}`).join('\n'),
}))
const task = 'Rename every value to total, never touch the tests. 請用 tabs.'

function turns(): BetaMessageParam[] {
  return [
    { role: 'user', content: task },
    ...files.flatMap(({ path, text }, number): BetaMessageParam[] => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `call_${number}`, name: 'Read', input: { file_path: path } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call_${number}`, content: text }] },
    ]),
  ]
}

const edits = (rest: object = {}) => ({
  edits: [{ type: 'compact_20260112' as const, trigger: { type: 'input_tokens' as const, value: 50_000 }, ...rest }],
})

/** The messages of the last request that the upstream got. */
function sent(key: string): BetaMessageParam[] {
  return (JSON.parse(upstream.of(key).at(-1)?.body.toString() ?? '{}') as { messages: BetaMessageParam[] }).messages
}

describe('compact_20260112', () => {
  const client = (key: string) => new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 })
  const ask = async (key: string, messages: BetaMessageParam[], isStreamed: boolean, rest: object = {}): Promise<BetaMessage> => {
    const body = {
      model: 'other',
      max_tokens: 100,
      messages,
      context_management: edits(rest),
      betas: ['compact-2026-01-12' as const],
    }
    if (!isStreamed) return client(key).beta.messages.create(body)
    return client(key).beta.messages.stream(body).finalMessage()
  }

  it.each([false, true])('replaces what was answered by a summary that comes back (streamed: %s)', async (isStreamed) => {
    const key = `summary ${isStreamed}`
    const messages = turns()
    const answer = await ask(key, messages, isStreamed)
    expect(answer.content.map(({ type }) => type)).toEqual(['compaction', 'text', 'tool_use'])
    const [block] = answer.content
    const summary = block?.type === 'compaction' ? (block.content ?? '') : ''
    expect(summary).toContain(task)
    const first = sent(key)
    // The summary, and the last call with the result that no model has read.
    expect(first).toEqual([{ role: 'user', content: [{ type: 'text', text: summary }] }, ...messages.slice(-2)])

    const result: BetaMessageParam = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'new_0', content: 'built' }] }
    const own = { role: 'assistant' as const, content: answer.content as BetaContentBlockParam[] }
    const rest = { role: 'assistant', content: own.content.slice(1) }
    // A client may leave out what a summary stands for, or send it along.
    for (const before of [messages, []]) {
      const next = await ask(key, [...before, own, result], isStreamed)
      expect(next.content.every(({ type }) => type !== 'compaction')).toBe(true)
      expect(sent(key)).toEqual([...first, rest, result])
    }

    const [, handle = ''] = /recall ([0-9a-f]{12})/.exec(summary.slice(summary.lastIndexOf('\n'))) ?? []
    const [tenant = ''] = await gateway.store.tenants()
    const [original] = (
      await Promise.all((await gateway.store.tenants()).map((one) => gateway.store.originals(one, handle)))
    ).flat()
    expect(JSON.stringify([tenant, original])).toContain('value3_899 = 7119181')

    // A second one keeps the first.
    const again = await ask(key, [own, ...turns().slice(1)], isStreamed)
    const second = again.content[0]?.type === 'compaction' ? (again.content[0].content ?? '') : ''
    expect(second.startsWith(`${summary}\n\n`)).toBe(true)
  })

  it.each([false, true])('answers with the summary alone if it is to pause (streamed: %s)', async (isStreamed) => {
    const key = `pause ${isStreamed}`
    const answer = await ask(key, turns(), isStreamed, { pause_after_compaction: true })
    expect([answer.stop_reason, answer.content.map(({ type }) => type)]).toEqual(['compaction', ['compaction']])
    expect(upstream.of(key)).toEqual([])
    await ask(
      key,
      [
        { role: 'assistant', content: answer.content as BetaContentBlockParam[] },
        { role: 'user', content: 'Go on.' },
      ],
      isStreamed,
    )
    expect(sent(key).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user'])
  })

  it('keeps what it folded for its own client: one that brings the summary of another gets and changes nothing', async () => {
    const own: BetaMessageParam[] = [{ role: 'user', content: 'Only mine.' }, ...turns().slice(1)]
    const [block] = (await ask('owner', own, false)).content
    const summary = block?.type === 'compaction' ? (block.content ?? '') : ''
    const handle = /recall ([0-9a-f]{12})/.exec(summary.slice(summary.lastIndexOf('\n')))?.[1] ?? ''
    const holders = async () => {
      const tenants = await gateway.store.tenants()
      const found = await Promise.all(
        tenants.map(async (tenant) => [tenant, await gateway.store.originals(tenant, handle)] as const),
      )
      return found.filter(([, originals]) => originals.length > 0)
    }
    const before = await holders()
    expect(before).toHaveLength(1)
    const stolen = { role: 'assistant' as const, content: [block] as BetaContentBlockParam[] }
    await ask('stranger', [stolen, { role: 'user', content: 'Go on.' }], false)
    await ask('stranger', [stolen, ...turns()], false, { pause_after_compaction: true })
    expect(await holders()).toEqual(before)
  })

  it('removes it from a request that is short enough, and leaves a wrong one to the upstream', async () => {
    const messages = turns().slice(0, 3)
    await ask('short', messages, false)
    expect(sent('short')).toEqual(messages)
    await expect(ask('wrong', messages, false, { keep: 3 })).rejects.toThrow('400')
  })
})

describe("OpenAI's compaction", () => {
  const client = (key: string) => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 })
  const items = (): ResponseInputItem[] => [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: task },
    ...files.flatMap(({ path, text }, number): ResponseInputItem[] => [
      { type: 'function_call', call_id: `call_${number}`, name: 'read', arguments: JSON.stringify({ path }) },
      { type: 'function_call_output', call_id: `call_${number}`, output: text },
    ]),
  ]
  const sentItems = (key: string) =>
    (JSON.parse(upstream.of(key).at(-1)?.body.toString() ?? '{}') as { input: ResponseInputItem[] }).input
  const ask = async (key: string, input: ResponseInputItem[], isStreamed: boolean): Promise<Response> => {
    const body = { model: 'other', store: false, input, context_management: [{ type: 'compaction', compact_threshold: 20_000 }] }
    return isStreamed ? client(key).responses.stream(body).finalResponse() : client(key).responses.create(body)
  }

  it.each([false, true])('replaces what was answered by a summary that comes back (streamed: %s)', async (isStreamed) => {
    const key = `item ${isStreamed}`
    const answer = await ask(key, items(), isStreamed)
    expect(answer.output.map(({ type }) => type)).toEqual(['compaction', 'message', 'function_call'])
    const first = sentItems(key)
    expect(first.length).toBe(4)
    expect([first[0], ...first.slice(2)]).toEqual([items()[0], ...items().slice(-2)])
    expect(JSON.stringify(first[1])).toContain(task)

    const result: ResponseInputItem = { type: 'function_call_output', call_id: 'new_0', output: 'built' }
    await ask(key, [...items(), ...(answer.output as ResponseInputItem[]), result], isStreamed)
    expect(sentItems(key)).toEqual([...first, ...answer.output.slice(1), result])
  })

  it('answers /responses/compact with the messages of the user and a summary, which a later request brings back', async () => {
    const key = 'list'
    const { output, object } = await client(key).responses.compact({ model: 'other', input: items() })
    expect([object, output.map(({ type }) => type)]).toEqual(['response.compaction', [undefined, 'compaction']])
    expect(upstream.of(key)).toEqual([])
    await client(key).responses.create({
      model: 'other',
      input: [...(output as ResponseInputItem[]), { role: 'user', content: 'Go on.' }],
    })
    expect(sentItems(key).length).toBe(5)
    expect(sentItems(key)[0]).toEqual(items()[1])
    expect(sentItems(key).slice(2, 4)).toEqual(items().slice(-2))
  })

  it("leaves another provider's summary alone", async () => {
    await expect(
      ask(
        'foreign',
        [
          { type: 'compaction', encrypted_content: 'gAAAA' },
          { role: 'user', content: 'Go on.' },
        ],
        false,
      ),
    ).rejects.toThrow('400')
  })
})
