import type { Policy } from '@plimsoll/core'
import type { Config } from '@plimsoll/core/policies'
import type { Agent, AskPermission } from '../agent/agent.ts'
import type { ModelClient } from '../model/model-client.ts'
import type { Environment } from '../model/server-access.ts'
import type { WriteOptions } from '../session/open-session.ts'
import type { OpenSession } from '../session/session.ts'
import type { Emit, Notification } from '../shared/event.ts'
import type { Strings } from '../strings/strings-for.ts'

/** Starts agents in sessions, with the models and tools that the settings ask for. */
export interface AgentStarter {
  /** The model of that name. Rejects with `ApiError` where it cannot be had, saying what to set. */
  readonly model: (name: string, onNotice?: (notice: Notification) => void) => Promise<ModelClient>
  /** The model that the options and settings ask for. */
  readonly defaultModel: ModelClient
  /** What there is to say about that model before it is asked anything. */
  readonly notices: readonly Notification[]
  /** Opens a session, or begins one, with an agent in it. */
  readonly start: (options: StartOptions) => Promise<Agent>
  /** Closes a session that was started here. One in which nobody said anything is removed. */
  readonly leave: (session: OpenSession) => Promise<void>
}

/** In which session an agent starts, and who listens. */
export interface StartOptions {
  /** The id of a stored session; null begins a new one. */
  readonly session: string | null
  /** Default: the starter's. */
  readonly model?: ModelClient
  readonly emit: Emit
  readonly ask: AskPermission | null
}

/** What the server works with. Everything from the command line and the settings arrives here. */
export interface ServerOptions {
  readonly version: string
  /** The folder of all sessions. */
  readonly sessions: string
  /** The real path of the workspace's folder. */
  readonly root: string
  readonly config: Config
  /** The language of who started the server; a request may ask for another one. */
  readonly strings: Strings
  readonly policies: readonly Policy[]
  /** Whether the user set `context_window`; else it is the model's. */
  readonly isWindowSet: boolean
  readonly environment: Environment
  readonly platform: string
  /** The time in milliseconds. */
  readonly now: () => number
  /** How sessions are written to. */
  readonly writing: WriteOptions
  readonly agents: AgentStarter
  /** Models that can be had with the keys there are, by name; the default first. */
  readonly models: readonly string[]
  /** Whether the offline model answers because there is no other, and nobody asked for it. */
  readonly isOfflineUnasked: boolean
  /** What else there is to say before anything is asked, each a sentence for people. */
  readonly notices: readonly string[]
  /** What every request for data has to carry. */
  readonly token: string
  /** The address to listen at, such as 127.0.0.1. */
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Whether `host` may be one that other machines reach. */
  readonly allowPublic: boolean
  /** Where gateways of this user write down what goes through them, as a path or an address. Default: there are none. */
  readonly gatewayStore?: string
  /** The folder of the built web app. */
  readonly webFolder: string
  /** Milliseconds in which the headers of a request have to arrive. Default: 10,000. */
  readonly headersTimeoutMs?: number
  /** Told where in the code a request failed by a defect, with nothing of the user in it. Default: nobody is. */
  readonly onFault?: (place: string) => void
}

/** What each group of addresses works with: the server's options, and a say in how it ends. */
export interface RouteOptions extends ServerOptions {
  /** Fires when the server is about to close, before it waits for anything: streams end then. */
  readonly stopping: AbortSignal
  /** Adds work that is done before the server is closed, such as ending turns and removing files. */
  readonly atClose: (work: () => Promise<void>) => void
  /** Adds what is done whenever a page says hello: somebody is about to look at something. */
  readonly atHello: (work: () => void) => void
}
