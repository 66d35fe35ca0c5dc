import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { conversationOf } from './conversation.ts'

// A client that takes whatever it can get, as a process of its own: `node hostile.ts PORT HALF_OPEN`. Prints a line when it is refused for the
// first time, and at the end what it was answered.

const port = Number(process.argv[2])
const halfOpen = Number(process.argv[3])
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const counts: Record<string, number> = {}
let wasRefused = false
const count = (what: string) => {
  if (!wasRefused && what.endsWith(' 429')) {
    wasRefused = true
    process.stdout.write('refused\n')
  }
  counts[what] = (counts[what] ?? 0) + 1
}
const over = new AbortController()

function send(what: string, body: Buffer, headers: Readonly<Record<string, string>> = {}, isRead = true): Promise<void> {
  return new Promise((resolve) => {
    const options = { port, host: '127.0.0.1', agent, method: 'POST', path: '/v1/messages' }
    const sent = request({ ...options, headers: { 'content-type': 'application/json', 'x-api-key': 'hostile', ...headers } })
    sent.on('response', (response) => {
      count(`${what}: ${response.statusCode}`)
      response.on('close', resolve).on('error', () => undefined)
      if (isRead) response.resume()
      else setTimeout(() => response.destroy(), 5000)
    })
    sent.on('error', () => {
      count(`${what}: cut off`)
      resolve()
    })
    sent.end(body)
  })
}

/** Sends again and again, several at once, and waits as long as a client would that was refused. */
function keepSending(what: string, atOnce: number, bodyOf: (number: number) => Buffer, headers?: Record<string, string>): void {
  for (let index = 0; index < atOnce; index++)
    void (async () => {
      for (let number = index; !over.signal.aborted; number += atOnce) {
        await send(what, bodyOf(number), headers)
        await sleep(5)
      }
    })()
}

/** Opens requests whose bodies never arrive, and opens another for each that is closed. */
async function keepOpening(): Promise<void> {
  let open = 0
  while (!over.signal.aborted) {
    if (open >= halfOpen) {
      await sleep(50)
      continue
    }
    open += 1
    const socket = connect(port, '127.0.0.1')
    socket.write(
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: hostile\r\nContent-Type: application/json\r\nContent-Length: 90000\r\n\r\n{"model":',
    )
    let said = ''
    socket.on('data', (chunk) => {
      said ||= chunk.toString('latin1', 9, 12)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open -= 1
      count(`half-open: ${said === '' ? 'closed' : said}`)
    })
    await sleep(2)
  }
}

/** A body with a number near its start, so that no earlier one is continued. */
function numbered(body: Buffer): (number: number) => Buffer {
  const at = body.indexOf('look at it')
  return (number) => {
    const copy = Buffer.from(body)
    copy.write(String(number).padStart(10, '0'), at)
    return copy
  }
}

const small = numbered(Buffer.from(conversationOf('hostile', 12)))
const large = numbered(Buffer.from(conversationOf('hostile', 200)))
const tiny = '{"role":"user","content":"x"}'
const many = Buffer.from(
  `{"model":"claude-opus-5","messages":[{"role":"user","content":"look at it"},${Array(19_000).fill(tiny).join()}]}`,
)
const bomb = gzipSync(JSON.stringify({ model: 'claude-opus-5', messages: [{ role: 'user', content: 'a'.repeat(30_000_000) }] }))

void keepOpening()
keepSending('small new', 32, small)
keepSending('large new', 16, large)
keepSending('19,000 messages', 4, numbered(many))
keepSending('packed', 8, () => bomb, { 'content-encoding': 'gzip' })
for (let index = 0; index < 16; index++)
  void (async () => {
    while (!over.signal.aborted) await send('not read', small(index), {}, false)
  })()

process.stdin.on('end', () => {
  over.abort()
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
})
process.stdin.resume()
