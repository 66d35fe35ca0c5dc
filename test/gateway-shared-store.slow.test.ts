import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codecs, handleOf, type Message, type PartialConfig, resultText } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import { writeRequest } from '@plimsoll/core/wire'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { credentialHash, tenantOf } from '../packages/node/src/store/gateway-store.ts'
import { openGatewayStore } from '../packages/node/src/store/open-gateway-store.ts'
import { type PostgresServer, startPostgresServer } from '../packages/node/src/store/testing/postgres-server.ts'
import { changes } from './gateway/changes.ts'
import { type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import { type GatewayProcess, runBeside, startGatewayProcess } from './gateway/gateway-process.ts'
import { requestLengths, workOf } from './gateway/work.ts'
import { isBuilt } from './workplace.ts'

const work = workOf(14)
const lengths = requestLengths(work)
const modes = ['safe', 'economy'] as const

let upstream: FakeUpstream

beforeAll(async () => {
  upstream = await startFakeUpstream(({ isStreamed }) =>
    isStreamed ? { text: 'This answer never ends.', hangs: true } : { text: 'Go on.' },
  )
})

afterAll(() => upstream.close())

describe.runIf(isBuilt)('two gateways on one PostgreSQL', () => {
  let database: PostgresServer
  let location: string
  let homes: readonly [string, string, string]
  let one: GatewayProcess
  let twin: GatewayProcess
  /** On its own it would decide differently from the first one. */
  let other: GatewayProcess

  beforeAll(async () => {
    homes = [newHome(), newHome(), newHome()]
    database = await startPostgresServer()
    location = await database.createDatabase()
    const plain = settings(location)
    const otherWords = { ...plain, gateway: { ...plain.gateway, recall: 'file' as const } }
    ;[one, twin, other] = await Promise.all([
      startGatewayProcess(homes[0], plain),
      startGatewayProcess(homes[1], plain),
      startGatewayProcess(homes[2], otherWords),
    ])
  })

  afterAll(async () => {
    await Promise.all([one, twin, other].map((gateway) => gateway?.stop()))
    await database?.remove()
    for (const home of homes) rmSync(home, { recursive: true, force: true })
  })

  test.each([
    { mode: 'safe', model: 'claude-opus-5', second: () => other, isChangedAgain: false },
    { mode: 'economy', model: 'claude-opus-5', second: () => other, isChangedAgain: false },
    // This model has no cache, so old results are shortened again as soon as possible.
    { mode: 'economy', model: 'local-model', second: () => twin, isChangedAgain: true },
  ] as const)('taking turns: one repeats the edits of the other byte for byte ($mode, $model)', async (turns) => {
    const { mode, model, isChangedAgain } = turns
    const client = createClient(`turns-${mode}-${model}`, mode, model)
    const witness = createWitness(mode)
    for (const [number, length] of lengths.entries()) {
      const [first, second] = number % 2 === 0 ? [one, turns.second()] : [turns.second(), one]
      const sent = await client.ask(first, length)
      witness.see(sent, first)
      // The other one sends a repeated request the same way.
      if (number % 3 === 0) expect(changedPaths(sent, await client.ask(second, length))).toEqual([])
    }
    expect(witness.reached()).toEqual({ changedByBoth: true, isAdopted: true, isChangedAgain })
  })

  test.each(modes)('at the same time: both send the edits of the one that was first (%s)', async (mode) => {
    const requests = lengths.slice(0, 7)
    const alone = await Promise.all(
      [one, other].map(async (gateway, index) => createClient(`alone-${index}-${mode}`, mode).ask(gateway, requests.at(-1) ?? 0)),
    )
    expect(alone[0]?.arrived === alone[1]?.arrived).toBe(false)

    const client = createClient(`race-${mode}`, mode)
    const witness = createWitness(mode)
    for (const length of requests) {
      const [sent, raced] = await Promise.all([client.ask(one, length), client.ask(other, length)])
      expect(changedPaths(sent, raced)).toEqual([])
      witness.see(sent, one)
      witness.see(raced, other)
    }
    expect(witness.reached().isAdopted).toBe(true)
  })

  test('another key has its own decisions and cannot recall content of the first one', async () => {
    const mine = createClient('mine', 'safe')
    const theirs = createClient('theirs', 'safe')
    const [first, last] = [lengths[1] ?? 0, lengths[4] ?? 0]
    const shown = [await mine.ask(one, first), await theirs.ask(other, first)] as const
    expect(changedPaths(...shown)).not.toEqual([])
    const swapped = [await mine.ask(other, first), await theirs.ask(one, first)] as const
    expect([changedPaths(shown[0], swapped[0]), changedPaths(shown[1], swapped[1])]).toEqual([[], []])

    // Content that only the first key has sent.
    const hidden = hiddenIn(await mine.ask(one, last)).filter((text) => !hiddenIn(shown[0]).includes(text))
    expect(hidden.length).toBeGreaterThan(0)
    expect(await keptOf('mine', hidden)).toEqual(hidden)
    expect(await keptOf('theirs', hidden)).toEqual([])
    const recall = ['recall', handleOf(hidden[0] ?? '')]
    expect(await runBeside(homes[0], recall, { ANTHROPIC_API_KEY: 'theirs' })).toEqual({ code: 1, stdout: '' })
    expect(await runBeside(homes[0], recall, { ANTHROPIC_API_KEY: 'mine' })).toEqual({ code: 0, stdout: hidden[0] })
  })

  test('pass requests untouched and report it while the database is down, and repeat their edits afterwards', async () => {
    const client = createClient('restart', 'safe')
    const witness = createWitness('safe')
    for (const [number, length] of lengths.slice(0, 4).entries()) {
      const gateway = number % 2 === 0 ? one : other
      witness.see(await client.ask(gateway, length), gateway)
    }
    const before = await client.ask(one, lengths[3] ?? 0)
    expect(hiddenIn(before).length).toBeGreaterThan(1)

    await database.stop()
    for (const gateway of [one, other]) {
      const { body, arrived, findings } = await client.ask(gateway, lengths[4] ?? 0)
      expect([arrived === body, findings]).toEqual([true, 'store-unavailable'])
    }
    await database.start()
    await vi.waitUntil(async () => (await client.ask(other, lengths[3] ?? 0)).findings === null, {
      timeout: 120_000,
      interval: 100,
    })
    expect(changedPaths(before, await client.ask(other, lengths[3] ?? 0))).toEqual([])
    for (const [number, length] of lengths.slice(5).entries()) {
      const gateway = number % 2 === 0 ? one : other
      witness.see(await client.ask(gateway, length), gateway)
    }
  })

  test('one killed during a stream: the client sees the error, the other continues byte for byte, no trimmed content is lost', async () => {
    const client = createClient('killed', 'economy')
    const witness = createWitness('economy')
    for (const length of lengths.slice(0, 4)) witness.see(await client.ask(one, length), one)
    const length = lengths[4] ?? 0
    const streamed = await client.stream(one, length)
    await one.kill()
    await expect(streamed.rest()).rejects.toThrow('terminated')
    const sent = streamed.sent()
    witness.see(sent, one)
    const fresh = hiddenIn(sent).filter((text) => !hiddenIn({ ...sent, body: bodyOf(work.slice(0, lengths[3])) }).includes(text))
    expect(fresh.length).toBeGreaterThan(0)

    const retried = await client.stream(other, length)
    await retried.leave()
    expect(changedPaths(sent, retried.sent())).toEqual([])
    expect(await keptOf('killed', hiddenIn(sent))).toEqual(hiddenIn(sent))
    const handle = handleOf(fresh[0] ?? '')
    expect(await runBeside(homes[1], ['recall', handle], { ANTHROPIC_API_KEY: 'killed' })).toEqual({ code: 0, stdout: fresh[0] })
    for (const more of lengths.slice(5)) witness.see(await client.ask(other, more), other)
    expect(witness.reached().isAdopted).toBe(true)
  })

  /** Those of the texts that are stored for this key. */
  async function keptOf(key: string, texts: readonly string[]): Promise<readonly string[]> {
    const store = await openGatewayStore(location, { now: Date.now })
    try {
      const tenant = tenantOf(await store.secret(), credentialHash(key))
      const kept: string[] = []
      for (const text of texts) {
        const originals = await store.originals(tenant, handleOf(text))
        const found = originals.some(({ message }) =>
          message.parts.some((part) => part.type === 'tool-result' && resultText(part) === text),
        )
        if (found) kept.push(text)
      }
      return kept
    } finally {
      await store.close()
    }
  }
})

describe.runIf(isBuilt)('a gateway on a file', () => {
  test('sends the same bytes after a kill, a stop and a restart', async () => {
    const home = newHome()
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const client = createClient('file', 'economy')
    const witness = createWitness('economy')
    let before: SentRequest | null = null
    for (const [life, end] of (['kill', 'stop', 'stop'] as const).entries()) {
      const gateway = await startGatewayProcess(home, settings(null))
      try {
        if (before !== null) expect(changedPaths(before, await client.ask(gateway, lengths[2 * life] ?? 0))).toEqual([])
        for (const length of lengths.slice(2 * life + 1, 2 * life + 3)) {
          before = await client.ask(gateway, length)
          witness.see(before, gateway)
        }
      } finally {
        await gateway[end]()
      }
    }
    expect([before === null ? 0 : hiddenIn(before).length > 5, witness.reached().isAdopted]).toEqual([true, true])
  })
})

/** A request as the client wrote it, and as it arrived. */
interface SentRequest {
  readonly body: string
  readonly arrived: string
}

/** The request and its response. */
interface AnsweredRequest extends SentRequest {
  readonly findings: string | null
}

/** A client with its own credential. */
function createClient(key: string, mode: TrimMode, model?: string) {
  let asked = 0
  async function send(gateway: GatewayProcess, body: string) {
    asked += 1
    // Identifies simultaneous requests; providers ignore unknown query parameters.
    const query = `?number=${asked}`
    const answer = await fetch(`${gateway.url}/v1/messages${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key, 'x-plimsoll-trim': mode },
      body,
    })
    expect(answer.status).toBe(200)
    const sent = (): SentRequest => ({
      body,
      arrived:
        upstream
          .of(key)
          .find(({ url }) => url.endsWith(query))
          ?.body.toString() ?? '',
    })
    return { answer, sent }
  }
  return {
    key,
    /** Sends the first messages and reads the complete answer. */
    async ask(gateway: GatewayProcess, length: number): Promise<AnsweredRequest> {
      const { answer, sent } = await send(gateway, bodyOf(work.slice(0, length), model))
      await answer.text()
      return { ...sent(), findings: answer.headers.get('x-plimsoll-findings') }
    },
    /** Requests a stream and waits for its first chunk. */
    async stream(gateway: GatewayProcess, length: number) {
      const body = bodyOf(work.slice(0, length), model)
      const { answer, sent } = await send(gateway, body.replace(/\}$/, ',"stream":true}'))
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      return {
        sent,
        leave: () => reader.cancel(),
        async rest() {
          while (!(await reader.read()).done);
        },
      }
    },
  }
}

/** Checks that only results change, and that no trimmed result is restored or becomes longer again. */
function createWitness(mode: TrimMode) {
  const versions = new Map<string, { readonly text: string; readonly by: GatewayProcess }>()
  const makers = new Set<GatewayProcess>()
  let isAdopted = false
  let isChangedAgain = false
  return {
    reached: () => ({ changedByBoth: makers.size === 2, isAdopted, isChangedAgain }),
    see(request: SentRequest, by: GatewayProcess): void {
      const originals = resultsIn(request.body)
      const texts = new Set(originals.values())
      expect(changedStrings(request.body, request.arrived).filter(({ was }) => !texts.has(was))).toEqual([])
      const wrong: string[] = []
      for (const [call, text] of resultsIn(request.arrived)) {
        const last = versions.get(call)
        if (text === last?.text) isAdopted ||= last.by !== by
        if (text === (last?.text ?? originals.get(call))) continue
        if (last !== undefined && (mode === 'safe' || text.length >= last.text.length))
          wrong.push(`${call}: ${last.text.length} characters became ${text.length}`)
        isChangedAgain ||= last !== undefined
        makers.add(by)
        versions.set(call, { text, by })
      }
      expect(wrong).toEqual([])
    },
  }
}

/** The paths at which two requests arrived differently. */
function changedPaths(one: SentRequest, other: SentRequest): readonly string[] {
  return changedStrings(one.arrived, other.arrived).map(({ path }) => path)
}

/** The texts that arrived changed. */
function hiddenIn({ body, arrived }: SentRequest): readonly string[] {
  const shown = resultsIn(arrived)
  return [...resultsIn(body)].flatMap(([call, text]) => (shown.get(call) === text ? [] : [text]))
}

function changedStrings(before: string, after: string) {
  return changes(JSON.parse(before), JSON.parse(after))
}

function bodyOf(messages: readonly Message[], model = 'claude-opus-5'): string {
  return JSON.stringify(writeRequest('anthropic', messages, { model, system: 'Work on it.' }))
}

/** The text of each tool's answer, by its call. */
function resultsIn(body: string): ReadonlyMap<string, string> {
  const results = new Map<string, string>()
  for (const { parts } of codecs.anthropic.read(JSON.parse(body)).messages)
    for (const part of parts) if (part.type === 'tool-result' && part.callId !== null) results.set(part.callId, resultText(part))
  return results
}

function settings(store: string | null): PartialConfig {
  const { url } = upstream
  return {
    prices: { 'local-model': { input: 1, output: 2 } },
    gateway: {
      trim: 'economy',
      store,
      upstreams: { anthropic: url, openai: url, gemini: url },
      // A busy machine must not turn a plan into the original bytes.
      limits: { plan_milliseconds: 120_000 },
    },
  }
}

function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'plimsoll-shared-'))
}
