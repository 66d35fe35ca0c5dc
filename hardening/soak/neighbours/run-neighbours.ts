import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { GatewaySettings } from '@plimsoll/core/policies'
import { createUser, startCommand } from '../command.ts'
import { usageOf } from '../processes.ts'
import { conversationOf } from './conversation.ts'

export interface NeighboursOptions {
  /** Pairs of runs: one alone, one with the hostile client. */
  readonly runs: number
  readonly seconds: number
  readonly tenants: number
  /** Requests of the hostile client whose bodies never arrive. */
  readonly halfOpen: number
  /** Settings of the gateway. Default: its own, with ten seconds to stop. */
  readonly limits?: Partial<GatewaySettings['limits']>
  readonly stop?: AbortSignal
  readonly say?: (line: string) => void
}

export interface NeighboursResult {
  readonly pairs: readonly { readonly alone: Measured; readonly beside: Measured }[]
  /** The median of the quotients of the pairs. */
  readonly quotient: number
  readonly failures: readonly string[]
}

interface Measured {
  readonly requests: number
  readonly p50: number
  readonly p99: number
  readonly failures: readonly string[]
  readonly hostile: Readonly<Record<string, number>>
  /** Megabytes of the gateway at the end. */
  readonly memory: number
  /** Milliseconds from SIGTERM to the end of the process. */
  readonly stopped: number
}

/** The result as a table. */
export function neighboursTable({ pairs, quotient, failures }: NeighboursResult): string {
  const rows = pairs.flatMap(({ alone, beside }) => [row('alone', alone), row('beside', beside)])
  const hostile: Record<string, number> = {}
  for (const { beside } of pairs)
    for (const [what, times] of Object.entries(beside.hostile)) hostile[what] = (hostile[what] ?? 0) + times
  return [
    'run     requests  p50 ms  p99 ms  failed  memory MB  stopped ms',
    ...rows,
    '',
    'The hostile client got:',
    ...Object.entries(hostile)
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([what, times]) => `  ${what}: ${times}`),
    '',
    `p99 beside / p99 alone: ${quotient.toFixed(2)} (median of ${pairs.length}; at most 3)`,
    `failed requests of the others: ${failures.length}`,
    ...failures.slice(0, 20).map((failure) => `  ${failure}`),
    '',
  ].join('\n')
}

function row(name: string, { requests, p50, p99, failures, memory, stopped }: Measured): string {
  const cells = [requests, p50.toFixed(0), p99.toFixed(0), failures.length, memory.toFixed(0), stopped.toFixed(0)]
  const widths = [10, 8, 8, 8, 11, 12]
  return name.padEnd(6) + cells.map((cell, index) => String(cell).padStart(widths[index] ?? 0)).join('')
}

