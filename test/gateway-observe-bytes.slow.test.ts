import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { Message } from '@plimsoll/core'
import { estimator } from '@plimsoll/core/text'
import { writeRequest } from '@plimsoll/core/wire'
import { expect, test } from 'vitest'
import type { ReadSession } from '../packages/node/src/logs/log-reader.ts'
import { readLogs } from '../packages/node/src/logs/read-logs.ts'
import { recordSession } from '../packages/node/src/replay/record-session.ts'
import { startFakeUpstream } from './gateway/fake-upstream.ts'
import { startGateway } from './gateway/start-gateway.ts'
import { root } from './source-files.ts'

// Recorded sessions may be next to the repository.
const recorded = `${root}/../shared/sessions`
const own = `${root}/packages/node/example`
const logs = existsSync(recorded) ? recorded : own

test('observe: requests of every log arrive with an unchanged sha256, with any spacing, escapes and compression', async () => {
  const upstream = await startFakeUpstream(() => ({ text: 'Seen.' }))
  const gateway = await startGateway({ mode: 'observe', upstream: upstream.url })
  const sent: { readonly way: Way; readonly sha256: string; readonly file: string }[] = []
  try {
    const requests: { readonly file: string; readonly messages: readonly Message[] }[] = []
    for await (const { path: file, log } of readLogs([logs]))
      for (const messages of requestsIn(log?.sessions ?? [])) requests.push({ file, messages })
    for (let number = 0; number < Math.max(requests.length, ways.length); number += 1) {
      const { file, messages } = requests[number % requests.length] as (typeof requests)[number]
      const way = ways[number % ways.length] as Way
      const body = way.pack(way.write(writeRequest(way.dialect, messages, { model: 'claude-opus-5' })))
      const answer = await fetch(`${gateway.url}${paths[way.dialect]}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${number}`,
          ...(way.encoding === undefined ? {} : { 'content-encoding': way.encoding }),
        },
        body: new Uint8Array(body),
      })
      await answer.arrayBuffer()
      sent.push({ way, sha256: sha256(body), file })
    }
    await gateway.close()
    const arrived = sent.map(({ way, file }, number) => {
      const [exchange] = upstream.of(String(number))
      return { way, sha256: sha256(exchange?.body), file, encoding: headerIn(exchange?.rawHeaders, 'content-encoding') }
    })
    expect(arrived).toEqual(sent.map((one) => ({ ...one, encoding: one.way.encoding })))

    // All of them were measured nevertheless, even those with duplicate keys.
    expect(gateway.measured.length).toBe(sent.length)
    expect(gateway.measured.filter(({ tokensBefore }) => tokensBefore === 0)).toEqual([])
    expect(new Set(sent.map(({ way }) => way)).size).toBe(ways.length)
  } finally {
    await gateway.close()
    await gateway.remove()
    await upstream.close()
  }
})

const paths = { anthropic: '/v1/messages', 'openai-chat': '/v1/chat/completions' }

interface Way {
  readonly dialect: keyof typeof paths
  readonly writing: string
  readonly write: (value: unknown) => string
  readonly encoding: string | undefined
  readonly pack: (text: string) => Buffer
}

/** Ways in which clients write JSON. */
const writings: Readonly<Record<string, Way['write']>> = {
  plain: (value) => JSON.stringify(value),
  'indented with tabs': (value) => JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n'),
  'with surrounding blanks': (value) => `\n  ${JSON.stringify(value).replace(/^\{"/, '{ \n "')} \r\n`,
  'all in ASCII': (value) =>
    JSON.stringify(value).replaceAll(/[^\u0020-\u007e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'with slashes escaped': (value) => JSON.stringify(value).replaceAll('/', '\\/'),
  'with a duplicate key': (value) =>
    JSON.stringify(value).replace(/^\{/, '{"model":"other","temperature":1.0,"temperature":1e0,'),
}

const packings: readonly Pick<Way, 'encoding' | 'pack'>[] = [
  { encoding: undefined, pack: (text) => Buffer.from(text) },
  { encoding: 'gzip', pack: (text) => gzipSync(text, { level: 1 }) },
  { encoding: 'zstd', pack: (text) => zstdCompressSync(text) },
]

const ways: readonly Way[] = Object.entries(writings).flatMap(([writing, write]) =>
  packings.flatMap((packing) =>
    (['anthropic', 'openai-chat'] as const).map((dialect) => ({ dialect, writing, write, ...packing })),
  ),
)

/** The longest request of a log's first session, and if there are others, one in the middle of the last. */
function requestsIn(sessions: readonly ReadSession[]): readonly (readonly Message[])[] {
  const request = (session: ReadSession | undefined, place: (count: number) => number) => {
    if (session === undefined) return []
    const { segments, steps } = recordSession(session, { name: '', format: '', tokens: { ...estimator, count: () => 0 } })
    const step = steps[place(steps.length)]
    return step === undefined ? [] : [(segments[step.segment] ?? []).slice(0, step.length)]
  }
  return [
    ...request(sessions.at(0), (count) => count - 1),
    ...request(sessions.slice(1).at(-1), (count) => Math.floor(count / 2)),
  ]
}

function sha256(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? 'nothing' : createHash('sha256').update(bytes).digest('hex')
}

function headerIn(raw: readonly string[] = [], wanted: string): string | undefined {
  const place = raw.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted)
  return place < 0 ? undefined : raw[place + 1]
}
