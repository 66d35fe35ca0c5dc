import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OtlpReceiver, startOtlpReceiver } from '../packages/node/src/gateway/testing/otlp-receiver.ts'
import { type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import { startGateway } from './gateway/start-gateway.ts'
import { giantLog } from './gateway/task.ts'

/** Every secret has its own name, so that a leak shows where it came from. */
const secrets = [
  ...[
    'authorization',
    'x-api-key',
    'x-goog-api-key',
    'api-key',
    'cookie',
    'proxy-authorization',
    'x-custom',
    'user-agent',
    'referer',
  ],
  ...[
    'query-key',
    'query-word',
    'path',
    'system',
    'user',
    'assistant',
    'thinking',
    'answer',
    'broken-body',
    'refusal',
    'method',
    'tracestate',
  ],
].map((place) => `SECRET-${place}-7f3a`)

function secret(place: string): string {
  return `SECRET-${place}-7f3a`
}

/** Only the store of a trimming mode may contain this, for recall. */
const hidden = ['SECRET-result-7f3a', 'SECRET-argument-7f3a']

let upstream: FakeUpstream
let receiver: OtlpReceiver

beforeAll(async () => {
  receiver = await startOtlpReceiver()
  upstream = await startFakeUpstream(({ url }) =>
    url.includes('refuse')
      ? { status: 400, body: { error: { type: 'invalid_request_error', message: `prompt is too long: ${secret('refusal')}` } } }
      : { text: `${secret('answer')} and no more` },
  )
})

afterAll(async () => {
  await upstream.close()
  await receiver.close()
})

describe.each(['observe', 'safe', 'economy'] as const)('%s', (mode) => {
  test('leaks no key and no text of a conversation into logs, events, metrics, traces, headers, errors or the store', async () => {
    const gateway = await startGateway({ mode, upstream: upstream.url, tracesEndpoint: receiver.endpoint })
    const seen = await attack(gateway.url)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    await expect.poll(() => gateway.measured.length).toBeGreaterThanOrEqual(measuredRequests)
    const open = await filesOf(gateway.folder)
    await gateway.close()
    const places: Readonly<Record<string, string>> = {
      log: JSON.stringify(gateway.log),
      events: JSON.stringify(gateway.events),
      measured: JSON.stringify(gateway.measured),
      metrics,
      traces: receiver.bodies.join('\n'),
      headers: seen.headers.join('\n'),
      errors: seen.errors.join('\n'),
    }
    // All outputs exist, so the search was not in vain.
    for (const [place, text] of Object.entries(places))
      expect({ place, length: text.length > 100 }).toEqual({ place, length: true })
    const store = [...open, ...(await filesOf(gateway.folder))].join('\n')
    expect(store).toContain('SQLite format')
    for (const [place, text] of Object.entries(places))
      expect({ place, leaks: leaks(text, [...secrets, ...hidden]) }).toEqual({ place, leaks: [] })
    expect({ place: 'store', leaks: leaks(store, secrets) }).toEqual({ place: 'store', leaks: [] })
    // Trimmed content is stored for recall; without trimming nothing is stored.
    expect(leaks(store, hidden)).toEqual(mode === 'observe' ? [] : hidden)
    await gateway.remove()
  })
})

/** Requests that a planner measures: three dialects and a refused one. */
const measuredRequests = 4

async function attack(url: string): Promise<{ readonly headers: readonly string[]; readonly errors: readonly string[] }> {
  const headers: string[] = []
  const errors: string[] = []
  const send = async (
    path: string,
    body: string,
    { method = 'POST', extra = {} }: { method?: string; extra?: Record<string, string> } = {},
  ) => {
    const answer = await ask(url, path, method, { ...secretHeaders(), ...extra }, body)
    headers.push(answer.headers)
    // The provider's own message may reach the client; only the gateway's own text is checked.
    if (!answer.body.includes('SECRET-answer') && !answer.body.includes('SECRET-refusal')) errors.push(answer.body)
  }
  const query = `?key=${secret('query-key')}&word=${secret('query-word')}`
  await send(`/v1/messages${query}`, JSON.stringify(anthropicBody()))
  await send(`/v1/chat/completions${query}`, JSON.stringify(chatBody()))
  await send(`/v1beta/models/gemini-2.5-pro:generateContent${query}`, JSON.stringify(geminiBody()))
  await send(`/v1/messages?refuse=1&word=${secret('query-word')}`, JSON.stringify(anthropicBody()))
  await send(`/v1/messages${query}`, `{"model":"claude-sonnet-5","messages":[{"role":"user","content":"${secret('broken-body')}`)
  await send(`/files/${secret('path')}${query}`, 'anything')
  await send(`/t/tag/v1/models${query}`, '', { method: 'GET' })
  await send(`/v1/messages${query}`, 'x', { extra: { host: `evil.example.${secret('path')}` } })
  await send(`/v1/messages${query}`, 'x', { extra: { origin: `https://${secret('path')}.example` } })
  await send(`/../${secret('path')}${query}`, 'x')
  await raw(url, `${secret('method')} /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`).then((text) => errors.push(text))
  await raw(url, `GET /v1/${secret('path')} HTTP/1.1\r\nbad header ${secret('x-custom')}\r\n\r\n`).then((text) =>
    errors.push(text),
  )
  return { headers, errors }
}

function secretHeaders(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'anthropic-version': '2023-06-01',
    authorization: `Bearer ${secret('authorization')}`,
    'x-api-key': secret('x-api-key'),
    'x-goog-api-key': secret('x-goog-api-key'),
    'api-key': secret('api-key'),
    cookie: `session=${secret('cookie')}`,
    'proxy-authorization': `Basic ${secret('proxy-authorization')}`,
    'x-custom': secret('x-custom'),
    'user-agent': `agent ${secret('user-agent')}`,
    referer: `https://example.com/${secret('referer')}`,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    tracestate: `vendor=${secret('tracestate')}`,
  }
}

