import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { estimateTokens, type Message } from '@plimsoll/core'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { ask, clientFor, endAll, start } from '../testing/asking.ts'

afterEach(endAll)

const window = 131_072

/** A server that counts what it is sent, and refuses what is too long for a window of 131,072 tokens. */
async function startCountingServer() {
  const counts: number[] = []
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = []
    incoming.on('data', (piece: Buffer) => pieces.push(piece))
    incoming.on('end', () => {
      const tokens = estimateTokens(Buffer.concat(pieces).toString('utf8'))
      counts.push(tokens)
      if (tokens > window) {
        const message = `This model's maximum context length is ${window} tokens. However, you requested ${tokens} tokens (${tokens} in the messages, 0 in the completion).`
        response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message } }))
        return
      }
      const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'test' }
      const text = { ...chunk, choices: [{ index: 0, delta: { content: 'Done.' }, finish_reason: null }] }
      const end = {
        ...chunk,
        choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
        usage: { prompt_tokens: tokens, completion_tokens: 1 },
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify(text)}\n\ndata: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, counts }
}

/** A round in which an image of a megabyte is made, as tools of other agents leave it in the log: base64 and all. */
function round(index: number): readonly Message[] {
  const bytes = Buffer.alloc(1_000_000)
  for (let place = 0; place < bytes.length; place += 4) bytes.writeUInt32LE(Math.imul(place + index, 2_654_435_761) >>> 0, place)
  const value = { success: true, imageBase64: bytes.toString('base64'), mimeType: 'image/png', path: `fox-${index}.png` }
  const callId = `call-${index}`
  return [
    { id: `u${index}`, role: 'user', parts: [{ type: 'text', text: `Draw fox number ${index}.` }] },
    {
      id: `a${index}`,
      role: 'assistant',
      parts: [{ type: 'tool-call', callId, tool: 'image_generate', input: { prompt: `a fox, number ${index}` } }],
    },
    {
      id: `t${index}`,
      role: 'tool',
      parts: [{ type: 'tool-result', callId, tool: 'image_generate', content: { type: 'json', value } }],
    },
  ]
}

it('R002-31 three images in a row do not overflow a window of 131,072 tokens and are not sent as text', async () => {
  const server = await startCountingServer()
  const session = await start([])
  for (const index of [1, 2, 3]) {
    await session.append(round(index).map((message) => ({ type: 'message', message })))
    const result = await ask({
      session,
      config: { context_window: window },
      context: { model: clientFor(server.url) },
    })
    expect(result.story).toEqual(['view_built', 'text Done.', 'usage'])
    const parts = result.asked?.answer.parts ?? []
    await session.append([{ type: 'message', message: { id: `d${index}`, role: 'assistant', parts } }])
  }
  expect(server.counts.length).toBe(3)
  expect(Math.max(...server.counts)).toBeLessThan(2000)
  // The log has them whole.
  const stored = session.state().messages.flatMap(({ parts }) => parts.filter(({ type }) => type === 'tool-result'))
  expect(stored).toHaveLength(3)
})
