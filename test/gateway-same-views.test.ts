import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  codecs,
  completeConfig,
  countMessages,
  createConversation,
  defaultConfig,
  economyPolicies,
  estimateTokens,
  estimator,
  type Message,
  modelFacts,
  type Part,
  type Policy,
  specPolicies,
  writeRequest,
} from '@plimsoll/core'
import { afterAll, beforeAll, describe, test, vi } from 'vitest'
import { createAgent } from '../packages/node/src/agent/create-agent.ts'
import { createModelBook } from '../packages/node/src/gateway/model-book.ts'
import type { ModelClient, ModelRequest, ToolOffer } from '../packages/node/src/model/model-client.ts'
import { createSession } from '../packages/node/src/session/create-session.ts'
import { type Tool, told } from '../packages/node/src/tools/tool.ts'
import { type FakeUpstream, startFakeUpstream } from './gateway/fake-upstream.ts'
import { startGateway } from './gateway/start-gateway.ts'
import { callsOf, type WorkCall } from './gateway/work.ts'

const name = 'claude-opus-5'
const known = createModelBook({ config: defaultConfig, isWindowSet: false }, '2026-01-01')(name)
const noon = Date.UTC(2026, 0, 5, 12)

/** Seconds between one request and the next, again and again: after some of them nothing is cached, after some commands are outdated. */
const pauses = [20, 30, 20, 400, 20, 20, 1000, 20]
const rounds = 3
const stepsOfRound = 6

const sets = {
  spec: {
    policies: specPolicies,
    rules: ['compress-old-results', 'filter-binary', 'limit-tool-output', 'trim-outdated-commands', 'trim-repeated-reads'],
  },
  economy: {
    policies: economyPolicies,
    rules: ['cut-long-output', 'filter-binary', 'skip-shown-lines', 'stub-old-results', 'thin-line-numbers'],
  },
} as const satisfies Readonly<Record<string, { readonly policies: readonly Policy[]; readonly rules: readonly string[] }>>

let upstream: FakeUpstream

/** What each credential asked last, and what time it is for it. */
const clocks = new Map<string, { readonly last: number; readonly now: number }>()

beforeAll(async () => {
  upstream = await startFakeUpstream(({ key, dialect, body }) => {
    const { last, now } = clocks.get(key) ?? { last: 0, now: 0 }
    const tokens = estimateTokens(body.toString())
    // Kept for five minutes, and all but the end of it.
    const read = now - last > 300_000 ? 0 : Math.floor(tokens * 0.9)
    return { status: 200, body: answers[dialect === 'anthropic' ? 'anthropic' : 'openai-chat'](tokens, read) }
  })
})

afterAll(() => upstream.close())

