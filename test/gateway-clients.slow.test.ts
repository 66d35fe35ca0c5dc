import { type TrimMode, trimModes } from '@plimsoll/core/policies'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changes } from './gateway/changes.ts'
import type { ClientAnswers } from './gateway/client.ts'
import { clientWays, keyFor } from './gateway/clients.ts'
import { type Exchange, type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import { type StartedGateway, startGateway } from './gateway/start-gateway.ts'
import { giantImage, giantLog, longFile, task, taskReply } from './gateway/task.ts'

let upstream: FakeUpstream
const gateways = new Map<TrimMode, StartedGateway>()

beforeAll(async () => {
  upstream = await startFakeUpstream((_exchange, number) => taskReply(number))
  for (const mode of trimModes) gateways.set(mode, await startGateway({ mode, upstream: upstream.url }))
})

afterAll(async () => {
  await Promise.all([...gateways.values()].map((gateway) => gateway.close()))
  await Promise.all([...gateways.values()].map((gateway) => gateway.remove()))
  await upstream.close()
})

describe.each(clientWays)('$way', ({ client, isStreamed, way }) => {
  let direct: Run

  beforeAll(async () => {
    direct = await run(upstream.url, `${way} direct`)
    expect(direct.received.text).toContain(task.answer)
    expect(direct.received.calls.length).toBe(4)
    expect(direct.exchanges.length).toBe(3)
  })

  async function run(url: string, key: string): Promise<Run> {
    const received = await client.run({ url, key: keyFor(key), isStreamed })
    return { received, exchanges: upstream.of(keyFor(key)) }
  }

  test.each(trimModes)('%s: it gets the same answers as without the gateway, and its requests arrive', async (mode) => {
    const through = await run(urlOf(mode), `${way} ${mode}`)
    expect(through.received).toEqual(direct.received)
    expect(through.exchanges.map(headOf)).toEqual(direct.exchanges.map(headOf))

    const bodies = through.exchanges.map(({ body }) => body)
    if (mode === 'observe') {
      expect(bodies.map((body, index) => body.equals(direct.exchanges[index]?.body ?? Buffer.alloc(0)))).toEqual([
        true,
        true,
        true,
      ])
      return
    }
    const changed = bodies.map((body, index) => changes(parsed(direct.exchanges[index]), JSON.parse(body.toString())))
    expect(changed.map((list) => list.map(({ was }) => sourceOf(was)))).toEqual(expectedChanges[mode])
    // A result cut in the second request is cut the same way in the third.
    expect(changed[2]).toEqual(changed[1])
    for (const { was, is } of changed[1] ?? []) expect(is.length).toBeLessThan(was.length / 2)
  })
})

interface Run {
  readonly received: ClientAnswers
  readonly exchanges: readonly Exchange[]
}

const expectedChanges: Readonly<Record<Exclude<TrimMode, 'observe'>, readonly (readonly string[])[]>> = {
  safe: [[], ['log', 'image'], ['log', 'image']],
  spec: [[], ['log', 'image', 'file'], ['log', 'image', 'file']],
  economy: [[], ['log', 'image'], ['log', 'image']],
}

/** The tool whose output a string was. Only tool output may change. */
function sourceOf(text: string): string {
  if (text.includes(giantLog)) return 'log'
  if (text.includes(giantImage)) return 'image'
  return text.includes(longFile) ? 'file' : `unexpected: ${text.slice(0, 100)}`
}

function urlOf(mode: TrimMode): string {
  return gateways.get(mode)?.url ?? ''
}

/** Everything but the body, without headers of the connection, the length and the credential. */
function headOf({ method, url, rawHeaders }: Exchange) {
  const headers: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    if (!own.has(name)) headers.push(`${name}: ${rawHeaders[index + 1] ?? ''}`)
  }
  return { method, url, headers: headers.sort() }
}

const own: ReadonlySet<string> = new Set(['host', 'connection', 'content-length', 'authorization', 'x-api-key', 'x-goog-api-key'])

function parsed(exchange: Exchange | undefined): unknown {
  return JSON.parse(exchange?.body.toString() ?? 'null')
}
