import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { specPolicies } from '../packages/core/dist/index.js'
import { defaultConfig } from '../packages/core/dist/policies.js'
import { createAgent } from '../packages/node/dist/agent/create-agent.js'
import { createModelClient } from '../packages/node/dist/model/create-client.js'
import { createSession } from '../packages/node/dist/session/create-session.js'
import { createConversation, legalEnds } from './conversation.mjs'

const binary = new URL('../packages/node/bin/plimsoll.js', import.meta.url).pathname
const calls = 60

/** The agent's overhead on a model call, the delay of its streamed text, its start time, and its memory for a huge output. */
export async function agentBench() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-bench-')))
  try {
    return [...(await callRows(folder)), await firstTokenRow(folder), await startRow(folder), await hugeOutputRow(folder)]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Turns over 200,000 tokens of history against a server that answers at once, and the same bodies sent without the agent. */
async function callRows(folder) {
  const bodies = []
  const server = await startServer((body, response) => {
    bodies.push(body)
    answer(response, ['ok'])
  })
  const session = await historySession(folder)
  const agent = agentIn(session, server.url, folder)
  try {
    const signal = new AbortController().signal
    for (let warm = 0; warm < 10; warm += 1) await agent.turn(`warm up ${warm}`, signal)
    const turns = []
    const bare = []
    const library = []
    const model = await libraryModel(server.url)
    for (let index = 0; index < calls; index += 1) {
      const start = performance.now()
      const outcome = await agent.turn(`question ${index}`, signal)
      turns.push(performance.now() - start)
      if (outcome.kind !== 'finished') throw new Error(`expected an answer, got ${JSON.stringify(outcome)}`)
      const body = bodies.at(-1)
      const from = performance.now()
      const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body })
      await response.text()
      bare.push(performance.now() - from)
      const prompt = promptOf(JSON.parse(body))
      const begun = performance.now()
      const { stream } = await model.doStream({ prompt, includeRawChunks: false })
      for await (const part of stream) if (part.type === 'error') throw part.error
      library.push(performance.now() - begun)
    }
    const added = turns.map((time, index) => time - library[index])
    return [
      { name: 'one turn at 200,000 tokens of history, with its durable writes; median', value: median(turns), unit: 'ms' },
      { name: 'the same bytes sent by fetch alone; median', value: median(bare), unit: 'ms' },
      { name: 'the same prompt sent by the AI SDK alone; median', value: median(library), unit: 'ms' },
      { name: 'what engine, loop and log add to that; median', value: median(added), unit: 'ms', bound: '< 5 ms' },
    ]
  } finally {
    await session.close()
    await server.close()
  }
}

/** The provider's library as the agent uses it, without the agent. */
async function libraryModel(baseURL) {
  const require = createRequire(new URL('../packages/node/package.json', import.meta.url))
  const { createOpenAICompatible } = await import(require.resolve('@ai-sdk/openai-compatible'))
  return createOpenAICompatible({ name: 'local', baseURL, includeUsage: true }).chatModel('bench')
}

/** The input of the library for a request. */
function promptOf({ messages }) {
  return messages.map(({ role, content, tool_calls = [], tool_call_id }) => {
    if (role === 'system') return { role, content }
    if (role === 'tool')
      return {
        role,
        content: [{ type: 'tool-result', toolCallId: tool_call_id, toolName: 'x', output: { type: 'text', value: content } }],
      }
    const text = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []
    const parts = Array.isArray(content) ? content.map((part) => ({ type: 'text', text: part.text ?? '' })) : text
    const calls = tool_calls.map((call) => ({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: call.function.name,
      input: JSON.parse(call.function.arguments),
    }))
    return { role, content: [...parts, ...calls] }
  })
}

/** The server says one word and then nothing for half a second: the word must not wait for the rest. */
async function firstTokenRow(folder) {
  const sent = []
  const server = await startServer((_body, response) => {
    begin(response)
    setTimeout(() => {
      sent.push(performance.now())
      say(response, 'first ')
    }, 50)
    setTimeout(() => {
      say(response, 'rest')
      end(response)
    }, 550)
  })
  const session = await createSession(join(folder, 'sessions'))
  const delays = []
  let isFirst = true
  const agent = agentIn(session, server.url, folder, (event) => {
    if (event.type !== 'text_delta' || !isFirst) return
    isFirst = false
    delays.push(performance.now() - sent.at(-1))
  })
  try {
    for (let index = 0; index < 5; index += 1) {
      isFirst = true
      await agent.turn(`question ${index}`, new AbortController().signal)
    }
  } finally {
    await session.close()
    await server.close()
  }
  return {
    name: 'from the first word on the wire to its event, the rest half a second later; median',
    value: median(delays),
    unit: 'ms',
    bound: '< 100 ms',
  }
}

