import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Message, type PartialConfig, type Policy, specPolicies } from '@plimsoll/core'
import { type Config, completeConfig, type TimingName } from '@plimsoll/core/policies'
import type { StringsName } from '@plimsoll/core/text'
import { onTestFinished } from 'vitest'
import { createModelClient } from '../../model/create-client.ts'
import type { Environment } from '../../model/server-access.ts'
import { type OpenAiServer, type ScriptedAnswer, startOpenAiServer } from '../../model/testing/openai-server.ts'
import { createSession } from '../../session/create-session.ts'
import { openSession } from '../../session/open-session.ts'
import type { OpenSession } from '../../session/session.ts'
import type { AgentEvent } from '../../shared/event.ts'
import { bashTool } from '../../tools/command/bash-tool.ts'
import { changingTools, createRecallTool, lookingTools } from '../../tools/own-tools.ts'
import { temporaryWorkspace } from '../../tools/testing/temporary-workspace.ts'
import type { Tool } from '../../tools/tool.ts'
import type { Agent, AgentOptions, AskPermission } from '../agent.ts'
import { createAgent } from '../create-agent.ts'

/** How an agent is started in a test. */
export interface AgentSetting {
  /** Files of its workspace, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Answers of a model on a real server. Default: the offline model. */
  readonly answers?: readonly [ScriptedAnswer, ...ScriptedAnswer[]]
  readonly config?: PartialConfig
  readonly policies?: readonly Policy[]
  /** Messages already in the log. */
  readonly messages?: readonly Message[]
  /** In addition to the agent's own. */
  readonly tools?: readonly Tool[]
  readonly ask?: AskPermission | null
  readonly environment?: Environment
  /** Language of the text inserted for the model. Default: the specification's. */
  readonly strings?: StringsName
  /** The folder of all sessions. Default: a new one. */
  readonly sessions?: string
  /** Called with each event, after it was written down. */
  readonly onEvent?: (event: AgentEvent) => void
  readonly options?: Partial<AgentOptions>
}

/** An agent at work, and everything that can be seen of it. */
export interface TestAgent {
  readonly agent: Agent
  readonly session: OpenSession
  readonly sessions: string
  /** The folder it works in. */
  readonly root: string
  readonly events: AgentEvent[]
  readonly server: OpenAiServer | null
  readonly config: Config
  /** Does a task and gives how that ended. */
  readonly turn: (text: string, signal?: AbortSignal) => ReturnType<Agent['turn']>
  /** Leaves the session and opens it again, with an agent that remembers nothing. */
  readonly restart: () => Promise<TestAgent>
}

/** Starts an agent with real tools in a real session and a separate workspace. All of it is removed after the test. */
export async function startAgent(setting: AgentSetting = {}): Promise<TestAgent> {
  const root = await temporaryWorkspace(setting.files)
  const sessions = setting.sessions ?? temporaryFolder()
  const { strings } = setting
  const session = await createSession(sessions, { root, ...(strings === undefined ? {} : { strings }) })
  const { messages = [] } = setting
  if (messages.length > 0) await session.append(messages.map((message) => ({ type: 'message', message })))
  const server = setting.answers === undefined ? null : await startOpenAiServer(...setting.answers)
  if (server !== null) onTestFinished(server.close)
  return agentIn(session, { root, sessions, server, events: [] }, setting)
}

/** As the specification describes them, rules take effect at once; with a price, they wait until that is worth it. */
function timingOf({ config }: AgentSetting): TimingName | null {
  return config?.prices === undefined ? 'immediate' : null
}

type Place = Pick<TestAgent, 'root' | 'sessions' | 'server' | 'events'>

function agentIn(session: OpenSession, place: Place, setting: AgentSetting): TestAgent {
  const { root, sessions, server, events } = place
  let isClosed = false
  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await session.close()
  }
  onTestFinished(close)
  const config = completeConfig({
    timing: timingOf(setting),
    ...setting.config,
    agent: { mode: 'auto', ...setting.config?.agent },
  })
  const environment: Environment = { PATH: process.env['PATH'], OPENAI_API_KEY: 'not-a-real-key', ...setting.environment }
  const url = server?.url
  const agent = createAgent({
    session,
    config,
    isWindowSet: setting.config?.context_window !== undefined,
    policies: setting.policies ?? specPolicies,
    model: createModelClient({ name: server === null ? 'offline' : 'test', url, environment, config }),
    tools: () =>
      Promise.resolve([
        ...lookingTools,
        ...changingTools,
        bashTool,
        createRecallTool(session, { config, root }),
        ...(setting.tools ?? []),
      ]),
    root,
    environment,
    url,
    platform: 'linux',
    emit(event) {
      events.push(event)
      setting.onEvent?.(event)
    },
    ask: setting.ask ?? null,
    priceOf: () => null,
    summarize: () => Promise.reject(new Error('no summaries in this test')),
    now: Date.now,
    ...setting.options,
  })
  return {
    agent,
    session,
    config,
    ...place,
    turn: (text, signal = new AbortController().signal) => agent.turn(text, signal),
    async restart() {
      await close()
      return agentIn(await openSession(sessions, session.id), place, setting)
    },
  }
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-agent-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
