import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { codecs, createConversation, economyPolicies, specPolicies } from '../packages/core/dist/index.js'
import { createO200kTokenizer } from '../packages/node/dist/model/tokens.js'
import { installPeer } from './native-install.mjs'
import { createRequests, kinds } from './native-requests.mjs'
import { summarize } from './sampling.mjs'

/** Each gets every request once, cold, after one to warm up. `run` returns the messages and the added milliseconds of each request. */
const competitors = [
  { name: 'Plimsoll, economy', how: 'function call', run: (requests) => requests.map(trimmed(economyPolicies)) },
  { name: 'Plimsoll, spec', how: 'function call', run: (requests) => requests.map(trimmed(specPolicies)) },
  { name: 'headroom', how: 'function call', peer: 'headroom', run: runPython },
  { name: 'LiteLLM compress, from 10,000 tokens', how: 'function call', peer: 'litellm', run: runPython },
  { name: 'context-guru, codesmart', how: 'HTTP call', peer: 'context-guru', run: runContextGuru },
  { name: 'rtk, on four kinds of output', how: 'process for each output', peer: 'rtk', run: runRtk },
]

const maxMilliseconds = 180_000

/** Peers in other languages on the same requests: added time, tokens removed, and what a model must still see. */
export async function nativeBench() {
  const requests = createRequests(13)
  const tokenizer = await createO200kTokenizer()
  const rows = []
  for (const competitor of competitors) rows.push(await measure(competitor, requests, tokenizer))
  const [, ...timed] = requests
  const total = timed.reduce((sum, { messages }) => sum + tokensOf(messages, tokenizer), 0)
  return { rows, columns, note: `${timed.length} requests with ${total} tokens. ${meaning}` }
}

const meaning =
  'Kept: the share of names of failing tests, assertions, compiler errors, definitions, logged errors and failed orders that the model still sees.'

const columns = [
  ['ms added, median', ({ milliseconds }) => milliseconds?.toFixed(1) ?? ''],
  ['tokens removed', ({ removed }) => (removed === undefined ? '' : `${(removed * 100).toFixed(1)} %`)],
  ...['all', ...kinds].map((kind) => [
    `kept, ${kind}`,
    ({ kept }) => (kept === undefined ? '' : `${(kept[kind] * 100).toFixed(0)} %`),
  ]),
  ['', ({ how }) => how, 'left'],
]

async function measure({ name, how, peer, run }, requests, tokenizer) {
  const installed = peer === undefined ? {} : await installPeer(peer)
  const full = installed.version === undefined ? name : `${name} (${installed.version})`
  if (installed.problem !== undefined) return { name, how: installed.problem }
  try {
    const results = await withLimit(run(requests, installed.program, peer))
    return { name: full, how, ...compare(requests.slice(1), results.slice(1), tokenizer) }
  } catch (error) {
    return { name: full, how: `does not run here: ${String(error.message).split('\n')[0].slice(0, 100)}` }
  }
}

function compare(requests, results, tokenizer) {
  const sum = (list, count) => list.reduce((total, { messages }) => total + count(messages), 0)
  const count = (messages) => tokensOf(messages, tokenizer)
  const texts = requests.flatMap(({ outputs }, index) => {
    const shown = textsOf(results[index].messages).join('\n')
    return outputs.flatMap(({ kind, mustKeep }) => mustKeep.map((text) => ({ kind, isKept: shown.includes(text) })))
  })
  const share = (list) => list.filter(({ isKept }) => isKept).length / list.length
  const byKind = kinds.map((kind) => [kind, share(texts.filter((one) => one.kind === kind))])
  return {
    milliseconds: summarize(results.map(({ milliseconds }) => milliseconds)).p50,
    removed: 1 - sum(results, count) / sum(requests, count),
    kept: { all: share(texts), ...Object.fromEntries(byKind) },
  }
}

function tokensOf(messages, tokenizer) {
  return textsOf(messages).reduce((sum, text) => sum + tokenizer.count(text), 0)
}

function textsOf(messages) {
  return messages.map(({ content }) =>
    typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('\n'),
  )
}

function trimmed(policies) {
  return ({ messages }) => {
    const start = performance.now()
    const conversation = createConversation({ codec: codecs['openai-chat'], policies })
    const { request } = conversation.next({ model: 'gpt-4o', messages }, { now: Date.now() })
    return { messages: request.messages, milliseconds: performance.now() - start }
  }
}

