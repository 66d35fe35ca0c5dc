import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  codecs,
  completeConfig,
  countMessages,
  createConversation,
  estimateTokens,
  estimator,
  gatewayMode,
  type Message,
  modelFacts,
  type Part,
  type PartialConfig,
  type Policy,
  patchText,
  resultText,
  type ToolCallPart,
  type ToolResultPart,
  writeRequest,
} from '@plimsoll/core'
import { createAgent } from '../../packages/node/src/agent/create-agent.ts'
import { createModelBook, type KnownModel } from '../../packages/node/src/gateway/model-book.ts'
import type { ModelClient, ModelRequest, ToolOffer } from '../../packages/node/src/model/model-client.ts'
import { createSession } from '../../packages/node/src/session/create-session.ts'
import { type Tool, told } from '../../packages/node/src/tools/tool.ts'
import { around, createUsage, type Difference } from './compare-gateway.ts'
import { openGatewayDoor } from './gateway-door.ts'
import { outline, outlineDifference } from './outline.ts'
import { noteReached, type Reached } from './reached.ts'

/** The work of an agent, to be done once more. */
export interface AgentWork {
  readonly name: string
  /** Rounds of user messages, answers and results of tools. */
  readonly messages: readonly Message[]
}

/** How the work is done. */
export interface AgentRun {
  readonly dialect: 'anthropic' | 'openai-chat'
  readonly model: string
  readonly policies: readonly Policy[]
  readonly config?: PartialConfig
  /** The mode of a gateway that gets the untrimmed requests and has to send what the agent sends. Null: none does. */
  readonly gateway: 'spec' | 'economy' | null
  readonly reached: Reached
}

/** Seconds between one request and the next, again and again: after some of them nothing is cached, after some commands are outdated. */
const pauses = [20, 30, 20, 400, 20, 20, 1000, 20]