const result = `${hidden[0] ?? ''}\n${giantLog}`
const input = { command: `make ${hidden[1] ?? ''}` }

function anthropicBody() {
  return {
    model: 'claude-sonnet-5',
    max_tokens: 100,
    system: secret('system'),
    messages: [
      { role: 'user', content: secret('user') },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: secret('thinking'), signature: 'c2lnbmF0dXJl' },
          { type: 'text', text: secret('assistant') },
          { type: 'tool_use', id: 'toolu_1', name: 'bash', input },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: result }] },
    ],
  }
}

function chatBody() {
  const call = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: JSON.stringify(input) } }
  return {
    model: 'gpt-4.1',
    messages: [
      { role: 'system', content: secret('system') },
      { role: 'user', content: secret('user') },
      { role: 'assistant', content: secret('assistant'), tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: result },
    ],
  }
}

function geminiBody() {
  return {
    systemInstruction: { parts: [{ text: secret('system') }] },
    contents: [
      { role: 'user', parts: [{ text: secret('user') }] },
      { role: 'model', parts: [{ text: secret('assistant') }, { functionCall: { id: 'c1', name: 'bash', args: input } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'bash', response: { output: result } } }] },
    ],
  }
}

/** The secrets in a text: plain, in base64, or as an unsalted hash by which they could be guessed. */
function leaks(text: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => forms(name).some((form) => text.includes(form)))
}

function forms(name: string): readonly string[] {
  const values = [name, `Bearer ${name}`]
  return [
    name,
    Buffer.from(name).toString('base64').replace(/=+$/, ''),
    ...values.flatMap((value) => (['hex', 'base64'] as const).map((form) => createHash('sha256').update(value).digest(form))),
  ]
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Promise.all(files.map(async (file) => `${file.name}\n${await readFile(join(file.parentPath, file.name), 'latin1')}`))
}

interface Answer {
  readonly headers: string
  readonly body: string
}

function ask(url: string, path: string, method: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve({ headers: answer.rawHeaders.join('\n'), body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function raw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(text))
    socket.setTimeout(2000, () => socket.destroy())
  })
}
