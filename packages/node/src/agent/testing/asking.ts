import { type Message, type PartialConfig, type Policy, specPolicies } from '@plimsoll/core'
import { completeConfig } from '@plimsoll/core/policies'
import { createModelClient } from '../../model/create-client.ts'
import type { ModelClient } from '../../model/model-client.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from '../../model/testing/openai-server.ts'
import type { OpenSession } from '../../session/session.ts'
import type { AgentEvent } from '../../shared/event.ts'
import type { AskContext } from '../agent.ts'
import { type Asked, askModel } from '../turn/ask-model.ts'
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
export const fine: Answer = { kind: 'text', text: 'Fine.', prompt: 'estimated' }

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
  const context = contextFor({
    ...setting,
    session,
    context: { model: clientFor(server.url, setting.config), emit: (event) => events.push(event), ...setting.context },
  })
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

/** The context of a request in a test. */
export function contextFor({ session, config, policies, context }: Setting & { readonly session: OpenSession }): AskContext {
  return {
    session,
    config: completeConfig(config),
    policies: policies ?? specPolicies,
    model: context?.model ?? clientFor('http://127.0.0.1:9/v1', config),
    tools: [],
    system: 'You help.',
    rules: () => Promise.resolve(null),
    root: '/project',
    environment: keys,
    emit: () => undefined,
    now: () => Date.UTC(2026, 0, 5, 12),
    writer: () => null,
    ...context,
  }
}

/** A session with these messages in its log. */
export async function start(messages: readonly Message[] = [question]): Promise<OpenSession> {
  const test = await startSession(messages)
  opened.push(test)
  return test.session
}

const question: Message = { id: 'question', role: 'user', parts: [{ type: 'text', text: 'How are you?' }] }

function inWords(event: AgentEvent): string {
  if (event.type === 'notification') return event.data.code
  if (event.type === 'error') return `error ${event.data.code} recovering ${event.data.details['recovering'] === true}`
  if (event.type === 'compaction_end') return `compaction_end ${event.data.outcome}`
  return event.type === 'text_delta' ? `text ${event.data.text}` : event.type
}

/** A client for a test server. */
export function clientFor(url: string, config: PartialConfig = {}, environment = keys): ModelClient {
  return createModelClient({ name: 'test', url, environment, config: completeConfig(config) })
}

const keys = { OPENAI_API_KEY: 'not-a-real-key' }
