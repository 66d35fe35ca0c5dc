// A provider on loopback, as a separate process: answers every POST with a short completion, as JSON or, for `"stream":true`, as events.
// With `x-bench-stream: COUNT,MILLISECONDS` it sends COUNT events at this interval. `GET /digest` returns a hash of the last body.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

/** Most of a long prompt was cached, as in a conversation that continues. */
const usageOf = (tokens, output) => ({
  prompt_tokens: tokens,
  completion_tokens: output,
  total_tokens: tokens + output,
  prompt_tokens_details: { cached_tokens: tokens < 2000 ? 0 : tokens - 1000 },
})
const whole = (tokens) =>
  JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }],
    usage: usageOf(tokens, 1),
  })
const piece = `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'gpt-4o', choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n`
const end = (tokens) => `data: ${JSON.stringify({ id: 'x', choices: [], usage: usageOf(tokens, 20) })}\n\ndata: [DONE]\n\n`
let digest = ''

const server = createServer((request, response) => {
  if (request.url === '/digest') return response.end(digest)
  const hash = createHash('sha256')
  let isStream = false
  let length = 0
  request.on('data', (bytes) => {
    hash.update(bytes)
    length += bytes.length
    if (!isStream) isStream = bytes.includes('"stream":true')
  })
  request.on('end', () => {
    digest = hash.digest('hex')
    const tokens = Math.round(length / 4)
    const [count, pause] = String(request.headers['x-bench-stream'] ?? '20,0')
      .split(',')
      .map(Number)
    if (!isStream) {
      response.setHeader('content-type', 'application/json')
      response.end(whole(tokens))
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    if (pause === 0) {
      for (let index = 0; index < count; index += 1) response.write(piece)
      response.end(end(tokens))
      return
    }
    let sent = 0
    const timer = setInterval(() => {
      sent += 1
      if (sent < count) return response.write(piece)
      clearInterval(timer)
      response.end(end(tokens))
    }, pause)
    response.on('close', () => clearInterval(timer))
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
