import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { connectRaw } from '../testing/raw-sockets.ts'
import { waitFor } from '../testing/wait-for.ts'
import { watchBody } from './relay-request.ts'

/** A client that has sent the head of a request with a long body, and the request as the server received it. */
async function startUpload() {
  const arrived = Promise.withResolvers<IncomingMessage>()
  const server = createServer((request) => arrived.resolve(request.resume()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = await connectRaw((server.address() as AddressInfo).port)
  client.socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 200000\r\n\r\n')
  const request = await arrived.promise
  const send = async (bytes: number) => {
    const before = request.socket.bytesRead
    client.socket.write('x'.repeat(bytes))
    await waitFor(() => request.socket.bytesRead === before + bytes)
  }
  return { request, send }
}

test('a steady body may take any time; a stalled one is reported once', async () => {
  const { request, send } = await startUpload()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = vi.fn<() => void>()
  watchBody(request, 10, slow)
  for (let times = 0; times < 12; times++) {
    await send(10_000)
    vi.advanceTimersByTime(10_000)
  }
  expect(slow).not.toHaveBeenCalled()
  await send(9999)
  vi.advanceTimersByTime(10_000)
  expect(slow).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(slow).toHaveBeenCalledTimes(1)
})

test('a body that has arrived is not reported as slow', async () => {
  const { request, send } = await startUpload()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const slow = vi.fn<() => void>()
  watchBody(request, 10, slow)
  const ended = new Promise((resolve) => request.once('end', resolve))
  await send(200_000)
  await ended
  expect(vi.getTimerCount()).toBe(0)
  expect(slow).not.toHaveBeenCalled()
})
