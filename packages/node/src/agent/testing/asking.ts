import {
  classifyFailure,
  completeConfig,
  type Message,
  type ModelFacts,
  modelFacts,
  type Part,
  type PartialConfig,
  type Policy,
  specPolicies,
  writeRequest,
} from '@plimsoll/core'
import { ModelCallError, type ModelClient, type ModelRequest } from '../../model/model-client.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from '../../model/testing/openai-server.ts'
import type { OpenSession } from '../../session/session.ts'
import type { AskContext } from '../ask-context.ts'
import { type Asked, askModel } from '../ask-model.ts'
import type { AgentEvent } from '../events.ts'
import { startSession, type TestSession } from './start-session.ts'

const opened: TestSession[] = []
const servers: OpenAiServer[] = []

/** Ends every session and server that a test started. */
export async function endAll(): Promise<void> {
  for (const { close } of opened.splice(0)) await close()
  for (const server of servers.splice(0)) await server.close()
}

/** How a model is asked in a test. */
export interface Setting {
  readonly messages?: readonly Message[]
  readonly session?: OpenSession
  readonly answers?: readonly [Answer, ...Answer[]]
  readonly config?: PartialConfig
  readonly policies?: readonly Policy[]
  readonly facts?: Partial<ModelFacts>
  readonly context?: Partial<AskContext>
  readonly signal?: AbortSignal
  /** Called when the agent waits. Default: it goes on at once. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Everything that can be seen of an answer, or of its failure. */
export interface Result {
  readonly asked: Asked | null
  readonly error: unknown
  readonly events: readonly AgentEvent[]
  /** The events in a few words each. */
  readonly story: readonly string[]
  readonly waits: readonly number[]
  readonly server: OpenAiServer
  readonly session: OpenSession
}

/** A text that the model answers. */
export const fine: Answer = { kind: 'text', text: 'Fine.' }

/** A refusal as a server sends it. */
export function refused(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { kind: 'body', status, body: typeof body === 'string' ? body : JSON.stringify(body), headers }
}

/** Asks a model behind a real server once, in a real session. */
export async function ask(setting: Setting): Promise<Result> {
  const server = await startOpenAiServer(...(setting.answers ?? [fine]))
  servers.push(server)
  const session = setting.session ?? (await start(setting.messages))
  const events: AgentEvent[] = []
  const waits: number[] = []
  const context: AskContext = {
    session,
    config: completeConfig(setting.config),
    policies: setting.policies ?? specPolicies,
    model: loopbackClient(server.url, setting.facts),
    tools: [],
    system: 'You help.',
    rules: () => Promise.resolve(null),
    root: '/project',
    environment: { OPENAI_API_KEY: 'not-a-real-key' },
    emit: (event) => events.push(event),
    now: () => Date.UTC(2026, 0, 5, 12),
    writer: () => null,
    ...setting.context,
  }
  const waiting = {
    wait(ms: number, signal: AbortSignal) {
      waits.push(ms)
      return setting.wait?.(ms, signal) ?? Promise.resolve()
    },
    random: () => 0.5,
  }
  const outcome = await askModel(context, setting.signal ?? new AbortController().signal, waiting).then(
    (asked) => ({ asked, error: null }),
    (error: unknown) => ({ asked: null, error }),
  )
  return { ...outcome, events, story: events.map(inWords), waits, server, session }
}

/** A session with these messages in its log. */
export async function start(messages: readonly Message[] = [question]): Promise<OpenSession> {
  const test = await startSession(messages)
  opened.push(test)
  return test.session
}

const question: Message = { id: 'question', role: 'user', parts: [{ type: 'text', text: 'How are you?' }] }

function inWords(event: AgentEvent): string {
  switch (event.type) {
    case 'notification':
      return event.data.code
    case 'error':
      return `error ${event.data.code} recovering ${event.data.details['recovering']}`
    case 'compaction_end':
      return `compaction_end ${event.data.outcome}`
    case 'text_delta':
      return `text ${event.data.text}`
    default:
      return event.type
  }
}

/** A client for the test server, as plain as it can be. */
export function loopbackClient(url: string, facts: Partial<ModelFacts> = {}): ModelClient {
  return {
    name: 'openai/test',
    model: 'test',
    provider: 'openai',
    facts: { ...modelFacts('test'), ...facts },
    price: null,
    usesText: false,
    call: (request, onDelta) => call(url, request, onDelta),
  }
}

async function call(url: string, request: ModelRequest, onDelta: Parameters<ModelClient['call']>[1]) {
  const { messages, maxOutputTokens, signal } = request
  try {
    const body = { ...writeRequest('openai-chat', messages, { model: 'test' }), max_tokens: maxOutputTokens, stream: true }
    const response = await fetch(`${url}/chat/completions`, { method: 'POST', body: JSON.stringify(body), signal })
    const isStream = response.ok && response.headers.get('content-type') === 'text/event-stream'
    if (!isStream) throw refusal(response.status, await response.text(), response.headers)
    return await read(response, onDelta)
  } catch (error) {
    if (signal.aborted || error instanceof ModelCallError) throw error
    throw refusal(null, error instanceof Error ? error.message : '', null)
  }
}

async function read(response: Response, onDelta: Parameters<ModelClient['call']>[1]) {
  const parts: Part[] = []
  let rest = ''
  let usage: unknown = null
  let isDone = false
  for await (const piece of response.body ?? []) {
    const lines = (rest + Buffer.from(piece).toString('utf8')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === 'data: [DONE]') isDone = true
      else if (line.startsWith('data: ')) {
        const chunk = JSON.parse(line.slice(6))
        usage = chunk.usage ?? usage
        const delta = chunk.choices?.[0]?.delta ?? {}
        if (typeof delta.content === 'string') {
          onDelta({ type: 'text', text: delta.content })
          parts.push({ type: 'text', text: delta.content })
        }
        for (const { id, function: made } of delta.tool_calls ?? []) {
          onDelta({ type: 'tool-input', text: made.arguments })
          parts.push({ type: 'tool-call', callId: id, tool: made.name, input: made.arguments })
        }
      }
    }
  }
  if (!isDone) throw refusal(null, 'the stream broke off', null)
  return { parts, finish: 'stop' as const, usage }
}

function refusal(status: number | null, body: string, headers: Headers | null): ModelCallError {
  const failure = classifyFailure({ status, body, headers })
  const isTransient = failure.kind === 'rate_limit' || (failure.kind === 'other' && (status === null || status >= 500))
  const after = headers?.get('retry-after') ?? null
  return new ModelCallError(body, { failure, status, retryAfter: after === null ? null : Number(after) * 1000, isTransient })
}
