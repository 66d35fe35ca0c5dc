import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConversationState,
  codecs,
  createConversation,
  estimateTokens,
  type Message,
  modelFacts,
  type Part,
  type PartialConfig,
  type Policy,
  resultText,
  type ToolCallPart,
  type ToolResultPart,
} from '@plimsoll/core'
import { hideOldSummaries } from '@plimsoll/core/compaction'
import { completeConfig, fitWindow, gatewayMode, type Ledger } from '@plimsoll/core/policies'
import { countMessages, estimator } from '@plimsoll/core/text'
import { patchText, writeRequest } from '@plimsoll/core/wire'
import { createAgent } from '../../packages/node/src/agent/create-agent.ts'
import { createModelBook, type KnownModel } from '../../packages/node/src/gateway/planner/model-book.ts'
import { isLayer } from '../../packages/node/src/layers/assemble-layers.ts'
import type { ModelClient, ModelRequest, ToolOffer } from '../../packages/node/src/model/model-client.ts'
import { createSession } from '../../packages/node/src/session/create-session.ts'
import { openSession } from '../../packages/node/src/session/open-session.ts'
import { type Tool, told } from '../../packages/node/src/tools/tool.ts'
import { agentHistory, isWritten } from './agent-history.ts'
import { around, createUsage, type Difference } from './compare-gateway.ts'
import { openGatewayDoor } from './gateway-door.ts'
import { outline, outlineDifference } from './outline.ts'
import { noteReached, type Reached } from './reached.ts'

/** The work of an agent, to be repeated. */
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
  /** The mode of a gateway that gets the untrimmed requests and must send the same as the agent. Null for no gateway. */
  readonly gateway: 'spec' | 'economy' | null
  /** Returns the events after a number of finished rounds. Default: none. */
  readonly between?: (rounds: number) => readonly Step[]
  readonly reached: Reached
}

/** An event of a session between requests. */
export type Step =
  /** The user requests a compaction that keeps this many rounds. */
  | { readonly kind: 'compact'; readonly keepRounds: number }
  /** The agent ends, and another process continues from disk; the library continues from its state as JSON. */
  | { readonly kind: 'resume' }

/** Seconds between requests, repeated. After some pauses nothing is cached, after some commands are outdated. */
const pauses = [20, 30, 20, 400, 20, 20, 1000, 20]

/**
 * Runs the work with a real agent in a real session, and compares its requests with those of the library and of a gateway. Only the
 * agent writes summaries of compactions: the library gets them instead of the messages they summarise.
 */