/** From the start of the process to the prompt on a terminal. */
async function startRow(folder) {
  const require = createRequire(new URL('../package.json', import.meta.url))
  const pty = require('@lydell/node-pty')
  const home = join(folder, 'home')
  mkdirSync(home, { recursive: true })
  const times = []
  for (let round = 0; round < 7; round += 1) {
    times.push(
      await new Promise((resolve, reject) => {
        const start = performance.now()
        const env = { PATH: process.env.PATH, HOME: home, TERM: 'xterm-256color', LANG: 'en_US.UTF-8' }
        const child = pty.spawn(process.execPath, [binary, 'chat', '--model', 'offline'], {
          cols: 80,
          rows: 24,
          cwd: folder,
          env,
        })
        let seen = ''
        const limit = setTimeout(() => reject(new Error(`no prompt within 20 s: ${seen.slice(-500)}`)), 20_000)
        child.onData((data) => {
          seen += data
          if (!seen.includes('›')) return
          clearTimeout(limit)
          resolve(performance.now() - start)
          child.kill()
        })
      }),
    )
  }
  return { name: 'plimsoll chat: from start to the prompt; median', value: median(times), unit: 'ms', bound: '< 400 ms' }
}

/** A command that prints 2 GB, in a separate process that reports its peak memory. */
async function hugeOutputRow(folder) {
  const script = `
    import { existsSync, readFileSync } from 'node:fs'
    import { createSession } from ${JSON.stringify(new URL('../packages/node/dist/session/create-session.js', import.meta.url).href)}
    import { createBlobSink } from ${JSON.stringify(new URL('../packages/node/dist/session/blob-sink.js', import.meta.url).href)}
    import { bashTool } from ${JSON.stringify(new URL('../packages/node/dist/tools/command/bash-tool.js', import.meta.url).href)}
    import { createFreshness, createSeenFiles } from ${JSON.stringify(new URL('../packages/node/dist/tools/tool.js', import.meta.url).href)}
    import { defaultConfig } from ${JSON.stringify(new URL('../packages/core/dist/policies.js', import.meta.url).href)}
    const root = ${JSON.stringify(folder)}
    const session = await createSession(root + '/huge')
    const outcome = await bashTool.run(
      { command: 'yes "one line of output that is about sixty characters long ..." | head -c 2000000000', timeout_seconds: 300 },
      { root, config: defaultConfig, environment: process.env, signal: new AbortController().signal, freshness: createFreshness({ root }),
        seen: createSeenFiles(), blobs: createBlobSink(session), now: Date.now },
    )
    await session.close()
    // The system's own peak figure includes the parent's memory at the start; this line does not.
    const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : ''
    const kilobytes = Number(/VmHWM:\\s+(\\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS)
    console.log(JSON.stringify({ bytes: outcome.blob?.bytes ?? 0, kilobytes }))
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  for await (const piece of child.stdout) out += piece
  const { bytes, kilobytes } = JSON.parse(out)
  if (bytes < 2_000_000_000) throw new Error(`expected 2 GB to be kept, got ${bytes} bytes`)
  return { name: 'the most memory that a command printing 2 GB takes', value: kilobytes / 1000, unit: 'MB', bound: '< 200 MB' }
}

async function historySession(folder) {
  const session = await createSession(join(folder, 'sessions'), { root: folder })
  const conversation = createConversation({ messages: 1000, tokens: 200_000 })
  const messages = conversation.slice(0, legalEnds(conversation).at(-1))
  await session.append(messages.map((message) => ({ type: 'message', message })))
  return session
}

function agentIn(session, url, root, emit = () => undefined) {
  const config = { ...defaultConfig, context_window: 1_000_000, agent: { ...defaultConfig.agent, mode: 'auto' } }
  return createAgent({
    session,
    config,
    isWindowSet: true,
    policies: specPolicies,
    model: createModelClient({ name: 'bench', url, environment: {}, config }),
    tools: () => Promise.resolve([]),
    root,
    environment: {},
    platform: process.platform,
    emit,
    ask: null,
    priceOf: () => null,
    summarize: () => Promise.reject(new Error('not called in this benchmark')),
    now: Date.now,
  })
}

async function startServer(respond) {
  const server = createServer((request, response) => {
    const pieces = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => respond(Buffer.concat(pieces), response))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

function answer(response, words) {
  begin(response)
  for (const word of words) say(response, word)
  end(response)
}

function begin(response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
}

function say(response, content) {
  response.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: { role: 'assistant', content } }] })}\n\n`)
}

function end(response) {
  const usage = { prompt_tokens: 200_000, completion_tokens: 1, total_tokens: 200_001 }
  response.write(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}

function median(times) {
  return times.toSorted((one, other) => one - other)[times.length >> 1]
}