describe('the same work through the library, the agent and the gateway', () => {
  const ways = (['anthropic', 'openai-chat'] as const).flatMap((dialect) =>
    (['spec', 'economy'] as const).map((mode) => ({ dialect, mode })),
  )

  // All of them wait for disks most of the time.
  test.concurrent.for(ways)(
    'the same views, request by request ($dialect, $mode: whole sets, on work without thoughts, long arguments and broken pairs)',
    async ({ dialect, mode }, { expect, onTestFinished }) => {
      const key = `${dialect}-${mode}`
      clocks.set(key, { last: 0, now: noon })
      const clock = () => clocks.get(key)?.now ?? 0
      const gateway = await startGateway({ mode, upstream: upstream.url, now: clock })
      onTestFinished(async () => {
        await gateway.close()
        await gateway.remove()
      })
      const { policies, rules } = sets[mode]
      const library = createConversation({ policies, timing: 'auto', model: name })
      const fired = new Set<string>()
      const wrong: string[] = []
      let requests = 0
      let waited = 0

      async function ask({ messages: view, tools }: ModelRequest): Promise<unknown> {
        const raw = session.state().messages
        const system = view.filter(({ id }) => id.startsWith('layer:'))
        const body = { ...writeRequest(dialect, [...system, ...raw], { model: name }), tools: offered[dialect](tools) }
        const answer = await fetch(`${gateway.url}${paths[dialect]}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify(body),
        })
        const { usage } = (await answer.json()) as { readonly usage: unknown }
        requests += 1
        const number = requests
        // What became of a request is written down behind its answer.
        await vi.waitUntil(() => gateway.measured.length === number, { timeout: 120_000, interval: 2 })

        const now = clock()
        const next = library.next(raw, {
          now,
          config: known.config,
          cache: known.terms,
          prefix: 'the same all along',
          overhead: countMessages(system, estimator) + estimateTokens(JSON.stringify(tools)),
        })
        for (const { policy } of next.report.edits) fired.add(policy)
        if (next.report.waiting.length > 0) waited += 1
        library.accepted(usage)

        const arrived = codecs[dialect].read(JSON.parse(upstream.of(key).at(-1)?.body.toString() ?? '')).messages
        const shown = {
          agent: outline(written(view)),
          library: outline(written([...system, ...next.messages])),
          gateway: outline(arrived),
        }
        for (const face of ['agent', 'gateway'] as const)
          for (let index = 0; index < Math.max(shown.library.length, shown[face].length); index += 1) {
            const [is, expected] = [shown[face][index] ?? 'nothing', shown.library[index] ?? 'nothing']
            if (is !== expected) wrong.push(`request ${number}, message ${index}: ${face} ${is}; library ${expected}`)
          }
        clocks.set(key, { last: now, now: now + (pauses[number % pauses.length] ?? 0) * 1000 })
        return usage
      }
      const written = (messages: readonly Message[]) =>
        codecs[dialect].read(writeRequest(dialect, messages, { model: name })).messages

      const sessions = mkdtempSync(join(tmpdir(), 'plimsoll-views-'))
      onTestFinished(() => rmSync(sessions, { recursive: true, force: true }))
      const session = await createSession(join(sessions, 'sessions'), { root: sessions })
      onTestFinished(() => session.close())
      const agent = createAgent({
        session,
        config: completeConfig({ agent: { mode: 'auto' } }),
        isWindowSet: false,
        policies,
        model: scriptedModel(ask),
        tools: () => Promise.resolve(scriptedTools()),
        root: sessions,
        environment: {},
        platform: 'linux',
        emit: () => undefined,
        ask: null,
        priceOf: () => null,
        summarize: () => Promise.reject(new Error('nobody summarises here')),
        now: clock,
      })
      for (let round = 0; round < rounds; round += 1) {
        const outcome = await agent.turn(`Round ${round}: mend the settings.`, new AbortController().signal)
        expect(outcome).toEqual({ kind: 'finished', text: 'That round is done.' })
      }
      expect(wrong.slice(0, 10)).toEqual([])
      expect([requests, [...fired].toSorted(), waited > 3]).toEqual([rounds * (stepsOfRound + 1), rules, true])
    },
  )
})

const paths = { anthropic: '/v1/messages', 'openai-chat': '/v1/chat/completions' }

/** Answers of which nothing matters but what they took. */
const answers = {
  anthropic: (tokens: number, read: number) => ({
    type: 'message',
    role: 'assistant',
    model: name,
    content: [{ type: 'text', text: 'Go on.' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: tokens - read, cache_read_input_tokens: read, cache_creation_input_tokens: 0, output_tokens: 40 },
  }),
  'openai-chat': (tokens: number, read: number) => ({
    object: 'chat.completion',
    model: name,
    choices: [{ index: 0, message: { role: 'assistant', content: 'Go on.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: tokens, completion_tokens: 40, prompt_tokens_details: { cached_tokens: read } },
  }),
}

const offered = {
  anthropic: (tools: readonly ToolOffer[]) => tools.map(({ inputSchema, ...rest }) => ({ ...rest, input_schema: inputSchema })),
  'openai-chat': (tools: readonly ToolOffer[]) =>
    tools.map(({ inputSchema, ...rest }) => ({ type: 'function', function: { ...rest, parameters: inputSchema } })),
}

/** Messages without their ids, each in a form that is short to print where two differ. */
function outline(messages: readonly Message[]): readonly string[] {
  return messages.map(({ role, parts }) => {
    const text = JSON.stringify(parts)
    return `${role} ${hash('sha256', text)} ${text.slice(0, 60)} … ${text.slice(-60)}`
  })
}

/** A model that works through the steps, and says after each round that it is done. */
function scriptedModel(ask: (request: ModelRequest) => Promise<unknown>): ModelClient {
  let requests = 0
  return {
    name,
    model: name,
    provider: 'anthropic',
    facts: modelFacts(name),
    price: known.price,
    cacheTerms: known.terms,
    usesText: false,
    async call(request) {
      const usage = await ask(request)
      const [round, step] = [Math.floor(requests / (stepsOfRound + 1)), requests % (stepsOfRound + 1)]
      requests += 1
      if (step === stepsOfRound) return { parts: [{ type: 'text', text: 'That round is done.' }], finish: 'stop', usage }
      const number = round * stepsOfRound + step
      const parts = callsOf(number).map(
        ({ tool, input }, index): Part => ({ type: 'tool-call', callId: `call_${number}_${index}`, tool, input }),
      )
      return { parts, finish: 'tool-calls', usage }
    },
  }
}

/** Tools that answer what the work says, in its order. */
function scriptedTools(): readonly Tool[] {
  const calls = Array.from({ length: rounds * stepsOfRound }, (_, number) => callsOf(number)).flat()
  const waiting = Map.groupBy(calls, ({ tool, input }) => `${tool} ${JSON.stringify(input)}`)
  return [...new Set(calls.map(({ tool }) => tool))].map((tool) => ({
    name: tool,
    description: `Does what ${tool} does.`,
    inputSchema: { type: 'object', properties: {} },
    access: 'read',
    about: () => tool,
    run: (input) => Promise.resolve(told((waiting.get(`${tool} ${JSON.stringify(input)}`)?.shift() as WorkCall).text)),
  }))
}