/** Lets tenants work through a gateway, alone and beside a client that takes whatever it can get. */
export async function runNeighbours(options: NeighboursOptions): Promise<NeighboursResult> {
  const pairs: NeighboursResult['pairs'][number][] = []
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-neighbours-'))
  try {
    for (let run = 0; run < options.runs && options.stop?.aborted !== true; run++) {
      const alone = await measure({ ...options, home: join(folder, `alone-${run}`), isHostile: false })
      const beside = await measure({ ...options, home: join(folder, `beside-${run}`), isHostile: true })
      options.say?.(`p99 alone ${alone.p99.toFixed(0)} ms, beside ${beside.p99.toFixed(0)} ms`)
      pairs.push({ alone, beside })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const quotients = pairs.map(({ alone, beside }) => beside.p99 / alone.p99).toSorted((a, b) => a - b)
  const failures = pairs.flatMap(({ alone, beside }) => [...alone.failures, ...beside.failures])
  return { pairs, quotient: quotients[Math.floor(quotients.length / 2)] ?? Number.NaN, failures }
}

interface MeasureOptions extends NeighboursOptions {
  readonly home: string
  readonly isHostile: boolean
}

async function measure({ home, isHostile, seconds, tenants, halfOpen, limits }: MeasureOptions): Promise<Measured> {
  const name = isHostile ? 'beside' : 'alone'
  const upstream = await startUpstream()
  const upstreams = { anthropic: upstream.url, openai: upstream.url, gemini: upstream.url }
  const user = createUser(home, {
    gateway: { trim: 'economy', log: 'silent', upstreams, limits: { shutdown_seconds: 10, ...limits } },
  })
  const gateway = startCommand(user, ['gateway', '--json', '--port', '0'])
  const { port } = JSON.parse(await gateway.firstLine) as { readonly port: number }
  const times: number[] = []
  const failures: string[] = []
  // Written before the time runs.
  const bodies = Array.from({ length: tenants }, (_, index) =>
    Array.from({ length: 20 }, (_round, round) => Buffer.from(conversationOf(`tenant-${index}`, round + 1))),
  )
  const hostile = isHostile ? startHostile(port, halfOpen) : null
  await hostile?.refused
  // The first second starts threads and connections.
  const from = performance.now() + 1000
  const until = from + seconds * 1000
  await Promise.all(
    Array.from({ length: tenants }, async (_, index) => {
      const agent = new Agent({ keepAlive: true })
      await sleep((index * 1000) / tenants)
      // Each is measured at least once, however slow the machine is.
      for (let round = 1, measured = 0; performance.now() < until || measured === 0; round++) {
        const started = performance.now()
        const problem = await ask(port, agent, `tenant-${index}`, bodies[index]?.[round % 20] ?? Buffer.alloc(0))
        if (started >= from) measured = times.push(performance.now() - started)
        if (problem !== null) failures.push(`${name}: ${problem}`)
        await sleep(800 + ((index * 37 + round * 61) % 400))
      }
      agent.destroy()
    }),
  )
  const memory = (usageOf(gateway.pid)?.memory ?? 0) / 1e6
  const told = performance.now()
  gateway.signal('SIGTERM')
  const late = setTimeout(() => gateway.signal('SIGABRT'), 30_000)
  const ended = await gateway.ended
  clearTimeout(late)
  const stopped = performance.now() - told
  if (ended.code !== 0)
    failures.push(`${name}: the gateway ended with ${ended.code ?? ended.signal}: ${ended.stderr.slice(-300)}`)
  const counts = (await hostile?.stop()) ?? {}
  await upstream.close()
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { requests: times.length, p50: at(0.5), p99: at(0.99), failures, hostile: counts, memory, stopped }
}

/** Starts a client that takes whatever it can get, as a process of its own. */
export function startHostile(port: number, halfOpen: number) {
  const file = fileURLToPath(new URL('./hostile.ts', import.meta.url))
  // It works on another machine: here it must not take the others' share of the processor.
  const child = spawn('nice', ['-n', '19', process.execPath, file, String(port), String(halfOpen)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  const refused = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
    refused.resolve()
  })
  const closed = new Promise((resolve) => child.on('close', resolve))
  return {
    /** Resolves when it has taken all it may. */
    refused: Promise.race([refused.promise, closed]),
    stop: async () => {
      child.stdin.end()
      await closed
      return JSON.parse(text.split('\n').find((line) => line.startsWith('{')) ?? '{}') as Readonly<Record<string, number>>
    },
  }
}

/** Resolves with what went wrong, or null. */
function ask(port: number, agent: Agent, key: string, body: Buffer): Promise<string | null> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'content-length': body.byteLength }
    const sent = request({ port, host: '127.0.0.1', agent, method: 'POST', path: '/v1/messages', headers })
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200 ? null : `status ${response.statusCode}`))
      response.on('error', (error) => resolve(error.message))
    })
    sent.on('error', (error) => resolve(error.message))
    sent.end(body)
  })
}

/** Starts the provider as a process. */
async function startUpstream() {
  const file = fileURLToPath(new URL('./provider.ts', import.meta.url))
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const closed = new Promise((resolve) => child.on('close', resolve))
  const port = await new Promise<number>((resolve) =>
    child.stdout.once('data', (piece: Buffer) => resolve(Number(piece.toString()))),
  )
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      child.stdin.end()
      await closed
    },
  }
}
