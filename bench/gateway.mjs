import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request as ask } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { logBodies } from './gateway-bodies.mjs'
import { continuingRows, hostileRows } from './gateway-continuing.mjs'
import { summarize } from './sampling.mjs'

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const binary = here('../packages/node/bin/plimsoll.js')
const portkey = here('./node_modules/@portkey-ai/gateway/build/start-server.js')
const agent = new Agent({ keepAlive: true, maxSockets: 600 })
const path = '/v1/chat/completions'

/** The gateway, a bare pass-through of the same parts, and Portkey's gateway, each a separate process, all in one run. */
export async function gatewayBench() {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'))
  const children = []
  const start = async (command, options = {}) => {
    const child = await startProcess(command, options)
    children.push(child)
    return child
  }
  try {
    const upstream = await start([here('./gateway-upstream.mjs')])
    const origin = `http://127.0.0.1:${upstream.port}`
    const bare = await start([here('./gateway-bare.mjs'), origin])
    const observe = await start(gatewayCommand(origin, 'observe'), { home: join(home, 'observe') })
    const safe = await start(gatewayCommand(origin, 'safe'), { home: join(home, 'safe') })
    const economy = { name: 'economy', ...(await start(gatewayCommand(origin, 'economy'), { home: join(home, 'economy') })) }
    const peer = await startPortkey(origin)
    if (peer !== null) children.push(peer)
    const direct = { name: 'direct', port: upstream.port, headers: {} }
    const all = [
      { name: 'bare pass-through', ...bare },
      { name: 'observe', ...observe },
      { name: 'safe', ...safe },
      ...(peer === null ? [] : [{ name: 'Portkey', ...peer }]),
    ]
    const [plain, observed] = all
    return [
      ...(await latencyRows(direct, all)),
      ...(await continuingRows({ direct, bare: plain, observe: observed, economy, call })),
      ...(await hostileRows({ gateways: [plain, economy], call })),
      ...(await throughputRows([...all, economy])),
      ...(await memoryRows(economy)),
      ...(await streamRows(observe)),
      ...(await byteRows(upstream, observe)),
    ]
  } finally {
    agent.destroy()
    for (const child of children) await child.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

function gatewayCommand(origin, trim) {
  return [binary, 'gateway', '--json', '--port', '0', '--log', 'silent', '--trim', trim, '--upstream', origin]
}

/** Starts a script that prints its port, or a line of JSON with it, once it listens. */
async function startProcess(command, { home, env = {} } = {}) {
  const places =
    home === undefined ? {} : { HOME: home, XDG_STATE_HOME: join(home, 'state'), XDG_CONFIG_HOME: join(home, 'config') }
  const child = spawn(process.execPath, command, {
    env: { PATH: process.env.PATH, LANG: 'en', ...places, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let printed = ''
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      printed += String(piece)
      if (printed.includes('\n')) resolve()
    })
    void ended.then(() => reject(new Error(`${command[0]} did not start: ${printed}`)))
  })
  const told = JSON.parse(printed.split('\n')[0])
  return {
    port: typeof told === 'number' ? told : told.port,
    pid: child.pid,
    headers: {},
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Portkey's gateway prints nothing when it is ready, so it is polled until it answers. */
async function startPortkey(origin) {
  if (!existsSync(portkey)) return null
  const port = 20_000 + (process.pid % 20_000)
  const child = spawn(process.execPath, [portkey, '--headless', `--port=${port}`], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${origin}/v1` }
  const gateway = {
    port,
    pid: child.pid,
    headers,
    // It sets response headers that newer Node versions make immutable, and answers 500.
    cannotStream: true,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
  for (let attempt = 0; attempt < 80; attempt += 1) {
    try {
      const { status } = await call(gateway, bodyOf(2, 0))
      if (status === 200) return gateway
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  await gateway.stop()
  return null
}

/** A request of an agent: a conversation of this many kilobytes that grows by a call and its result with each turn. */
function bodyOf(kilobytes, turn, extra = {}, place = 'here') {
  const result = 'src/server.ts:41: const port = 7477 // where it listens\n'.repeat(20)
  const messages = [{ role: 'user', content: `Find out why the server is slow ${place}.` }]
  const add = (id) => {
    const call = { id: `call_${id}`, type: 'function', function: { name: 'grep', arguments: `{"pattern":"port","page":${id}}` } }
    messages.push(
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: result },
    )
  }
  for (let id = 0; 400 + id * (result.length + 260) < kilobytes * 1024; id += 1) add(id)
  for (let id = 0; id < turn; id += 1) add(`later_${id}`)
  return Buffer.from(JSON.stringify({ model: 'gpt-4o', messages, ...extra }))
}

/** One request: milliseconds until the first byte of the answer's body, and its status. */
function call({ port, headers }, body, more = {}) {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const sent = ask(
      {
        port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        agent,
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          authorization: 'Bearer bench',
          ...headers,
          ...more,
        },
      },
      (answer) => {
        let first = null
        answer.on('data', () => {
          first ??= performance.now() - start
        })
        answer.on('end', () => resolve({ milliseconds: first ?? performance.now() - start, status: answer.statusCode }))
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

const latencyRounds = 300
const warmUp = 60
/** Milliseconds. */
const afterwards = 1
const limits = new Map([
  [2, 1],
  [200, 3],
  [1024, 8],
])

async function latencyRows(direct, gateways) {
  const rows = []
  for (const [kilobytes, most] of limits) {
    const everyone = [direct, ...gateways]
    const times = everyone.map(() => [])
    // A conversation of a hundred turns, repeated. Created beforehand, so that the client's garbage collection is not measured.
    const bodies = Array.from({ length: 100 }, (_, turn) => bodyOf(kilobytes, turn))
    for (let round = 0; round < warmUp + latencyRounds; round += 1) {
      const body = bodies[round % bodies.length]
      for (const [index, target] of everyone.entries()) {
        // Waits for work that the previous one does after its answer, so that it is not charged to the next.
        await new Promise((resolve) => setTimeout(resolve, afterwards))
        const { milliseconds, status } = await call(target, body)
        if (status !== 200) throw new Error(`${target.name} answered ${status}`)
        if (round >= warmUp) times[index].push(milliseconds)
      }
    }
    const [base, ...measured] = times.map(summarize)
    const size = kilobytes < 1024 ? `${kilobytes} KB` : '1 MB'
    for (const [index, { name }] of gateways.entries()) {
      const { p50, p99, spread, samples } = measured[index]
      const isOurs = name === 'observe'
      rows.push(
        {
          name: `${size}: added to the first byte, ${name}`,
          value: p50 - base.p50,
          unit: 'ms',
          spread,
          samples,
          ...(isOurs ? { bound: `< ${most} ms` } : {}),
        },
        {
          name: `${size}: p99 of ${name}, in multiples of its median`,
          value: p99 / p50,
          unit: '×',
          samples,
          ...(isOurs ? { bound: '< 5' } : {}),
        },
      )
    }
  }
  return rows
}

const connections = 32
const throughputMs = 4000
const throughputRounds = 5

/** Streamed answers per second, 32 at a time; taken in turns, compared with the bare pass-through of the same round. */
async function throughputRows(gateways) {
  const rates = gateways.map(() => [])
  for (let round = 0; round <= throughputRounds; round += 1) {
    for (const [index, gateway] of gateways.entries()) {
      const rate = await answersPerSecond(gateway, round === 0 ? 1500 : throughputMs)
      if (round > 0) rates[index].push(rate)
    }
  }
  const [bare, ...others] = rates
  const least = { observe: 0.8, safe: 0.6, economy: 0.6 }
  const { p50, spread } = summarize(bare)
  return [
    { name: `2 KB, ${connections} at a time: bare pass-through`, value: p50, unit: 'answers/s', spread },
    ...others.map((list, index) => {
      const { cannotStream } = gateways[index + 1]
      const name = cannotStream ? 'Portkey (whole answers: its streams fail)' : gateways[index + 1].name
      const ratios = summarize(list.map((rate, round) => rate / bare[round]))
      const bound = least[name] === undefined ? {} : { bound: `>= ${least[name]}` }
      return {
        name: `the same, ${name}, of the bare pass-through`,
        value: ratios.p50,
        unit: '×',
        spread: ratios.spread,
        ...bound,
      }
    }),
  ]
}

async function answersPerSecond(gateway, milliseconds) {
  const end = performance.now() + milliseconds
  let count = 0
  const work = async (connection) => {
    for (let turn = 0; performance.now() < end; turn += 1) {
      const body = bodyOf(2, turn % 3, { stream: gateway.cannotStream !== true }, `at ${connection}`)
      const { status } = await call(gateway, body)
      if (status !== 200) throw new Error(`${gateway.name} answered ${status}`)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => work(connection)))
  return count / (milliseconds / 1000)
}

const streams = 500
const streamSeconds = 60

/** 500 answers at once for a minute, to four keys, because one key may have 250 open; the memory of the gateway's process after the first ten seconds and at the end. */
async function streamRows(gateway) {
  const events = (streamSeconds * 1000) / 250
  const body = bodyOf(2, 0, { stream: true })
  const answers = Array.from({ length: streams }, (_, stream) =>
    call(gateway, body, { 'x-bench-stream': `${events},250`, authorization: `Bearer bench-${stream % 4}` }),
  )
  const sizes = []
  const timer = setInterval(() => sizes.push(memoryOf(gateway.pid)), 1000)
  const done = await Promise.all(answers)
  clearInterval(timer)
  const early = median(sizes.slice(8, 15))
  const late = median(sizes.slice(-7))
  return [
    {
      name: `${streams} streams for ${streamSeconds} s: complete`,
      value: done.filter(({ status }) => status === 200).length,
      unit: '',
      bound: `>= ${streams}`,
    },
    { name: 'the same: memory at the end, of that after 10 s', value: late / early, unit: '×', bound: '< 1.1' },
    { name: 'the same: memory at the end', value: late / 2 ** 20, unit: 'MB' },
  ]
}

/** What the gateway remembers of the conversations before, as its metrics tell: at most 64 of them, 64 MB, and 16 MB to be used again in each of two threads. */
async function memoryRows(gateway) {
  const metrics = await textOf(gateway, '/metrics')
  const valueOf = (name) => Number(new RegExp(`^plimsoll_${name} ([0-9.e+]+)`, 'm').exec(metrics)?.[1])
  return [
    { name: 'economy, conversations remembered', value: valueOf('remembered_conversations'), unit: '', bound: '<= 128' },
    { name: 'the same: memory of their requests', value: valueOf('remembered_bytes') / 2 ** 20, unit: 'MB', bound: '<= 160 MB' },
    { name: 'the same: all objects of the planner’s threads', value: valueOf('planner_heap_bytes') / 2 ** 20, unit: 'MB' },
  ]
}

function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}

function median(list) {
  return list.toSorted((one, other) => one - other)[Math.floor(list.length / 2)]
}

/** Every request of every log next to the repository, compared before and after the gateway. */
async function byteRows(upstream, gateway) {
  let requests = 0
  let bytes = 0
  let changed = 0
  for await (const body of logBodies()) {
    const { status } = await call(gateway, body)
    const arrived = await digestOf(upstream)
    if (status !== 200 || arrived !== createHash('sha256').update(body).digest('hex')) changed += 1
    requests += 1
    bytes += body.length
  }
  if (requests === 0) return []
  return [
    { name: 'requests of recorded sessions through observe', value: requests, unit: '' },
    { name: 'the same: sent', value: bytes / 2 ** 20, unit: 'MB' },
    { name: 'the same: requests with a changed byte', value: changed, unit: '', bound: '<= 0' },
  ]
}

function digestOf(upstream) {
  return textOf(upstream, '/digest')
}

function textOf({ port }, url) {
  return new Promise((resolve, reject) => {
    ask({ port, host: '127.0.0.1', path: url, agent }, (answer) => {
      let text = ''
      answer.on('data', (piece) => {
        text += String(piece)
      })
      answer.on('end', () => resolve(text))
    })
      .on('error', reject)
      .end()
  })
}