/** Lets a real agent do the work in a real session, and compares its requests with those of the library and of a gateway. */
export async function compareWithAgent({ name, messages }: AgentWork, run: AgentRun): Promise<readonly Difference[]> {
  const { dialect, model, policies, reached } = run
  const differences: Difference[] = []
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-agent-door-'))
  const session = await createSession(join(folder, 'sessions'), { root: folder })
  const gateway = run.gateway === null ? null : await openGatewayDoor({ dialect, mode: run.gateway, gateways: 1 })
  const config = completeConfig({ ...run.config, agent: { mode: 'auto' } })
  const isWindowSet = run.config?.context_window !== undefined
  const known = createModelBook({ config, isWindowSet }, '2026-01-01')(model)
  const library = createConversation({ policies, timing: 'auto', model })
  let isCompacted = false
  const wire = run.gateway === null ? null : createConversation({ codec: codecs[dialect], ...gatewayMode(run.gateway), model })
  const usageOf = createUsage()
  let now = Date.UTC(2026, 0, 5, 12)
  let number = 0

  async function ask({ messages: view, tools }: ModelRequest): Promise<unknown> {
    const found = (between: string, different: { readonly was: string; readonly is: string } | null) => {
      if (different !== null) differences.push({ conversation: name, request: number, between, ...different })
    }
    const raw = session.state().messages
    // A compaction is a step of the agent itself: from there on it has another history than the library.
    isCompacted ||= raw.some(({ summary }) => summary === true)
    if (isCompacted) return usageOf(JSON.stringify(view), model, now)
    const system = view.filter(({ id }) => id.startsWith('layer:'))
    const next = library.next(raw, {
      now,
      root: folder,
      platform: 'linux',
      config: known.config,
      cache: known.terms,
      prefix: 'the same all along',
      overhead: countMessages(system, estimator) + estimateTokens(JSON.stringify(tools)),
    })
    const viewOf = (shown: readonly Message[]) => outline(codecs[dialect].read(writeRequest(dialect, shown, { model })).messages)
    const agent = viewOf(view)
    found('library and agent', outlineDifference(viewOf([...system, ...next.messages]), agent))
    const body = { ...writeRequest(dialect, [...system, ...raw], { model }), tools: offered[dialect](tools) }
    const text = JSON.stringify(body)
    noteReached(reached, next.report, text, JSON.stringify(writeRequest(dialect, view, { model })))
    const usage = usageOf(text, model, now)
    if (gateway !== null && wire !== null) {
      const prepared = wire.next(body, { now })
      const { arrived, answer } = await gateway.send({ text, model, at: now, usage })
      const expected = patchText(text, prepared.patches)
      found('library with a codec and gateway', expected === arrived ? null : around(expected, arrived))
      found('agent and gateway', outlineDifference(agent, outline(codecs[dialect].read(JSON.parse(arrived)).messages)))
      wire.accepted(answer)
    }
    library.accepted(usage)
    number += 1
    now += (pauses[number % pauses.length] ?? 0) * 1000
    return usage
  }

  try {
    const rounds = roundsOf(messages)
    const agent = createAgent({
      session,
      config,
      isWindowSet,
      policies,
      model: scriptedModel(
        model,
        known,
        rounds.flatMap(({ answers }) => answers),
        ask,
      ),
      tools: () => Promise.resolve(scriptedTools(messages)),
      root: folder,
      environment: {},
      platform: 'linux',
      emit: () => undefined,
      ask: null,
      priceOf: () => null,
      summarize: () => Promise.reject(new Error('Nothing is summarised here.')),
      now: () => now,
    })
    for (const { said } of rounds) {
      const outcome = await agent.turn(said, new AbortController().signal)
      if (outcome.kind !== 'finished') throw new Error(`The turn did not finish: ${JSON.stringify(outcome)}`)
    }
    return differences
  } finally {
    await session.close()
    await gateway?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Round {
  readonly said: string
  /** What the model answers to each request of the round. */
  readonly answers: readonly (readonly Part[])[]
}

function roundsOf(messages: readonly Message[]): readonly Round[] {
  const rounds: { said: string; answers: (readonly Part[])[] }[] = []
  for (const { role, parts } of messages) {
    if (role === 'user') {
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
      rounds.push({ said: `Round ${rounds.length}: ${texts.join(' ')}`, answers: [] })
    } else if (role === 'assistant') rounds.at(-1)?.answers.push(parts)
  }
  // A round ends with an answer that calls nothing.
  return rounds.map(({ said, answers }) => {
    const isOver = answers.at(-1)?.every(({ type }) => type !== 'tool-call') === true
    return { said, answers: isOver ? answers : [...answers, [{ type: 'text', text: 'That round is done.' }]] }
  })
}

function scriptedModel(
  name: string,
  known: KnownModel,
  answers: readonly (readonly Part[])[],
  ask: (request: ModelRequest) => Promise<unknown>,
): ModelClient {
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
      const parts = answers[requests] ?? []
      requests += 1
      return { parts, finish: parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop', usage }
    },
  }
}

/** Tools that return the recorded results, in their order. */
function scriptedTools(messages: readonly Message[]): readonly Tool[] {
  const parts = messages.flatMap((message) => message.parts)
  const results = new Map(parts.flatMap((part) => (part.type === 'tool-result' ? [[part.callId, part] as const] : [])))
  const calls = parts.filter((part): part is ToolCallPart => part.type === 'tool-call')
  const keyOf = (tool: string, input: unknown) => `${tool} ${JSON.stringify(input)}`
  const parsed = (input: unknown): unknown => (typeof input === 'string' ? (JSON.parse(input) as unknown) : input)
  const pending = Map.groupBy(calls, ({ tool, input }) => keyOf(tool, parsed(input)))
  const textOf = (result: ToolResultPart | undefined) => (result === undefined ? 'Nothing.' : resultText(result))
  return [...new Set(calls.map(({ tool }) => tool))].map((tool) => ({
    name: tool,
    description: `Runs ${tool}.`,
    inputSchema: { type: 'object', properties: {} },
    access: 'read',
    about: () => tool,
    run: (input) => Promise.resolve(told(textOf(results.get(pending.get(keyOf(tool, input))?.shift()?.callId ?? '')))),
  }))
}

const offered = {
  anthropic: (tools: readonly ToolOffer[]) => tools.map(({ inputSchema, ...rest }) => ({ ...rest, input_schema: inputSchema })),
  'openai-chat': (tools: readonly ToolOffer[]) =>
    tools.map(({ inputSchema, ...rest }) => ({ type: 'function', function: { ...rest, parameters: inputSchema } })),
}
