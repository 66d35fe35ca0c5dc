import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Price } from '@plimsoll/core/bill'
import type { Config } from '@plimsoll/core/policies'
import { type Agent, notify } from '../../agent/agent.ts'
import { type PayingOptions, payingFor } from '../../agent/request/session-cost.ts'
import type { Prompts } from '../../config/prompt-files.ts'
import type { TrimLog } from '../../files/trim-log.ts'
import { createModelClient } from '../../model/create-client.ts'
import { defaultModelName } from '../../model/default-model.ts'
import type { ModelClient } from '../../model/model-client.ts'
import { offlineProvider } from '../../model/model-knowledge.ts'
import { offlineModelName } from '../../model/offline/offline-model.ts'
import { openModelClient, type SmallWindow } from '../../model/open-client.ts'
import { type Environment, ModelChoiceError } from '../../model/server-access.ts'
import { createAsk } from '../../model/side-calls.ts'
import type { StartOptions } from '../../server/server-options.ts'
import { createSession } from '../../session/create-session.ts'
import { removeSession } from '../../session/list-sessions.ts'
import { openSession } from '../../session/open-session.ts'
import type { OpenSession } from '../../session/session.ts'
import type { Emit, Notification } from '../../shared/event.ts'
import { modelLanguage, type Strings, stringsFor } from '../../strings/strings-for.ts'
import { connectMcpServers, type McpConnections } from '../../tools/mcp/mcp-servers.ts'
import type { Tool } from '../../tools/tool.ts'
import { CommandError, type CommandIo } from '../command-io.ts'
import { openTrimLog } from '../open-log.ts'
import { promptsFor, type SessionContext, sessionContext, writing } from '../settings.ts'
import { cleanText, grouped } from '../terminal/text.ts'
import { type AgentCommandOptions, agentFlags, modelProblemText, reasoningOf } from './agent-options.ts'

/** Everything that an interface to the agent needs: the settings, and agents in sessions. */
export interface AgentHost {
  readonly context: SessionContext
  readonly root: string
  /** Rejects with `CommandError` if the model cannot be used, saying what to set. */
  readonly model: (name: string, onNotice?: (notice: Notification) => void) => Promise<ModelClient>
  readonly defaultModel: ModelClient
  /** The part of the environment or the settings that chose the model; null if an option named it. */
  readonly why: string | null
  readonly notices: readonly Notification[]
  /** Opens or creates a session, with an agent in it. */
  readonly start: (options: StartOptions) => Promise<Agent>
  /** Closes a session that was started here, and removes an empty one. */
  readonly leave: (session: OpenSession) => Promise<void>
  /** Ends the servers of tools, and sessions that are still open. */
  readonly close: () => Promise<void>
}

/**
 * Reads the settings and prepares to start agents. Throws `CommandError` if something is missing, saying what to set. `isDrawn`: whether
 * the interface draws on the terminal.
 */
export async function openAgentHost(options: AgentCommandOptions, io: CommandIo, isDrawn = false): Promise<AgentHost> {
  const read = await sessionContext(options, io)
  const { strings } = read
  const flags = agentFlags(options, strings)
  const reasoning = reasoningOf(options, strings)
  const config: Config = { ...read.settings.config, agent: { ...read.settings.config.agent, ...flags } }
  const root = workspaceOf(options, io, strings)
  const prompts = promptsFor(config, root, io)
  const warnings = [...read.settings.warnings, ...prompts.warnings, ...summarizerWarning(config, io, options.baseUrl, strings)]
  const context: SessionContext = { ...read, settings: { ...read.settings, config, warnings } }
  const url = options.baseUrl
  const { environment } = io

  async function model(name: string, onNotice: (notice: Notification) => void = () => undefined): Promise<ModelClient> {
    const onSmallWindow = (told: SmallWindow) => onNotice(smallWindow(told, config, strings))
    let client: ModelClient
    try {
      client = await openModelClient({ name, url: urlFor(name, url), environment, config, reasoning, onSmallWindow })
    } catch (error) {
      if (!(error instanceof ModelChoiceError)) throw error
      throw new CommandError(modelProblemText(error.problem, cleanText(name), strings.requestCommands), 2)
    }
    if (config.agent.max_cost !== null && client.price === null) throw new CommandError(strings.agent.noPrice(cleanText(name)), 2)
    return client
  }

  const chosen = options.model === undefined ? await defaultModelName({ environment, config, url }) : null
  const notices: Notification[] = []
  const defaultModel = await model(options.model ?? chosen?.name ?? offlineModelName, (notice) => notices.push(notice))
  const toolbox = openToolbox(config, environment, url, root, defaultModel.name, prompts.tools)
  const opened = new Map<OpenSession, TrimLog | undefined>()

  const prices = new Map([[defaultModel.name, defaultModel.price]])

  function priceOf(name: string): Price | null {
    let price = prices.get(name)
    if (price === undefined) {
      try {
        price = createModelClient({ name, url: urlFor(name, url), environment, config }).price
      } catch {
        price = null
      }
      prices.set(name, price)
    }
    return price
  }

  async function sessionFor({ session }: StartOptions): Promise<OpenSession> {
    return session === null
      ? createSession(context.sessions, { ...writing(context), root, strings: modelLanguage(config) })
      : openSession(context.sessions, session, writing(context))
  }

  async function leave(session: OpenSession): Promise<void> {
    opened.get(session)?.close()
    opened.delete(session)
    const isEmpty = !session.heads().some(({ type }) => type === 'message')
    await session.close()
    if (isEmpty) await removeSession(context.sessions, session.id)
  }

  return {
    context,
    root,
    model,
    defaultModel,
    why: chosen?.why ?? null,
    notices,
    async start(start) {
      // Loaded late, so that the prompt appears before it.
      const { createAgent } = await import('../../agent/create-agent.ts')
      const session = await sessionFor(start)
      const trimLog = openTrimLog(context.settings, io, { ...options, isDrawn, about: { session: session.id } })
      opened.set(session, trimLog)
      const { emit } = start
      const damage = damageOf(session, config)
      if (damage !== null) emit({ type: 'notification', data: damage })
      const paying = { session, emit, priceOf, maxDollars: config.agent.max_cost }
      const summarizer = config.summarization.model
      return createAgent({
        session,
        config,
        isWindowSet: context.settings.windowSetBy !== null,
        policies: context.settings.policies,
        model: start.model ?? defaultModel,
        tools: () => toolbox.tools(session, paying),
        root,
        environment,
        url,
        platform: io.platform,
        emit,
        trimLog,
        ask: start.ask,
        now: io.now,
        priceOf,
        prompts,
        summarize: createAsk({ model: summarizer, environment, url, ...payingFor('result-summary', summarizer, paying) }),
      })
    },
    leave,
    async close() {
      await toolbox.close()
      for (const session of opened.keys()) await leave(session)
    },
  }
}

