import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleLog } from '../inspect/inspector.ts'
import type { WhatIf } from '../shared/inspection/embedded-inspection.ts'
import type { EditTexts, InspectedMessage, Inspection, SentRequest } from '../shared/inspection/inspection.ts'
import { type PackedInspection, unpackInspection } from '../shared/inspection/pack-inspection.ts'
import type { ApiProblem, LogListRow, LogSessions } from '../shared/server-api.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { startClient } from './testing/session-client.ts'

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index} of a file that is long`).join('\n')

async function clientWith(files: Readonly<Record<string, string>> = {}) {
  const client = await startClient({
    config: { tool_output_limits: { tools: { 'filesystem-read': { max_lines: 20 } } } } as never,
  })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(client.options.root, name), text)
  return client
}

type Client = Awaited<ReturnType<typeof clientWith>>

async function got<Value>(client: Client, path: string): Promise<Value> {
  const { status, body } = await client.get(path)
  expect([path, status]).toEqual([path, 200])
  return body as Value
}

function refusedWith(body: unknown): string {
  return (body as ApiProblem).error.code
}

const { replay } = stringsFor('en')

describe('our own session', () => {
  it('is inspected with its window, its messages, and its requests byte for byte', async () => {
    const client = await clientWith({ 'a.txt': lines(30) })
    const id = await client.create()
    await client.talk(id, 'read a.txt')
    const inspection = await got<Inspection>(client, `/inspect/${id}/inspection`)
    const { session, messages, requests, fill } = inspection
    expect([session.id, session.isOwn, session.title, inspection.troubles]).toEqual([id, true, 'read a.txt', []])
    expect(messages.roles).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(requests.map(({ last }) => last)).toEqual([0, 2])
    expect(Object.values(fill.categories).reduce((sum, tokens) => sum + tokens, 0)).toBe(fill.tokens)
    expect([fill.categories.tools ?? 0, fill.categories.results ?? 0].every((tokens) => tokens > 0)).toBe(true)

    const columns = await got<PackedInspection>(client, `/inspect/${id}/inspection?form=columns`)
    expect(unpackInspection(columns)).toEqual({ ...inspection, requestCount: 2 })

    const page = await got<readonly InspectedMessage[]>(client, `/inspect/${id}/messages?from=1&to=3`)
    expect(page.map(({ number, message }) => [number, message.id])).toEqual([
      [1, messages.ids[1]],
      [2, messages.ids[2]],
    ])
    const sent = await got<SentRequest>(client, `/inspect/${id}/requests/${requests[1]?.id ?? ''}`)
    expect([sent.isProven, sent.messages.filter(({ role }) => role !== 'system').length]).toEqual([true, 3])
  })

  it('shows the original and the replacement of an edit', async () => {
    const client = await clientWith({ 'a.txt': lines(3000) })
    const id = await client.create()
    await client.talk(id, 'run cat a.txt')
    const { edits } = await got<Inspection>(client, `/inspect/${id}/inspection`)
    const [edit] = edits
    expect([edits.length, edit?.state, edit?.request, edit?.number]).toEqual([1, 'in-force', 1, 2])
    const texts = await got<EditTexts>(client, `/inspect/${id}/edits/${encodeURIComponent(edit?.id ?? '')}`)
    expect(texts.before).toContain('line 1500 of a file')
    expect(texts.after.length).toBeLessThan(texts.before.length)
    expect(texts.trouble).toBeNull()
    const page = await got<readonly InspectedMessage[]>(client, `/inspect/${id}/messages?from=0&to=9`)
    expect(page.map(({ edits: on }) => on)).toEqual([[], [], [edit?.id], []])
  })

  it('shows what was added since the last inspection', async () => {
    const client = await clientWith()
    const id = await client.create()
    await client.talk(id, 'hello')
    const before = await got<Inspection>(client, `/inspect/${id}/inspection`)
    await client.talk(id, 'hello again')
    const after = await got<Inspection>(client, `/inspect/${id}/inspection`)
    expect([before.messages.ids.length, after.messages.ids.length]).toEqual([2, 4])
    expect(after.messages.ids.slice(0, 2)).toEqual(before.messages.ids)
  })

  it('shows its intact part if it is damaged, and reports the damage', async () => {
    const client = await clientWith()
    const id = await client.create()
    await client.talk(id, 'hello')
    await client.server.close()
    appendFileSync(join(client.options.sessions, id, 'log.jsonl'), '{"type":"message","id":"torn","par')
    const again = await startClient({ sessions: client.options.sessions, root: client.options.root })
    const { messages, troubles } = (await again.get(`/inspect/${id}/inspection`)).body as Inspection
    expect(messages.ids.length).toBe(2)
    expect(troubles).toEqual([expect.stringMatching(/^Line \d+ is incomplete/)])
  })

  it('can be replayed under other policies', async () => {
    const client = await clientWith({ 'a.txt': lines(400) })
    const id = await client.create()
    await client.talk(id, 'read a.txt')
    const { status, body } = await client.post(`/inspect/${id}/what-if`, { policies: [], prices: [] })
    expect(status).toBe(200)
    expect((body as WhatIf).rows[0]?.policies).toBe('raw')
    const wrong = await client.post(`/inspect/${id}/what-if`, { policies: ['nonsense'], prices: [] })
    expect([wrong.status, refusedWith(wrong.body)]).toEqual([400, 'UNKNOWN_POLICIES'])
  })
})

describe('under a policy set', () => {
  it('shows which edits a log would have had, with their texts, views and messages', async () => {
    const client = await clientWith()
    const inspection = await got<Inspection>(client, '/inspect/example/inspection?under=economy')
    expect(inspection.session.under).toEqual({ policies: 'economy', price: 'session' })
    const edit = inspection.edits.find(({ policy }) => policy === 'cut-long-output')
    const texts = await got<EditTexts>(client, `/inspect/example/edits/${encodeURIComponent(edit?.id ?? '')}?under=economy`)
    expect([texts.trouble, texts.after.length < texts.before.length]).toEqual([null, true])
    const number = edit?.number ?? 0
    const page = await got<readonly InspectedMessage[]>(
      client,
      `/inspect/example/messages?from=${number}&to=${number + 1}&under=economy`,
    )
    expect(page.map((one) => one.edits.includes(edit?.id ?? ''))).toEqual([true])
    const last = inspection.requests.at(-1)?.id ?? ''
    const sent = await got<SentRequest>(client, `/inspect/example/requests/${last}?under=economy`)
    const recorded = await got<SentRequest>(client, `/inspect/example/requests/${last}`)
    const result = (request: SentRequest) => JSON.stringify(request.messages.find(({ id }) => id === edit?.message))
    expect(result(sent).length).toBeLessThan(result(recorded).length)
    const plain = await got<Inspection>(client, '/inspect/example/inspection')
    expect([plain.edits, plain.session.under]).toEqual([[], undefined])
  })

  it('shows our own session with its own texts, and does not change it', async () => {
    const client = await clientWith({ 'a.txt': lines(3000) })
    const id = await client.create()
    await client.talk(id, 'run cat a.txt')
    const inspection = await got<Inspection>(client, `/inspect/${id}/inspection?under=spec-immediate&prices=r.05`)
    expect([inspection.session.under, inspection.session.isOwn]).toEqual([{ policies: 'spec-immediate', price: 'r.05' }, true])
    const [edit] = inspection.edits
    const texts = await got<EditTexts>(
      client,
      `/inspect/${id}/edits/${encodeURIComponent(edit?.id ?? '')}?under=spec-immediate&prices=r.05`,
    )
    expect([texts.before.includes('line 1500 of a file'), texts.trouble]).toEqual([true, null])
    const unchanged = await got<Inspection>(client, `/inspect/${id}/inspection`)
    expect(unchanged.edits.map(({ policy }) => policy)).toEqual(['limit-tool-output'])
  })

  it('refuses an empty session, and reports a removed one as missing', async () => {
    const client = await clientWith()
    const id = await client.create()
    const silent = await client.get(`/inspect/${id}/inspection?under=economy`)
    expect([silent.status, refusedWith(silent.body)]).toEqual([422, 'NOTHING_TO_REPLAY'])
    const gone = await client.get('/inspect/20200101-000000-aaaaaa/inspection?under=economy')
    expect([gone.status, refusedWith(gone.body)]).toEqual([404, 'SESSION_NOT_FOUND'])
  })

  it.each([
    ['under=economi', 'UNKNOWN_POLICIES', replay.unknownPolicySet('"economi"', 'spec-immediate, spec, economy, ')],
    ['under=raw', 'UNKNOWN_POLICIES', replay.unknownPolicySet('"raw"', 'spec-immediate, ')],
    ['under=spec&prices=nothing', 'UNKNOWN_PRICES', replay.unknownPriceRow('"nothing"', 'r.10, ')],
  ])('refuses unknown names and lists the known ones: %s', async (query, code, message) => {
    const client = await clientWith()
    const { status, body } = await client.get(`/inspect/example/inspection?${query}`)
    expect([status, refusedWith(body), (body as ApiProblem).error.message.startsWith(message)]).toEqual([400, code, true])
  })
})

describe('an unknown address', () => {
  it.each([
    ['/inspect/20200101-000000-aaaaaa/inspection', 404, 'SESSION_NOT_FOUND'],
    ['/inspect/..%2f..%2fetc/inspection', 404, 'NO_SUCH_LOG'],
    ['/inspect/0123456789abcdef.1/inspection', 404, 'NO_SUCH_LOG'],
    ['/inspect/example/requests/nonsense', 404, 'NO_SUCH_REQUEST'],
    ['/inspect/example/edits/nonsense', 404, 'NO_SUCH_CHANGE'],
    ['/inspect/example/messages', 400, 'BAD_REQUEST'],
    ['/inspect/example/messages?from=-1&to=1e9', 400, 'BAD_REQUEST'],
    ['/inspect/example/blobs/..%2f..%2fetc%2fpasswd', 404, 'NO_SUCH_CONTENT'],
    [`/inspect/example/blobs/${'0'.repeat(64)}`, 404, 'NO_SUCH_CONTENT'],
    ['/logs/0123456789abcdef', 404, 'NO_SUCH_LOG'],
  ])('is refused: %s', async (path, status, code) => {
    const client = await clientWith()
    const asked = await client.get(path)
    expect([asked.status, refusedWith(asked.body)]).toEqual([status, code])
  })
})

describe('logs of other agents', () => {
  it('include the example if there are none', async () => {
    const client = await clientWith()
    const { session, requests, fill } = await got<Inspection>(client, '/inspect/example/inspection')
    expect([session.id, session.isOwn, requests.length > 10, fill.results.length > 3]).toEqual(['example', false, true, true])
  })

  it('appear from where agents keep them, named only by an id', async () => {
    const client = await clientWith()
    const folder = join(client.options.root, '.claude', 'projects', 'p')
    mkdirSync(folder, { recursive: true })
    const said = (uuid: string, parentUuid: string | null, type: string, content: unknown) =>
      JSON.stringify({
        type,
        uuid,
        parentUuid,
        sessionId: 's',
        timestamp: '2026-01-05T12:00:00.000Z',
        message: { role: type, content },
      })
    writeFileSync(
      join(folder, 'one.jsonl'),
      `${said('a', null, 'user', 'Hello')}\n${said('b', 'a', 'assistant', [{ type: 'text', text: 'Hi.' }])}\n`,
    )
    const rows = await got<readonly LogListRow[]>(client, '/logs')
    expect(rows.map(({ agent, name, folder: where }) => ({ agent, name, where }))).toEqual([
      { agent: 'Claude Code', name: 'one.jsonl', where: '~/.claude/projects/p' },
    ])
    const id = rows[0]?.id ?? ''
    expect(await got<LogSessions>(client, `/logs/${id}`)).toEqual({
      id,
      format: 'claude-code',
      sessions: [{ id: `${id}.1`, title: 'Hello', messages: 2 }],
      troubles: [],
    })
    const { session, messages } = await got<Inspection>(client, `/inspect/${id}.1/inspection`)
    expect([session.id, session.format, messages.roles]).toEqual([`${id}.1`, 'claude-code', ['user', 'assistant']])
  })

  it('can be uploaded', async () => {
    const client = await clientWith()
    const body = readFileSync(exampleLog())
    const headers = { 'content-type': 'application/octet-stream' }
    const given = await client.fetch('/api/logs?name=..%2F..%2Fmy%20log.json', { method: 'POST', headers, body })
    const row = (await given.json()) as LogListRow
    expect([given.status, row.agent, row.name, row.bytes]).toEqual([201, 'file', 'my log.json', body.length])
    const { messages } = await got<Inspection>(client, `/inspect/${row.id}.1/inspection`)
    expect(messages.ids.length).toBeGreaterThan(20)
  })

  it.each([
    ['not a log at all', 422, 'NOT_A_LOG'],
    ['', 422, 'EMPTY_FILE'],
  ])('do not accept the upload %j', async (body, status, code) => {
    const client = await clientWith()
    const headers = { 'content-type': 'application/octet-stream' }
    const given = await client.fetch('/api/logs?name=x', { method: 'POST', headers, body })
    expect([given.status, refusedWith(await given.json())]).toEqual([status, code])
    expect(await got<readonly LogListRow[]>(client, '/logs')).toEqual([])
  })
})
