import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { embedInspection } from '../packages/node/src/inspect/embed-inspection.ts'
import { openInspectedLog } from '../packages/node/src/inspect/inspect-log.ts'
import { openInspectedSession } from '../packages/node/src/inspect/inspect-session.ts'
import type { OpenLogged } from '../packages/node/src/inspect/inspected-texts.ts'
import { inspectionPage } from '../packages/node/src/inspect/inspection-page.ts'
import { whatIf } from '../packages/node/src/inspect/what-if.ts'
import { readLog } from '../packages/node/src/logs/read-log.ts'
import { recordedFile } from '../packages/node/src/replay/testing/recorded-file.ts'
import { type SessionClient, startClient } from '../packages/node/src/server/testing/session-client.ts'
import { createSession } from '../packages/node/src/session/create-session.ts'
import type { LogListRow } from '../packages/node/src/shared/server-api.ts'
import { stringsFor } from '../packages/node/src/strings/strings-for.ts'
import { embeddedSource, readEmbedded } from '../packages/web/src/inspector/source/embedded-source.ts'
import { httpSource, type InspectorSource } from '../packages/web/src/inspector/source/inspector-source.ts'
import { createApi } from '../packages/web/src/server/api.ts'

// The inspector must behave the same with a server and inside an exported page.

const strings = stringsFor('en').page
const question = { policies: ['spec', 'economy'], prices: ['r.10', 'r.05'] }

describe('both sources of an inspector', () => {
  it('return the same for a session with edits', async () => {
    const client = await startedClient()
    writeFileSync(join(client.options.root, 'a.txt'), lines(3000))
    const id = await client.create()
    for (let time = 0; time < 3; time += 1) await client.talk(id, 'run cat a.txt')
    const opened = await openInspectedSession(client.options.sessions, id, settingsOf(client))
    const { inspection } = await expectSame(sourcesOf(client, id, true, await pageOf(opened)))
    expect([inspection.edits.length > 0, inspection.requests.length]).toEqual([true, 6])
  })

  it('return the same for a session with small and large images', async () => {
    const client = await startedClient()
    const session = await createSession(client.options.sessions)
    const image = (bytes: number) => Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(bytes, 7)])
    const url = (bytes: number) => `data:image/png;base64,${image(bytes).toString('base64')}`
    await session.append([
      {
        type: 'message',
        message: { id: 'm1', role: 'user', parts: [{ type: 'media', mediaType: 'image/png', data: { url: url(90) } }] },
      },
      {
        type: 'message',
        message: { id: 'm2', role: 'user', parts: [{ type: 'media', mediaType: 'image/png', data: url(90_000) }] },
      },
      { type: 'message', message: { id: 'm3', role: 'assistant', parts: [{ type: 'text', text: 'Two pictures.' }] } },
    ])
    await session.close()
    const opened = await openInspectedSession(client.options.sessions, session.id, settingsOf(client))
    const { blobs } = await expectSame(sourcesOf(client, session.id, true, await pageOf(opened)))
    expect(blobs).toBe(1)
  })

  it('return the same for a log of another agent', async () => {
    const client = await startedClient()
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-conformance-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, 'log.json')
    writeFileSync(path, recordedFile(20))
    const uploaded = await client.fetch('/api/logs?name=log.json', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: recordedFile(20),
    })
    const { id } = (await uploaded.json()) as LogListRow
    const { value: log } = await readLog(path)
    if (log === undefined) throw new Error('the log cannot be read')
    const opened = await openInspectedLog({ path, number: 0, id: `${id}.1`, log }, settingsOf(client))
    const { inspection } = await expectSame(sourcesOf(client, `${id}.1`, false, await pageOf(opened)))
    expect(inspection.requests.length).toBe(21)
  })
})

interface Sources {
  readonly http: InspectorSource
  readonly embedded: InspectorSource
}

/** Requests everything from both and compares each answer. */
async function expectSame({ http, embedded }: Sources) {
  const inspection = await same((source) => source.inspection())
  const count = inspection.messages.ids.length
  const messages = await same((source) => source.messages(0, count))
  expect(messages.length).toBe(count)
  await same((source) => source.messages(1, 2))
  await same((source) => source.messages(count - 1, count + 50))
  await same((source) => source.messages(count, count + 1))
  await same((source) => source.search('the'))
  await same((source) => source.search('No message has this.'))
  for (const { id } of inspection.requests) await same((source) => source.request(id))
  for (const { id } of inspection.edits) await same((source) => source.edit(id))
  if (inspection.requests.length > 0) {
    await same((source) => source.whatIf(question))
    await same((source) => source.whatIf({ policies: ['economy'], prices: ['r.05'] }))
  }
  const hashes = [...JSON.stringify(messages).matchAll(/"sha256":"([0-9a-f]{64})"/g)].flatMap((found) => found[1] ?? [])
  for (const sha256 of hashes) await same(async (source) => bytesAt(await source.blob(sha256, 'image/png')))
  const [all, here] = [await http.whatIfChoices?.(), await embedded.whatIfChoices?.()]
  for (const name of here?.policies ?? []) expect(all?.policies).toContain(name)
  for (const name of here?.prices ?? []) expect(all?.prices).toContain(name)
  await refused((source) => source.whatIf({ policies: ['nobody-trims-so'], prices: [] }))
  await refused((source) => source.request('nobody-sent-this'))
  await refused((source) => source.edit('nobody-made-this'))
  await refused((source) => source.blob('0'.repeat(64), 'image/png'))
  return { inspection, blobs: hashes.length }

  async function same<Answer>(ask: (source: InspectorSource) => Promise<Answer>): Promise<Answer> {
    const answer = await ask(http)
    expect(await ask(embedded)).toEqual(answer)
    return answer
  }

  async function refused(ask: (source: InspectorSource) => Promise<unknown>): Promise<void> {
    for (const source of [http, embedded]) await expect(ask(source)).rejects.toThrow(/^\S.*\.$/)
  }
}

async function bytesAt(address: string): Promise<string> {
  return Buffer.from(await (await fetch(address)).arrayBuffer()).toString('base64')
}

function startedClient(): Promise<SessionClient> {
  return startClient({ config: { tool_output_limits: { tools: { 'filesystem-read': { max_lines: 20 } } } } as never })
}

function settingsOf({ options: { config, isWindowSet } }: SessionClient) {
  return { config, isWindowSet, day: new Date().toISOString().slice(0, 10) }
}

function sourcesOf(client: SessionClient, id: string, isOwn: boolean, embedded: InspectorSource): Sources {
  const api = createApi(client.options.token, () => 'en', `http://127.0.0.1:${client.port}`)
  return { http: httpSource(api, id, isOwn), embedded }
}

/** The source of an exported page with this session, after writing and reading it. */
async function pageOf({ texts, logged, close }: OpenLogged): Promise<InspectorSource> {
  const { requests } = await texts.inspection()
  const data = await embedInspection(texts, {
    locale: 'en',
    isRedacted: false,
    home: null,
    strings,
    whatIf: requests.length === 0 ? null : await whatIf(logged, question),
    // Everything here fits into a page.
    limits: { text: 1_000_000 },
  })
  await close()
  const page = [...inspectionPage(data, { script: '', style: '' }, strings)].join('')
  const read = readEmbedded(/id="plimsoll-inspection">([^]*?)<\/script>/.exec(page)?.[1] ?? null)
  if (read.data === undefined) throw new Error(read.trouble)
  return embeddedSource(read.data)
}

function lines(count: number): string {
  return Array.from({ length: count }, (_, index) => `line ${index} of a file that is long`).join('\n')
}