/** The name `offline` always selects the built-in model, even if a base URL is set. */
function urlFor(name: string, url: string | undefined): string | undefined {
  return name === offlineModelName ? undefined : url
}

function smallWindow({ window, max, clips }: SmallWindow, { locale }: Config, { agent }: Strings): Notification {
  const code = 'small_window'
  const shownMax = max === null || max === window ? null : grouped(max)
  const details = agent.smallWindow(grouped(window), shownMax, clips ? 'ollama' : 'other')
  return { code, message: stringsFor(locale).notices[code], details }
}

/** What is wrong with a log as far as opening it shows; null if nothing is. */
function damageOf(session: OpenSession, { locale }: Config): Notification | null {
  const troubles = session.troubles().map(({ message }) => cleanText(message))
  if (troubles.length === 0) return null
  const code = 'damaged_session'
  const more = troubles.length > maxTroubles ? ` (${grouped(maxTroubles)}/${grouped(troubles.length)})` : ''
  return { code, message: stringsFor(locale).notices[code], details: `${troubles.slice(0, maxTroubles).join(' ')}${more}` }
}

const maxTroubles = 3

/** Warns at the start if the model that summarises results cannot be called, not only once a long result was cut. */
function summarizerWarning(
  config: Config,
  { environment }: CommandIo,
  url: string | undefined,
  strings: Strings,
): readonly string[] {
  if (!config.summarization.enabled) return []
  const name = config.summarization.model
  try {
    createModelClient({ name, url: urlFor(name, url), environment, config })
    return []
  } catch (error) {
    if (!(error instanceof ModelChoiceError)) throw error
    return [strings.agent.noSummarizer(modelProblemText(error.problem, cleanText(name), strings.requestCommands))]
  }
}

function workspaceOf({ root }: AgentCommandOptions, { folder }: CommandIo, { agent }: Strings): string {
  const path = root === undefined ? folder : resolve(folder, root)
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch {
    // Reported below, with the path as given.
  }
  throw new CommandError(agent.noFolder(cleanText(path)), 2)
}

/** Whether the offline model answers because there is no other, and the user did not ask for it. */
export function isOfflineUnasked({ defaultModel, context }: AgentHost, { model }: AgentCommandOptions): boolean {
  return defaultModel.provider === offlineProvider && model === undefined && context.settings.config.model === null
}

/** The agent's own tools and those of the configured servers, loaded and started with the first call. */
function openToolbox(
  config: Config,
  environment: Environment,
  url: string | undefined,
  root: string,
  model: string,
  descriptions: Prompts['tools'],
) {
  const stop = new AbortController()
  let servers: Promise<McpConnections> | null = null

  function connect(emit: Emit): Promise<McpConnections> {
    servers ??= connectMcpServers(config.mcp_servers, {
      environment,
      root,
      signal: stop.signal,
      contextWindow: config.context_window,
      onProblem: (details) => notify(emit, 'tools_trouble', details),
    })
    return servers
  }

  return {
    async tools(session: OpenSession, paying: PayingOptions): Promise<readonly Tool[]> {
      const expander = config.images.expand_model ?? model
      const expand =
        expander === offlineModelName
          ? null
          : createAsk({ model: expander, environment, url, ...payingFor('prompt-expansion', expander, paying) })
      const [{ ownTools }, { tools }] = await Promise.all([import('../../tools/own-tools.ts'), connect(paying.emit)])
      const own = ownTools(session, { config, environment, root, expand })
      return [...own.map((tool) => ({ ...tool, description: descriptions.get(tool.name) ?? tool.description })), ...tools]
    },
    async close(): Promise<void> {
      stop.abort()
      if (servers !== null) await (await servers).close()
    },
  }
}
