import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPlannerThread } from '../planner/create-planner-thread.ts'
import { type ReceivedRequest, startUpstream } from '../testing/http-upstream.ts'
import { createMarkerPlanner } from '../testing/marker-planner.ts'
import { plainSettings } from '../testing/planning.ts'
import { connectRaw } from '../testing/raw-sockets.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { waitFor } from '../testing/wait-for.ts'

// Bodies are in memory that is used again, so bytes of one client could be sent as those of another.

/** The connections to an upstream. What is written into one waits there until it is released, as if the upstream were slow. */
function holdConnections(port: number) {
  const sockets: Socket[] = []
  const onConnected = (message: unknown) => {
    const { socket } = message as { readonly socket: Socket }
    if (socket.remotePort !== port) return
    socket.cork()
    sockets.push(socket)
  }
  subscribe('undici:client:connected', onConnected)
  onTestFinished(() => {
    unsubscribe('undici:client:connected', onConnected)
  })
  const release = (socket: Socket | undefined) => {
    socket?.uncork()
    socket?.cork()
  }
  return { sockets, release }
}

function post(url: string, key: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  })
}

const keyOf = ({ rawHeaders }: ReceivedRequest) => rawHeaders.find((value) => value.startsWith('Bearer '))?.slice(7) ?? ''

describe('a body that waits for its upstream', () => {
  const lengths = [20_000, 40_000, 65_000, 66_000, 300_000]
  const changes = [
    { how: 'as it came', mark: '' },
    { how: 'with a change', mark: 'MARK' },
  ]
  test.each(changes.flatMap((change) => lengths.map((length) => ({ ...change, length }))))(
    'is not overwritten by that of another client: $length bytes $how',
    async ({ mark, length }) => {
      const upstream = await startUpstream()
      const { sockets, release } = holdConnections(upstream.port)
      const gateway = await startGateway({ upstream: upstream.url, mode: 'safe', planner: createMarkerPlanner() })
      const bodyOf = (letter: string) => `{"model":"m","messages":["${mark}"],"pad":"${letter.repeat(length)}"}`
      const first = post(gateway.url, 'a', bodyOf('a'))
      await waitFor(() => (sockets[0]?.writableLength ?? 0) > length)
      for (let times = 0; times < 3; times += 1) {
        const next = post(gateway.url, 'b', bodyOf('b'))
        await waitFor(() => (sockets[1]?.writableLength ?? 0) > length)
        release(sockets[1])
        expect((await next).status).toBe(200)
      }
      release(sockets[0])
      expect((await first).status).toBe(200)
      expect(upstream.received.map((received) => [keyOf(received), received.body.toString()])).toEqual(
        ['b', 'b', 'b', 'a'].map((key) => [key, bodyOf(key).replace('MARK', 'mark!')]),
      )
    },
  )
})

test('many clients at once, some of whom announce more than they send or leave: each upstream request has bytes of one client', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-lent-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const upstream = await startUpstream()
  const { sockets, release } = holdConnections(upstream.port)
  const releasing = setInterval(() => sockets.map(release), 5)
  onTestFinished(() => {
    clearInterval(releasing)
  })
  const planner = await createPlannerThread({ store: join(folder, 'gateway.sqlite'), settings: plainSettings })
  onTestFinished(() => planner.close())
  const gateway = await startGateway({
    upstream: upstream.url,
    mode: 'safe',
    planner: Object.assign(createMarkerPlanner(), planner),
    limits: { planMilliseconds: 30 },
  })
  const clients = Array.from({ length: 12 }, (_, index) => `client-${String.fromCodePoint(97 + index)}`)
  const bodyOf = (key: string, turn: number) => {
    const result = `${key} line of output\n`.repeat(600 + 700 * (turn % 5))
    const call = { type: 'tool_use', id: `t${turn}`, name: 'Bash', input: { command: key } }
    return JSON.stringify({
      model: 'claude-opus-4-5',
      max_tokens: 9,
      messages: [
        { role: 'user', content: key },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${turn}`, content: result }] },
      ],
    })
  }
  const leave = async (key: string) => {
    const end = await connectRaw(gateway.port)
    const head = `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
    end.socket.write(`${head}Content-Length: 200000\r\n\r\n${bodyOf(key, 4).slice(0, 50_000)}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
    end.socket.destroy()
  }
  await Promise.all(
    clients.map(async (key, index) => {
      for (let turn = 0; turn < 12; turn += 1) {
        if ((turn + index) % 4 === 0) await leave(key)
        const mode = turn % 3 === 0 ? { 'x-plimsoll-trim': 'observe' } : {}
        expect((await post(gateway.url, key, bodyOf(key, turn + index), mode)).status).toBe(200)
      }
    }),
  )
  expect(upstream.received).toHaveLength(12 * 12)
  const foreign = upstream.received.filter((received) => {
    const named = new Set(received.body.toString().match(/client-[a-z]/g))
    return named.size !== 1 || !named.has(keyOf(received))
  })
  expect(foreign).toEqual([])
  for (const { body } of upstream.received) expect(() => JSON.parse(body.toString()) as unknown).not.toThrow()
}, 60_000)
