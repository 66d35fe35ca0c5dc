import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

// A provider that answers everything after a few milliseconds, as a process of its own: what the hostile client sends must not slow
// down the measurement. Prints its port.

const answer = JSON.stringify({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-opus-5',
  content: [{ type: 'text', text: 'done' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 100, output_tokens: 10 },
})
const server = createServer((incoming, response) => {
  incoming.resume().on('end', () => {
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(answer), 20)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
process.stdin.on('end', () => process.exit(0)).resume()
