import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { whatIfChoices } from '../inspect/what-if-choices.ts'
import { recordedFile } from '../replay/testing/recorded-file.ts'
import type { AnswerLine, WhatIf } from '../shared/inspection/embedded-inspection.ts'
import type { LogListRow } from '../shared/server-api.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { answerInLines } from './answer-in-lines.ts'
import { refusal } from './refusal.ts'
import { startClient } from './testing/session-client.ts'

const lined = { accept: 'application/x-ndjson' }

describe('GET /api/inspect/:id/what-if', () => {
  it('names every policy set and price that can be asked for', async () => {
    const client = await startClient()
    const { status, body } = await client.get('/inspect/example/what-if')
    expect([status, body]).toEqual([200, whatIfChoices()])
  })
})

describe('POST /api/inspect/:id/what-if', () => {
  it('streams progress, the rows so far and the answer to a client that reads lines', async () => {
    const client = await startClient()
    const uploaded = await client.fetch('/api/logs?name=log.json', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: recordedFile(60),
    })
    const { id } = (await uploaded.json()) as LogListRow
    const ask = (headers: Readonly<Record<string, string>>, policies: readonly string[]) =>
      client.fetch(`/api/inspect/${id}.1/what-if`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ policies, prices: ['r.05'] }),
      })
    const response = await ask(lined, ['spec', 'economy'])
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson'])
    const lines = linesIn<WhatIf>(await response.text())
    expect(lines.flatMap((line) => ('share' in line ? [line.share] : [])).length).toBeGreaterThan(0)
    const setsIn = ({ rows }: WhatIf) => rows.map(({ policies }) => policies)
    expect(lines.flatMap((line) => ('soFar' in line ? [setsIn(line.soFar)] : []))).toEqual([['raw'], ['raw', 'spec']])
    expect(lines.at(-1)).toEqual({ answer: await (await ask({}, ['spec', 'economy'])).json() })
    const unknown = await ask(lined, ['nobody-trims-so'])
    expect(unknown.status).toBe(400)
  })

  it('bills a session at prices that are sent along, twice as much at twice the price', async () => {
    const client = await startClient()
    const uploaded = await client.fetch('/api/logs?name=log.json', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: recordedFile(6).replace('gpt-5.5', 'unheard-of'),
    })
    const { id } = (await uploaded.json()) as LogListRow
    const ask = async (own: unknown) => client.post(`/inspect/${id}.1/what-if`, { policies: ['economy'], prices: [], own })
    const bills = ({ body }: { readonly body: unknown }) => (body as WhatIf).rows.map(({ bill }) => bill)
    const price = { input: 3, cache_read: 0.3, output: 15 }
    const once = await ask({ 'unheard-of': price })
    const twice = await ask({ 'unheard-of': { input: 6, cache_read: 0.6, output: 30 } })
    expect([(once.body as WhatIf).isPriced, ((await ask({})).body as WhatIf).isPriced]).toEqual([true, false])
    expect(bills(twice)).toEqual(bills(once).map((bill) => expect.closeTo(bill * 2, 9) as number))
    for (const bad of ['x', { 'unheard-of': { input: 3 } }, { 'unheard-of': { input: '3', output: 1 } }])
      expect((await ask(bad)).status).toBe(400)
  })
})

describe('GET /api/inspect/:id/inspection?under=', () => {
  it('streams its progress to a client that reads lines', async () => {
    const client = await startClient()
    const path = '/api/inspect/example/inspection?under=economy'
    const lines = linesIn(await (await client.fetch(path, { headers: lined })).text())
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.at(-1)).toEqual({ answer: await (await client.fetch(path)).json() })
  })
})

describe('answerInLines', () => {
  const answering = (work: Parameters<typeof answerInLines>[2]) =>
    new Hono().get('/', (context) => answerInLines(context, { strings: stringsFor('en') }, work)).request('/')

  it('aborts the work once the client is gone', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const response = await answering(async (say, gone) => {
      say({ share: 0.1 })
      gone.addEventListener('abort', () => resolve())
      await promise
      throw new Error('stopped')
    })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('{"share":0.1}\n')
    await reader?.cancel()
    await promise
  })

  it('writes an error that comes after the first line as a line', async () => {
    const response = await answering((say) => {
      say({ share: 0.1 })
      return Promise.reject(refusal('NOTHING_TO_REPLAY'))
    })
    expect(linesIn(await response.text())).toEqual([
      { share: 0.1 },
      { error: expect.objectContaining({ code: 'NOTHING_TO_REPLAY' }) },
    ])
  })
})

function linesIn<Answer>(text: string): readonly AnswerLine<Answer>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AnswerLine<Answer>)
}