export async function compareWithAgent({ name, messages }: AgentWork, run: AgentRun): Promise<readonly Difference[]> {
  const { dialect, model, reached } = run
  const differences: Difference[] = []
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-agent-door-'))
  const sessions = join(folder, 'sessions')
  let session = await createSession(sessions, { root: folder })
  const gateway = run.gateway === null ? null : await openGatewayDoor({ dialect, mode: run.gateway, gateways: 1 })
  const config = completeConfig({ ...run.config, agent: { mode: 'auto' } })
  const isWindowSet = run.config?.context_window !== undefined
  const known = createModelBook({ config, isWindowSet }, '2026-01-01')(model)
  const options = { policies: policiesOf(run), timing: 'auto', model } as const
  let library = createConversation(options)
  const wire =
    run.gateway === null ? null : createConversation({ codec: codecs[dialect], ...gatewayMode(run.gateway, dialect), model })
  const usageOf = createUsage()
  let now = Date.UTC(2026, 0, 5, 12)
  let number = 0

  async function ask({ messages: view, tools }: ModelRequest): Promise<unknown> {
    const found = (between: string, different: { readonly was: string; readonly is: string } | null) => {
      if (different !== null) differences.push({ conversation: name, request: number, between, ...different })
    }
    // Hidden summaries are no longer in the agent's history, so its ledger does not count them as untrimmed.
    if (options.policies === run.policies)
      found('ledgers of library and agent', ledgerDifference(library.state().ledger, session.state().ledger))
    const raw = agentHistory(session)
    const layers = view.filter(isLayer)
    const next = library.next(raw, {
      now,
      root: folder,
      platform: 'linux',
      config: known.config,
      cache: known.terms,
      prefix: 'the same all along',
      overhead: countMessages(layers, estimator) + estimateTokens(JSON.stringify(tools)),
    })
    const viewOf = (shown: readonly Message[]) => outline(codecs[dialect].read(writeRequest(dialect, shown, { model })).messages)
    const agent = viewOf(view)
    found('library and agent', outlineDifference(viewOf(within(view, next.messages)), agent))
    const body = { ...writeRequest(dialect, within(view, raw), { model }), tools: offered[dialect](tools) }
    const text = JSON.stringify(body)
    const shown = JSON.stringify(writeRequest(dialect, view, { model }))
    noteReached(reached, next.report, text, shown)
    // A gateway assumes that usage belongs to its own request, so it gets the count of what it sent.
    const usage = usageOf(gateway === null ? shown : text, model, now)
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

  const rounds = roundsOf(messages)
  const client = scriptedModel(
    model,
    known,
    rounds.flatMap(({ answers }) => answers),
    ask,
  )
  const tools = scriptedTools(messages)
  const start = () =>
    createAgent({
      session,
      config,
      isWindowSet,
      policies: run.policies,
      model: client,
      tools: () => Promise.resolve(tools),
      root: folder,
      environment: {},
      platform: 'linux',
      emit: () => undefined,
      ask: null,
      priceOf: () => null,
      summarize: () => Promise.reject(new Error('Nothing is summarised here.')),
      now: () => now,
    })

  try {
    let agent = start()
    const { signal } = new AbortController()
    for (const [index, { said }] of rounds.entries()) {
      const outcome = await agent.turn(said, signal)
      if (outcome.kind !== 'finished') throw new Error(`The turn did not finish: ${JSON.stringify(outcome)}`)
      for (const step of run.between?.(index + 1) ?? []) {
        if (step.kind === 'compact') await agent.compact({ keepRounds: step.keepRounds }, signal)
        else {
          await session.close()
          session = await openSession(sessions, session.id)
          agent = start()
          library = createConversation({ ...options, state: JSON.parse(JSON.stringify(library.state())) as ConversationState })
        }
      }
    }
    const folds = Object.groupBy(session.state().folds, (fold) => (isWritten(fold) ? 'compactions' : 'folds'))
    for (const [key, made] of Object.entries(folds)) reached[key] = (reached[key] ?? 0) + made.length
    return differences
  } finally {
    await session.close()
    await gateway?.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Where two ledgers differ. They name the part before the messages differently. */
function ledgerDifference(library: Ledger, agent: Ledger): { readonly was: string; readonly is: string } | null {
  const textOf = ({ prefix: _own, ...rest }: Ledger) =>
    JSON.stringify(Object.entries(rest).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  const [was, is] = [textOf(library), textOf(agent)]
  return was === is ? null : around(was, is)
}

/** The agent hides summaries if they have a limit; library users do that with a policy. */
function policiesOf({ policies, config }: AgentRun): readonly Policy[] {
  if (config?.compaction?.max_summary_tokens === undefined) return policies
  const isLast = ({ name }: Policy) => name === fitWindow.name
  return [...policies.filter((policy) => !isLast(policy)), hideOldSummaries, ...policies.filter(isLast)]
}

/** Messages with the layers around them that another request has. */
function within(request: readonly Message[], messages: readonly Message[]): readonly Message[] {
  const start = request.findIndex((message) => !isLayer(message))
  const end = request.findLastIndex((message) => !isLayer(message))
  return [...request.slice(0, start), ...messages, ...request.slice(end + 1)]
}

interface Round {
  readonly said: string
  /** The model's answer to each request of the round. */
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
  // A round ends with an answer without calls.
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
