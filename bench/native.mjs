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

/** `open` starts a competitor; `ask` gives it a request and returns the messages that it would send, and the milliseconds that it added. */
const competitors = [
  { name: 'Plimsoll, economy', how: 'function call', open: () => ({ ask: trimmed(economyPolicies) }) },
  { name: 'Plimsoll, spec', how: 'function call', open: () => ({ ask: trimmed(specPolicies) }) },
  { name: 'headroom', how: 'function call', peer: 'headroom', open: openPython },
  { name: 'LiteLLM compress, from 10,000 tokens', how: 'function call', peer: 'litellm', open: openPython },
  { name: 'context-guru, codesmart', how: 'HTTP call', peer: 'context-guru', open: openContextGuru },
  { name: 'rtk, on four kinds of output', how: 'process for each output', peer: 'rtk', open: openRtk },
]

const maxMilliseconds = 60_000

/**
 * Peers in other languages on the same requests: added time, tokens removed, and what a model must still see. They take turns, request
 * by request; the first request warms them up. One that cannot be installed or fails is listed with the reason.
 */
export async function nativeBench() {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-native-'))
  const [warmUp, ...requests] = createRequests(13)
  const tokenizer = await createO200kTokenizer()
  const started = []
  for (const competitor of competitors) started.push(await startPeer(competitor, home))
  try {
    for (const request of [warmUp, ...requests]) {
      for (const one of started.filter(({ problem }) => problem === undefined)) await giveTurn(one, request)
    }
    const rows = started.map(({ name, how, problem, results }) =>
      problem === undefined ? { name, how, ...compare(requests, results.slice(1), tokenizer) } : { name, how: problem },
    )
    const total = requests.reduce((sum, { messages }) => sum + tokensOf(messages, tokenizer), 0)
    return { rows, columns, note: `${requests.length} requests with ${total} tokens. ${meaning}` }
  } finally {
    for (const { peer } of started) peer?.close?.()
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function startPeer({ name, how, peer: recipe, open }, home) {
  const { program, version, problem } = recipe === undefined ? {} : await installPeer(recipe)
  if (problem !== undefined) return { name, problem }
  const full = version === undefined ? name : `${name} (${version})`
  try {
    return { name: full, how, results: [], peer: await open({ program, name: recipe, home }) }
  } catch (error) {
    return { name: full, problem: failureOf(error) }
  }
}

async function giveTurn(one, request) {
  try {
    one.results.push(await withLimit(one.peer.ask(request, one.results.length)))
  } catch (error) {
    one.problem = failureOf(error)
  }
}

function failureOf({ message }) {
  return `does not run here: ${String(message).split('\n')[0].slice(0, 100)}`
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

/** Starts a peer in Python, which is asked for the messages that it would send. */
export function openPython({ program, name, home, milliseconds = maxMilliseconds }) {
  const script = fileURLToPath(new URL('./native-peers.py', import.meta.url))
  const child = start(program, [script, name], { HOME: home, ...noNetwork }, milliseconds)
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    ask: async ({ messages }) => {
      child.stdin.write(`${JSON.stringify(messages)}\n`)
      const { value, done } = await lines.next()
      if (done === true) {
        await child.ended
        throw new Error(child.problem())
      }
      return JSON.parse(value)
    },
    close: () => child.kill(),
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

export async function openContextGuru({ program, home }) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const nowhere = 'http://127.0.0.1:9'
  const places = { LISTEN_ADDR: `127.0.0.1:${port}`, OPENAI_UPSTREAM: nowhere, ANTHROPIC_UPSTREAM: nowhere }
  const child = start(program, [], { HOME: home, ...places })
  await answering(`${origin}/healthz`, child).catch((error) => {
    child.kill()
    throw error
  })
  return {
    ask: async ({ messages }, index) => {
      const body = JSON.stringify({ model: 'gpt-4o', messages })
      const headers = { 'content-type': 'application/json', 'x-context-guru-session': `session-${index}` }
      const began = performance.now()
      const answer = await fetch(`${origin}/compact`, { method: 'POST', headers, body })
      const text = await answer.text()
      const milliseconds = performance.now() - began
      if (!answer.ok) throw new Error(`/compact answered ${answer.status}: ${text}`)
      return { milliseconds, messages: JSON.parse(text).messages }
    },
    close: () => child.kill(),
  }
}

/** Its hook runs it in place of a command: here the command prints what it printed in the request, once with and once without it. */
function openRtk({ program, home }) {
  return {
    ask: async ({ messages, outputs }, index) => {
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
      return { milliseconds, messages: changed }
    },
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

function start(program, args, environment, milliseconds = maxMilliseconds) {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...environment },
    timeout: milliseconds,
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-2000)
  })
  child.stdin.on('error', () => undefined)
  const problem = () => errors.trim().split('\n').at(-1) || howEnded(child, milliseconds)
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  ended.catch(() => undefined)
  return Object.assign(child, { problem, ended })
}

function howEnded({ exitCode, signalCode, killed }, milliseconds) {
  if (killed) return `it took longer than ${Math.round(milliseconds / 60_000)} min`
  if (signalCode !== null) return `it was ended by ${signalCode}`
  return exitCode === null ? 'it closed its output' : `it ended with exit code ${exitCode} and no message`
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
