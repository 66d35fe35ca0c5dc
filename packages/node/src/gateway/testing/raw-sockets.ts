import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** One end of a connection with everything it received. */
export interface RawEnd {
  readonly socket: Socket
  /** Everything received so far, one character per byte. */
  readonly text: () => string
  /** Resolves when the received text contains this. */
  readonly until: (part: string) => Promise<string>
  /** Resolves with how the connection ended. */
  readonly closed: Promise<'end' | 'reset'>
}

/** Connects to a port of this machine, for requests that no client would send. */
export async function connectRaw(port: number): Promise<RawEnd> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => {
    socket.destroy()
  })
  const end = rawEnd(socket)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  return end
}

/** Sends bytes and resolves with everything received until the connection ends. */
export async function sendRaw(port: number, bytes: string): Promise<string> {
  const end = await connectRaw(port)
  end.socket.write(bytes, 'latin1')
  await end.closed
  return end.text()
}

/** A server that passes every connection to the test, which answers it. */
export async function startRawServer(
  onConnection: (end: RawEnd) => void,
): Promise<{ readonly port: number; readonly url: string }> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    onTestFinished(() => {
      socket.destroy()
    })
    onConnection(rawEnd(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { port, url: `http://127.0.0.1:${port}` }
}

function rawEnd(socket: Socket): RawEnd {
  const chunks: Buffer[] = []
  const waiting = new Set<() => void>()
  let how: 'end' | 'reset' = 'end'
  const text = () => Buffer.concat(chunks).toString('latin1')
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    for (const check of waiting) check()
  })
  socket.on('end', () => socket.end())
  socket.on('error', () => {
    how = 'reset'
  })
  const closed = new Promise<'end' | 'reset'>((resolve) => socket.on('close', () => resolve(how)))
  return {
    socket,
    text,
    closed,
    until: (part) =>
      new Promise((resolve, reject) => {
        const check = () => {
          if (!text().includes(part)) return
          waiting.delete(check)
          resolve(text())
        }
        waiting.add(check)
        socket.on('close', () => reject(new Error(`The connection ended without ${JSON.stringify(part)}`)))
        check()
      }),
  }
}