async function runPython(requests, program, peer) {
  const script = fileURLToPath(new URL('./native-peers.py', import.meta.url))
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-native-'))
  const child = start(program, [script, peer], { HOME: home, ...noNetwork })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const results = []
  try {
    for (const { messages } of requests) {
      child.stdin.write(`${JSON.stringify(messages)}\n`)
      const { value, done } = await lines.next()
      if (done === true) throw new Error(child.problem())
      results.push(JSON.parse(value))
    }
    return results
  } finally {
    child.kill()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Neither of them may report anything or fetch models or prices while it is measured. */
const noNetwork = {
  HEADROOM_TELEMETRY: 'off',
  HEADROOM_BEACON: 'off',
  HEADROOM_OFFLINE: '1',
  HF_HUB_OFFLINE: '1',
  LITELLM_LOCAL_MODEL_COST_MAP: 'True',
  LITELLM_LOG: 'ERROR',
}

async function runContextGuru(requests, program) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-native-'))
  const child = start(program, [], {
    HOME: home,
    LISTEN_ADDR: `127.0.0.1:${port}`,
    OPENAI_UPSTREAM: 'http://127.0.0.1:9',
    ANTHROPIC_UPSTREAM: 'http://127.0.0.1:9',
  })
  try {
    await answering(`${origin}/healthz`, child)
    const results = []
    for (const [index, { messages }] of requests.entries()) {
      const body = JSON.stringify({ model: 'gpt-4o', messages })
      const headers = { 'content-type': 'application/json', 'x-context-guru-session': `session-${index}` }
      const began = performance.now()
      const answer = await fetch(`${origin}/compact`, { method: 'POST', headers, body })
      const text = await answer.text()
      const milliseconds = performance.now() - began
      if (!answer.ok) throw new Error(`/compact answered ${answer.status}: ${text}`)
      results.push({ milliseconds, messages: JSON.parse(text).messages })
    }
    return results
  } finally {
    child.kill()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Its hook runs it in place of a command: here the command prints what it printed in the request, once with and once without it. */
async function runRtk(requests, program) {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-native-'))
  try {
    const results = []
    for (const [index, { messages, outputs }] of requests.entries()) {
      let milliseconds = 0
      const shown = new Map()
      for (const output of outputs) {
        const commands = rtkCommands(output, join(home, `${index}-${output.callId}`))
        if (commands === null) continue
        const bare = await runOnce(commands.bare, home)
        const filtered = await runOnce([program, ...commands.rtk], home)
        milliseconds += filtered.milliseconds - bare.milliseconds
        shown.set(output.callId, filtered.text)
      }
      const changed = messages.map((one) =>
        shown.has(one.tool_call_id) ? { ...one, content: shown.get(one.tool_call_id) } : one,
      )
      results.push({ milliseconds, messages: changed })
    }
    return results
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

function rtkCommands({ kind, text, search }, folder) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'output.txt')
  if (kind === 'search') {
    writeHits(folder, search.hits)
    return { bare: ['grep', '-rn', search.name, folder], rtk: ['grep', search.name, folder] }
  }
  writeFileSync(file, text)
  // It knows a test runner by the words of the command.
  const failing = `cat ${file}; exit 1 # npm test`
  if (kind === 'test' || kind === 'build') {
    return { bare: ['sh', '-c', failing], rtk: [kind === 'test' ? 'test' : 'err', failing] }
  }
  return kind === 'log' ? { bare: ['cat', file], rtk: ['log', file] } : null
}

function writeHits(folder, hits) {
  for (const [file, all] of Map.groupBy(hits, (hit) => hit.file)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), `${all.map(({ line }) => line).join('\n')}\n`)
  }
}

async function runOnce([program, ...args], home) {
  const began = performance.now()
  const child = start(program, args, { HOME: home })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  child.stdin.end()
  await child.ended
  return { text, milliseconds: performance.now() - began }
}

function start(program, args, environment) {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...environment },
    timeout: maxMilliseconds,
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-2000)
  })
  child.stdin.on('error', () => undefined)
  const problem = () => errors.trim().split('\n').at(-1) ?? 'it ended'
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  ended.catch(() => undefined)
  return Object.assign(child, { problem, ended })
}

async function answering(url, child) {
  for (let attempt = 0; attempt < 200 && child.exitCode === null; attempt += 1) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return
    await wait(100)
  }
  throw new Error(child.problem())
}

function freePort() {
  const server = createServer()
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

async function withLimit(work) {
  const limit = AbortSignal.timeout(maxMilliseconds)
  const late = new Promise((_, reject) => {
    limit.addEventListener('abort', () => reject(new Error(`it took longer than ${maxMilliseconds / 1000} s`)))
  })
  return Promise.race([work, late])
}
